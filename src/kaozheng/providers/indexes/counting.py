"""How often each term stands in a chunk, in a form that is scored by the thousand: BM25 for a database that has none.

A term is 8 bytes: 56 bits of its hash, then how often it stands there (255 at most). The formula and its constants are
those of SQLite's FTS5, so that both databases give the same figures.
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


def scores(candidates: Candidates, terms: Mapping[str, int], chunks: int, mean_length: float) -> NDArray[np.float64]:
    """BM25 of each candidate; `terms` says how many of all `chunks` have each."""
    import numpy as np

    asked = sorted((_hash(term), _idf(count, chunks)) for term, count in terms.items())
    hashes = np.array([hashed for hashed, _ in asked], dtype=np.uint64)
    idf = np.array([value for _, value in asked])
    found = candidates.counted >> np.uint64(8)
    places = np.minimum(hashes.searchsorted(found), len(hashes) - 1)
    hits = np.flatnonzero(hashes[places] == found)
    chunk = np.repeat(np.arange(len(candidates.rows)), candidates.sizes)[hits]
    times = (candidates.counted[hits] & np.uint64(_MOST)).astype(np.float64)
    norm = _K1 * (1 - _B + _B * candidates.lengths / mean_length)
    worth = idf[places[hits]] * times * (_K1 + 1) / (times + norm[chunk])
    return np.bincount(chunk, weights=worth, minlength=len(candidates.rows)).astype(np.float64, copy=False)


def _idf(count: int, chunks: int) -> float:
    return max(math.log((chunks - count + 0.5) / (count + 0.5)) if count < chunks else 0.0, _LEAST_IDF)


@lru_cache(maxsize=65_536)
def _hash(term: str) -> int:
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=7).digest(), "little")
