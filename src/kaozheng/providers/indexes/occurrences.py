"""Where each term stands, as FTS5 knows it, in a form that is scored by the thousand.

FTS5's own `bm25()` reads the list of each term twice and gathers the terms of each chunk anew: that was most of what a
question cost. Here a list is read once, as one line of text (`fts5vocab`, kind `instance`), and kept until the database
changes: the longest lists belong to the words that are in many questions.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from kaozheng.providers.indexes.counting import idf, norms, worth

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kaozheng.providers.indexes.counting import Floats

_KEPT = 6_000_000  # chunks in the lists that are kept of one reading, 6 bytes each
_MOST = 65_535


@dataclass(frozen=True, slots=True)
class Lengths:
    """The rows of all chunks that have terms, rising, how many terms each has, and the sum of it."""

    rows: NDArray[np.int64]
    lengths: NDArray[np.int64]
    total: int


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The chunks that have a term, as places in `Lengths.rows`, and how often it stands in each."""

    places: NDArray[np.int32]
    times: NDArray[np.uint16]


class Known:
    """One reading in one state of the database. Safe to use from several threads."""

    def __init__(self, reading: str, changes: str, lengths: Lengths) -> None:
        self.changes = changes
        self.lengths = lengths
        self._reading = reading
        self._norms = norms(lengths.lengths, lengths.total / max(len(lengths.rows), 1))
        self._counts: dict[str, int] = {}
        self._lists: OrderedDict[str, Occurrences] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def counts(self, connection: sa.Connection, terms: Sequence[str]) -> dict[str, int]:
        """For each term how many chunks have it. The connection sees the same state."""
        with self._lock:
            known = {term: self._counts[term] for term in terms if term in self._counts}
        missing = [term for term in terms if term not in known]
        if missing:
            marks = ", ".join("?" * len(missing))
            asked = f"SELECT term, doc FROM {self._reading}_found WHERE term IN ({marks})"
            found = {term: int(count) for term, count in connection.exec_driver_sql(asked, tuple(missing))}
            known |= found
            with self._lock:
                self._counts |= found  # no terms that are nowhere: of these there is no end
        return dict.fromkeys(terms, 0) | known

    def scores(self, connection: sa.Connection, terms: Sequence[str]) -> Floats:
        """BM25 of each chunk of `lengths`; 0 where it has none of the terms. The connection sees the same state."""
        import numpy as np

        lists = self._found(connection, terms)
        if not lists:
            return np.zeros(len(self.lengths.rows))
        gained = [
            worth(idf(len(of.places), len(self.lengths.rows)), of.times.astype(np.float64), self._norms[of.places])
            for of in lists
        ]
        places = np.concatenate([of.places for of in lists])
        scores = np.bincount(places, weights=np.concatenate(gained), minlength=len(self.lengths.rows))
        return scores.astype(np.float64, copy=False)

    def _found(self, connection: sa.Connection, terms: Sequence[str]) -> list[Occurrences]:
        found = {}
        with self._lock:
            for term in terms:
                if term in self._lists:
                    self._lists.move_to_end(term)
                    found[term] = self._lists[term]
        missing = [term for term in terms if term not in found]
        if missing:
            read = _read(connection, self._reading, missing, self.lengths)
            found |= read
            self._keep(read)
        return [found[term] for term in terms if term in found]

    def _keep(self, read: Mapping[str, Occurrences]) -> None:
        with self._lock:
            for term, of in read.items():
                if term not in self._lists:
                    self._lists[term] = of
                    self._size += len(of.places)
            while self._size > _KEPT:
                _, oldest = self._lists.popitem(last=False)
                self._size -= len(oldest.places)


class AllKnown:
    """Both readings of one database, each in the state that was asked for last. Safe to use from several threads."""

    def __init__(self) -> None:
        self._known: dict[str, Known] = {}
        self._lock = threading.Lock()

    def of(self, connection: sa.Connection, reading: str, changes: str) -> Known:
        """What is known of a reading in the state that the connection sees."""
        with self._lock:
            known = self._known.get(reading)
            if known is None or known.changes != changes:
                lengths = _lengths(connection, reading, known.lengths if known else None)
                known = self._known[reading] = Known(reading, changes, lengths)
            return known


def make_views(cursor: sa.engine.interfaces.DBAPICursor) -> None:
    """Let a new connection read the lists of terms: for this connection alone, so that no file has to be changed."""
    for reading in ("words", "pairs"):
        cursor.execute(f"CREATE VIRTUAL TABLE temp.{reading}_at USING fts5vocab(main, {reading}, instance)")


def _read(connection: sa.Connection, reading: str, terms: Sequence[str], lengths: Lengths) -> dict[str, Occurrences]:
    import numpy as np

    given = ", ".join(["(?)"] * len(terms))
    rows_of_term = f"SELECT group_concat(doc) FROM {reading}_at WHERE term = column1"
    asked = f"SELECT column1, ({rows_of_term}) FROM (VALUES {given})"
    found = {}
    for term, rows in connection.exec_driver_sql(asked, tuple(terms)):
        if rows:
            each = _numbers(rows)  # a row for each time, rising
            firsts = np.flatnonzero(np.diff(each, prepend=-1))
            times = np.minimum(np.diff(firsts, append=len(each)), _MOST)
            places = lengths.rows.searchsorted(each[firsts])
            found[term] = Occurrences(places.astype(np.int32), times.astype(np.uint16))
    return found


def _lengths(connection: sa.Connection, reading: str, older: Lengths | None) -> Lengths:
    """Read anew, unless documents have only been added: rows are never used again."""
    import numpy as np

    averages = connection.exec_driver_sql(f"SELECT block FROM {reading}_data WHERE id = 1").scalar()
    chunks, total = _varints(averages).tolist() if averages else (0, 0)
    for known in (older, None):
        after = int(known.rows[-1]) if known and len(known.rows) else 0
        rows, lengths = _lengths_after(connection, reading, after)
        if known:
            rows, lengths = np.concatenate([known.rows, rows]), np.concatenate([known.lengths, lengths])
        if len(rows) == chunks and lengths.sum() == total:
            break
    return Lengths(rows, lengths, int(lengths.sum()))


def _lengths_after(connection: sa.Connection, reading: str, after: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    asked = f"SELECT group_concat(id), group_concat(hex(sz), '') FROM {reading}_docsize WHERE id > ?"
    rows, sizes = connection.exec_driver_sql(asked, (after,)).one()
    return _numbers(rows or ""), _varints(bytes.fromhex(sizes or ""))


def _numbers(said: str) -> NDArray[np.int64]:
    import numpy as np

    return np.fromstring(said, dtype=np.int64, sep=",") if said else np.empty(0, dtype=np.int64)


def _varints(packed: bytes) -> NDArray[np.int64]:
    """Numbers as SQLite packs them: seven bits a byte, the highest first; the eighth bit says that more follow."""
    import numpy as np

    signs = np.frombuffer(packed, dtype=np.uint8)
    ends = np.flatnonzero(signs < 128)
    if not len(ends):
        return np.empty(0, dtype=np.int64)
    begins = np.concatenate([[0], ends[:-1] + 1])
    shifts = 7 * (np.repeat(ends, ends - begins + 1) - np.arange(len(signs)))
    return np.add.reduceat((signs & 127).astype(np.int64) << shifts, begins)
