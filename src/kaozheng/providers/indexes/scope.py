"""What a filter admits of the database as it is now."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from kaozheng.providers.indexes.tables import bases, documents, facts, spaces
from kaozheng.sources.index import Within

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_REMEMBERED = 16


@dataclass(frozen=True, slots=True)
class Space:
    """The vectors of one embedder; `live` is how many of them belong to a document today."""

    id: int
    dimensions: int
    live: int


@dataclass(frozen=True, slots=True)
class Scope:
    """Ranges of rows (first, number) in rising order; `chunks` are all of the database, `admitted` those within, and
    `within` is None where these are the same. `space` is where its vectors are and `embedder` made them, unless `apart`
    says why they cannot be compared. `changes` counts those of the database."""

    ranges: list[tuple[int, int]]
    chunks: int
    admitted: int
    within: Within | None
    space: Space | None
    embedder: str
    apart: str
    changes: str


class Scopes:
    """Made once for each filter and state of the database: with many documents one costs more than the search. Safe to
    use from several threads."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, Within], Scope] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, connection: sa.Connection, within: Within) -> Scope:
        """The scope of this filter in this view of the database."""
        changes = connection.execute(sa.select(facts.c.value).where(facts.c.name == "changes")).scalar_one()
        with self._lock:
            key = (changes, within)
            scope = self._known.get(key)
            if scope is None:
                scope = self._known[key] = _scope(connection, within, changes)
                if len(self._known) > _REMEMBERED:
                    self._known.popitem(last=False)
            return scope


def wanted(within: Within) -> dict[str, tuple[str, ...]]:
    """The filter: columns of documents and the values that each may have."""
    return {"base": within.bases, **within.narrowed}


def admitted(within: Within) -> sa.ColumnElement[bool]:
    """The filter, as a condition on documents."""
    return sa.and_(*(documents.c[column].in_(values) for column, values in wanted(within).items()))


def total(column: sa.ColumnElement[int]) -> sa.ColumnElement[int]:
    """The sum, 0 of nothing."""
    return sa.func.coalesce(sa.func.sum(column), 0)


def merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges in rising order, those that touch made one."""
    found: list[tuple[int, int]] = []
    for first, count in sorted(item for item in ranges if item[1]):
        if found and sum(found[-1]) == first:
            found[-1] = (found[-1][0], found[-1][1] + count)
        else:
            found.append((first, count))
    return found


def inside(rows: NDArray[np.int64], ranges: list[tuple[int, int]]) -> NDArray[np.bool_]:
    """Which of the rising rows are in the ranges (first row, number of rows; rising)."""
    import numpy as np

    firsts, counts = np.array(ranges, dtype=np.int64).reshape(-1, 2).T
    turns = np.zeros(len(rows) + 1, dtype=np.int64)
    np.add.at(turns, rows.searchsorted(firsts), 1)
    np.subtract.at(turns, rows.searchsorted(firsts + counts), 1)
    return turns[:-1].cumsum() > 0


def _scope(connection: sa.Connection, within: Within, changes: str) -> Scope:
    chunks = int(connection.execute(sa.select(total(documents.c.rows))).scalar_one())
    rows = connection.execute(sa.select(documents.c.first_row, documents.c.rows).where(admitted(within)))
    ranges = merged([(row.first_row, row.rows) for row in rows])
    count = sum(count for _, count in ranges)
    space, embedder, apart = _common_space(connection, within)
    return Scope(ranges, chunks, count, None if count == chunks else within, space, embedder, apart, changes)


def _common_space(connection: sa.Connection, within: Within) -> tuple[Space | None, str, str]:
    """The space in which all chunks of the bases are, its embedder, and why there is none."""
    by_base = connection.execute(
        sa.select(bases.c.name, spaces.c.id, spaces.c.embedder, spaces.c.dimensions)
        .select_from(bases.outerjoin(spaces, spaces.c.id == bases.c.space))
        .where(bases.c.name.in_(within.bases))
        .where(sa.exists().where(documents.c.base == bases.c.name, documents.c.rows > 0))
        .order_by(bases.c.name)
    ).all()
    embedders = {row.embedder or "" for row in by_base}
    if not any(embedders):
        return None, "", "the bases keep no vectors"
    if len(embedders) > 1:
        said = ", ".join(f"{row.name}: {row.embedder or 'by words alone'}" for row in by_base)
        return None, "", f"the bases are not embedded alike ({said})"
    first = by_base[0]
    live = (
        sa.select(total(documents.c.rows))
        .join(bases, bases.c.name == documents.c.base)
        .where(bases.c.space == first.id)
    )
    return Space(first.id, first.dimensions, int(connection.execute(live).scalar_one())), first.embedder, ""
