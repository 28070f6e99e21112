"""The vectors of one space as matrices: a file mapped into memory, and what was stored since it was written.

    <knowledge.db>.vectors/<database id>-<space>-<last row>.f32     head, rows (int64), vectors (float32)

The file is derived: a missing, broken or foreign one is made again from the stored rows. Rows never change and are
never used again, so a file stays true; the rows of deleted documents are in it, but nobody asks for them. It is
written anew when what came since has grown, or when half of it is dead.
"""

from __future__ import annotations

import logging
import struct
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from kaozheng.errors import StorageError
from kaozheng.providers.indexes.scope import Space, inside
from kaozheng.providers.indexes.tables import vectors
from kaozheng.providers.stores.atomic import write_atomically
from kaozheng.providers.stores.private import private_folder
from kaozheng.providers.stores.refusals import disk_refusals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kaozheng.sources.vectors import Vectors

    Rows = NDArray[np.int64]

_HEAD = struct.Struct("<8s2q")
_MAGIC = b"KZVEC001"
_TAIL_ROWS = 2_000  # fewer rows than this are read from the database at each start instead
_TAIL_SHARE = 0.25
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Block:
    """Rows in rising order and their vectors, line for line."""

    rows: Rows
    vectors: Vectors


class Matrices:
    """The matrices of one database, in one process. Safe to use from several threads."""

    def __init__(self, folder: Path, database: str) -> None:
        self._folder = folder
        self._database = database
        self._blocks: dict[int, tuple[Block, ...]] = {}
        self._lock = threading.Lock()

    def blocks(self, connection: sa.Connection, space: Space) -> tuple[Block, ...]:
        """All vectors of the space that the connection sees, and perhaps some that it does not see any more."""
        with self._lock:
            blocks = self._blocks.get(space.id) or self._from_file(connection, space)
            blocks = self._with_newer(connection, space, blocks)
            if self._is_stale(space, blocks):
                blocks = self._rewritten(connection, space, blocks)
            self._blocks[space.id] = blocks
            return blocks

    def forget_all_but(self, used: set[int]) -> None:
        """Remove the files of all other spaces of the database."""
        with self._lock:
            self._blocks = {space: blocks for space, blocks in self._blocks.items() if space in used}
            for path in list(self._folder.glob(f"{self._database}-*.f32")):
                if path.stem.split("-")[1] not in map(str, used):
                    _unlink(path)

    def _with_newer(self, connection: sa.Connection, space: Space, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        newer = _read(connection, space, after=_last(blocks))
        if not len(newer.rows):
            return blocks
        # Of what was not in the file one block is made: each block costs a search a product of its own.
        tail = blocks[1:]
        return (*blocks[:1], _joined((*tail, newer)))

    def _is_stale(self, space: Space, blocks: tuple[Block, ...]) -> bool:
        kept, tail = len(blocks[0].rows), sum(len(block.rows) for block in blocks[1:])
        return tail > max(_TAIL_ROWS, _TAIL_SHARE * kept) or kept + tail > 2 * max(space.live, _TAIL_ROWS)

    def _rewritten(self, connection: sa.Connection, space: Space, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        whole = _read(connection, space, after=0)
        path = self._path(space, int(whole.rows[-1]) if len(whole.rows) else 0)
        try:
            with disk_refusals(path):
                private_folder(self._folder)
                head = _HEAD.pack(_MAGIC, len(whole.rows), space.dimensions)
                write_atomically(path, b"".join((head, whole.rows.tobytes(), whole.vectors.tobytes())))
                self._sweep(space, path)
        except StorageError as error:
            _log.warning("vectors are searched without a file: %s", error)
            return (whole,)
        return (_mapped(path, space) or whole,)

    def _from_file(self, connection: sa.Connection, space: Space) -> tuple[Block, ...]:
        newest = max(self._files(space), key=_last_row_of, default=None)
        block = _mapped(newest, space) if newest else None
        if block is not None and _agrees(connection, space, block):
            return (block,)
        return (_empty(space.dimensions),)

    def _sweep(self, space: Space, kept: Path) -> None:
        """Remove older files; who has one mapped keeps it, who is about to open one reads the database instead."""
        for path in self._files(space):
            if path != kept:
                _unlink(path)

    def _files(self, space: Space) -> list[Path]:
        return list(self._folder.glob(f"{self._database}-{space.id}-*.f32"))

    def _path(self, space: Space, last: int) -> Path:
        return self._folder / f"{self._database}-{space.id}-{last}.f32"


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except PermissionError:  # Windows, while another process has it mapped: the next sweep gets it
        _log.debug("%s is still in use", path)


def positions(block: Block, ranges: list[tuple[int, int]]) -> Rows | None:
    """Where in the block the rows of these ranges (first row, number of rows; rising) stand; None for all of them."""
    import numpy as np

    admitted = inside(block.rows, ranges)
    return None if admitted.all() else np.flatnonzero(admitted)


def _read(connection: sa.Connection, space: Space, after: int) -> Block:
    import numpy as np

    newer = (
        sa.select(vectors.c.first_row, vectors.c.rows, vectors.c.vectors)
        .where(vectors.c.first_row > after, vectors.c.space == space.id)
        .order_by(vectors.c.first_row)
    )
    found = connection.execute(newer).all()
    if not found:
        return _empty(space.dimensions)
    values = as_vectors(b"".join(one.vectors for one in found), sum(one.rows for one in found), space)
    rows = np.concatenate([np.arange(one.first_row, one.first_row + one.rows, dtype=np.int64) for one in found])
    return Block(rows, values)


def as_vectors(stored: bytes, rows: int, space: Space) -> Vectors:
    """What a database has stored for so many chunks. Raises StorageError when it is damaged."""
    import numpy as np

    if len(stored) != 4 * rows * space.dimensions:
        raise StorageError(
            "the vectors that the database holds are damaged: put a copy of it back, or empty the base "
            "(kaozheng kb remove --all) and add its documents again"
        )
    return np.frombuffer(stored, dtype="<f4").reshape(-1, space.dimensions)


def _mapped(path: Path, space: Space) -> Block | None:
    import numpy as np

    try:
        with path.open("rb") as file:
            magic, count, dimensions = _HEAD.unpack(file.read(_HEAD.size))
        size = _HEAD.size + count * (8 + 4 * dimensions)
        if (magic, dimensions) != (_MAGIC, space.dimensions) or path.stat().st_size != size or count < 1:
            return None
        rows = np.fromfile(path, dtype="<i8", count=count, offset=_HEAD.size)
        mapped = np.memmap(path, dtype="<f4", mode="r", offset=_HEAD.size + 8 * count, shape=(count, dimensions))
    except (OSError, struct.error, ValueError):
        return None
    return Block(rows, np.asarray(mapped))


def _agrees(connection: sa.Connection, space: Space, block: Block) -> bool:
    """Whether the newest stored document that the block could have is the one that it has: a database that was put back
    from a copy has used the same rows for other chunks."""
    newest = (
        sa.select(vectors.c.first_row, vectors.c.rows, vectors.c.vectors)
        .where(vectors.c.first_row <= int(block.rows[-1]), vectors.c.space == space.id)
        .order_by(vectors.c.first_row.desc())
        .limit(1)
    )
    found = connection.execute(newest).first()
    if found is None:
        return False
    begin, end = block.rows.searchsorted([found.first_row, found.first_row + found.rows])
    same = block.vectors[begin:end].tobytes() == found.vectors
    return bool(same and block.rows[begin] == found.first_row)


def _joined(blocks: tuple[Block, ...]) -> Block:
    import numpy as np

    if len(blocks) == 1:
        return blocks[0]
    return Block(np.concatenate([b.rows for b in blocks]), np.concatenate([b.vectors for b in blocks]))


def _last(blocks: tuple[Block, ...]) -> int:
    return max((int(block.rows[-1]) for block in blocks if len(block.rows)), default=0)


def _last_row_of(path: Path) -> int:
    end = path.stem.rpartition("-")[2]
    return int(end) if end.isdecimal() else -1


def _empty(dimensions: int) -> Block:
    import numpy as np

    return Block(np.empty(0, dtype=np.int64), np.empty((0, dimensions), dtype=np.float32))
