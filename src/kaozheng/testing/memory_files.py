"""A disk that holds what a test put there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from kaozheng.errors import SourceError
from kaozheng.sources.files import FoundFile, Listing, Loaded
from kaozheng.sources.source import Reading, Skipped, Source


class MemoryFiles:
    """A Files over a mapping from full names ("/notes/a.md") to texts, which may change between two ingests; every text
    is read as it is. `reads` counts how often that was asked for."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self.reads = 0

    async def found(self, path: Path) -> Listing:
        """See Files.found."""
        name = path.as_posix()
        if name in self.texts:
            return Listing("", [FoundFile(name, path)])
        below = [one for one in self.texts if one.startswith(f"{name.rstrip('/')}/")]
        if not below:
            raise SourceError(f"{name}: no such file or folder")
        return Listing(name, [FoundFile(one, Path(one)) for one in sorted(below)])

    async def load(self, file: FoundFile) -> Loaded:
        """See Files.load."""
        return Loaded.of(self.texts[file.name].encode())

    async def read(self, name: str, loaded: Loaded) -> Reading:
        """See Files.read."""
        self.reads += 1
        text = loaded.data.decode()
        if not text.strip():
            return Reading([], [Skipped(name, "empty")])
        return Reading([replace(Source.of(text, name), sha256=loaded.sha256)], [])
