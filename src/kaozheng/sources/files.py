"""Files one by one: what is below a path, the bytes of each, and what they say. Who knows the bytes of a file already
need not read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from kaozheng.sources.source import Reading


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file below a path that was given. `name` is where it lies, from the root of the disk, as text that can be
    printed and stored; `why` says why it is left out, "" when it may be read."""

    name: str
    path: Path
    why: str = ""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file's bytes as they are. `modified` is an ISO time or ""."""

    data: bytes
    modified: str = ""


class Files(Protocol):
    """Finds, loads and reads files. Several may be loaded and read at once."""

    async def found(self, path: Path) -> Sequence[FoundFile]:
        """The file, or every file below the folder in natural order; hidden ones are passed over.

        Raises SourceError when there is no such path or no file in it.
        """
        ...

    async def load(self, file: FoundFile) -> Loaded:
        """The bytes. Raises SourceError: gone, not allowed, too large, no regular file."""
        ...

    async def read(self, name: str, loaded: Loaded) -> Reading:
        """What the bytes say, as one source with this name as its path, or none; `skipped` has what was not read and
        why."""
        ...
