"""Files one by one: what is below a path, the bytes of each, and what they say. Who knows the bytes of a file already
need not read it."""

from __future__ import annotations

import hashlib
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
class Listing:
    """The files at a path. `folder` is the name of the folder that was given, "" when it was a file."""

    folder: str
    files: Sequence[FoundFile]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file's bytes as they are, with their hash. `modified` is an ISO time or ""."""

    data: bytes
    sha256: str
    modified: str = ""

    @classmethod
    def of(cls, data: bytes, modified: str = "") -> Loaded:
        """The bytes with their hash, which takes 1 ms for 2 MB."""
        return cls(data, hashlib.sha256(data).hexdigest(), modified)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was handed over instead of lying on the disk. The suffix of its name says what kind it is."""

    name: str
    data: bytes


class Files(Protocol):
    """Finds, loads and reads files. Several may be loaded and read at once."""

    async def found(self, path: Path) -> Listing:
        """The file, or every file below the folder in natural order; hidden ones are passed over.

        Raises SourceError when there is no such path or no file in it.
        """
        ...

    async def load(self, file: FoundFile) -> Loaded:
        """The bytes. Raises SourceError with the reason alone: gone, not allowed, too large, no regular file."""
        ...

    async def read(self, name: str, loaded: Loaded) -> Reading:
        """What the bytes say, as one source with this name as its path, or none; `skipped` has what was not read and
        why."""
        ...
