"""Files of the local disk one by one, read side by side in child processes that are kept from one file to the next."""

from __future__ import annotations

import asyncio
import os
import stat
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

from kaozheng.aside import aside
from kaozheng.errors import SourceError
from kaozheng.providers.readers.code_sources import is_code, read_code, why_no_knowledge
from kaozheng.providers.readers.converted import Caps
from kaozheng.providers.readers.reading_parent import ReadingChild
from kaozheng.providers.readers.text_files import OLD_SUFFIXES, files_below, load, read_data, shown, why_not_taken
from kaozheng.sources.files import FoundFile, Listing, Loaded
from kaozheng.sources.source import Reading, Skipped, Source

AT_ONCE: Final = 2
"""Child processes: each may take hundreds of megabytes."""


class FolderFiles:
    """A Files over the local disk. Made by `open_files`. What is hidden or a link out of a folder is left out as
    `FolderReader` leaves it out."""

    def __init__(self, caps: Caps | None = None, at_once: int = AT_ONCE) -> None:
        self._caps = caps
        self._lane = asyncio.Semaphore(at_once)
        self._idle: list[ReadingChild] = []
        self._lock = threading.Lock()
        self._closed = False

    async def found(self, path: Path) -> Listing:
        """See Files.found."""
        return await aside(_found, path)

    async def load(self, file: FoundFile) -> Loaded:
        """See Files.load."""
        return await aside(load, file.path)

    async def read(self, name: str, loaded: Loaded) -> Reading:
        """See Files.read."""
        async with self._lane:
            return await aside(self._read, name, loaded)

    def close(self) -> None:
        """End the child processes; one that still reads for a cancelled caller ends when it is through."""
        with self._lock:
            self._closed, idle = True, self._idle
            self._idle = []
        for child in idle:
            child.close()

    def _read(self, name: str, loaded: Loaded) -> Reading:
        with self._child() as child:
            parts = [read_code(loaded, name, "S1")] if is_code(name) else list(read_data(loaded, name, "S1", child))
        sources = [one for one in parts if isinstance(one, Source)]
        return Reading(sources, [one for one in parts if isinstance(one, Skipped)])

    @contextmanager
    def _child(self) -> Iterator[ReadingChild]:
        with self._lock:
            child = self._idle.pop() if self._idle else ReadingChild(self._caps)
        try:
            yield child
        finally:
            with self._lock:
                kept = not self._closed
                if kept:
                    self._idle.append(child)
            if not kept:
                child.close()


@asynccontextmanager
async def open_files(caps: Caps | None = None) -> AsyncIterator[FolderFiles]:
    """The local disk, for as long as one ingest takes."""
    files = FolderFiles(caps)
    try:
        yield files
    finally:
        await asyncio.to_thread(files.close)


def _found(path: Path) -> Listing:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        reason = "no such file or folder" if isinstance(error, FileNotFoundError) else f"cannot be read ({error})"
        raise SourceError(f"{shown(path)}: {reason}") from error
    if not stat.S_ISDIR(mode):
        # The folder's real place, the file's own name: a link that was given by name is wanted.
        place = Path(os.path.realpath(path.parent)) / path.name
        return Listing("", [FoundFile(_name(place), place)])
    root = Path(os.path.realpath(path))
    files = [FoundFile(_name(one), one, why or _why_left_out(one, root)) for one, why in files_below(root)]
    if not files:
        raise SourceError(f"{shown(path)}: no file in this folder")
    return Listing(_name(root), files)


def _why_left_out(path: Path, root: Path) -> str:
    """Of kinds that are no documents. Documents of an old kind are tried, so that somebody hears of them."""
    suffix = path.suffix.lower()
    if is_code(path.name):
        return why_no_knowledge(path.relative_to(root).as_posix())
    return "" if suffix in OLD_SUFFIXES else why_not_taken(suffix)


def _name(path: Path) -> str:
    return shown(path.as_posix())
