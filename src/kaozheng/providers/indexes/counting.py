"""BM25 of chunks by the thousand, the same for both databases. Formula and constants are those of SQLite's FTS5.

PostgreSQL keeps beside each chunk, packed, how often each term stands in it: a term is 8 bytes, 56 bits of its hash,
then how often it stands there (255 at most). SQLite's FTS5 keeps that itself (see `occurrences`).
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_K1, _B = 1.2, 0.75
_LEAST_IDF = 1e-6
_MOST = 255


@dataclass(frozen=True, slots=True)
class Candidates:
    """Chunks that have a term of the question: their rows, lengths in terms, number of different terms, and these one
    chunk after the other."""

    rows: NDArray[np.int64]
    lengths: NDArray[np.int64]
    sizes: NDArray[np.int64]
    counted: NDArray[np.uint64]


def counted(terms: Sequence[str]) -> bytes:
    """The different terms of a chunk with their counts."""
    import numpy as np

    packed = [_hash(term) << 8 | min(count, _MOST) for term, count in Counter(terms).items()]
    return np.array(packed, dtype="<u8").tobytes()


def scores(candidates: Candidates, terms: Mapping[str, int], chunks: int, mean_length: float) -> Floats:
    """BM25 of each candidate; `terms` says how many of all `chunks` have each."""
    import numpy as np

    asked = sorted((_hash(term), idf(count, chunks)) for term, count in terms.items())
    hashes = np.array([hashed for hashed, _ in asked], dtype=np.uint64)
    of_terms = np.array([value for _, value in asked])
    found = candidates.counted >> np.uint64(8)
    places = np.minimum(hashes.searchsorted(found), len(hashes) - 1)
    hits = np.flatnonzero(hashes[places] == found)
    chunk = np.repeat(np.arange(len(candidates.rows)), candidates.sizes)[hits]
    times = (candidates.counted[hits] & np.uint64(_MOST)).astype(np.float64)
    gained = worth(of_terms[places[hits]], times, norms(candidates.lengths, mean_length)[chunk])
    return np.bincount(chunk, weights=gained, minlength=len(candidates.rows)).astype(np.float64, copy=False)


def idf(count: int, chunks: int) -> float:
    """How telling a term is that so many of the chunks have."""
    return max(math.log((chunks - count + 0.5) / (count + 0.5)) if count < chunks else 0.0, _LEAST_IDF)


def norms(lengths: NDArray[np.integer], mean_length: float) -> Floats:
    """What `worth` takes for chunks of these lengths in terms."""
    return (_K1 * (1 - _B + _B * lengths / mean_length)).astype("float64", copy=False)


def worth(idfs: Floats | float, times: Floats, norm: Floats) -> Floats:
    """What a term that stands so many times in chunks gives each of them."""
    return idfs * (times * (_K1 + 1) / (times + norm))


def best(rows: NDArray[np.int64], of_rows: Floats, limit: int) -> list[tuple[str, float]]:
    """The rows that are worth most and anything; ties by row, so that the same question finds the same."""
    import numpy as np

    among = np.flatnonzero(of_rows > 0)  # most have nothing, and nothing is slower to part than equals
    if limit < len(among):
        least = -np.partition(-of_rows[among], limit - 1)[limit - 1]
        among = among[of_rows[among] >= least]
    order = among[np.lexsort((rows[among], -of_rows[among]))][:limit]
    return [(str(row), float(score)) for row, score in zip(rows[order], of_rows[order], strict=True)]


@lru_cache(maxsize=65_536)
def _hash(term: str) -> int:
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=7).digest(), "little")
