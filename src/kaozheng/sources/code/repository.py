"""A repository as it was read: files, outlines, resolved imports, entry points, and what was left out and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from kaozheng.sources.code.code_file import CodeFile
from kaozheng.sources.code.symbol import ImportEdge, Outline, Symbol
from kaozheng.sources.source import Skipped


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """Where running begins: a console script, a main function, a bin, a script or a Makefile target. `target` is what
    it leads to, as it is written; `line` is that of the statement in `path`."""

    name: str
    kind: Literal["console script", "main", "bin", "script", "make target", "module"]
    path: str
    line: int
    target: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """A command that a manifest implies, e.g. `npm test`, with the line that says so. `runs` is the name of the script,
    target or console script of the same manifest that the command runs, "" when it runs none."""

    purpose: Literal["install", "run", "test", "build"]
    command: str
    path: str
    line: int
    runs: str = ""


@dataclass(frozen=True, slots=True)
class Repository:
    """Everything known about the code without running it. All paths are relative to the root, with `/`."""

    name: str
    files: tuple[CodeFile, ...] = ()
    outlines: dict[str, Outline] = field(default_factory=dict)
    edges: tuple[ImportEdge, ...] = ()
    entry_points: tuple[EntryPoint, ...] = ()
    tasks: tuple[Task, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    uncounted: int = 0  # files beyond the limit: seen, neither read nor listed

    @property
    def manifests(self) -> tuple[CodeFile, ...]:
        """The files that say how the code is built and what it needs."""
        return tuple(file for file in self.files if file.kind == "manifest")

    @property
    def tests(self) -> tuple[CodeFile, ...]:
        """The files that test the others."""
        return tuple(file for file in self.files if file.kind == "test")

    @property
    def symbols(self) -> Iterator[Symbol]:
        """All symbols of all outlines, file by file."""
        return (symbol for outline in self.outlines.values() for symbol in outline.symbols)

    def file(self, path: str) -> CodeFile | None:
        """The file with exactly this path, or None."""
        return next((file for file in self.files if file.path == path), None)


class CodeShelf(Protocol):
    """A repository together with the texts of its files."""

    @property
    def repository(self) -> Repository:
        """What was read; it does not change."""
        ...

    def text(self, path: str) -> str:
        """The text of a file as it is on the disk now, secrets masked, `\\n` line ends. SourceError: the path is not a
        text file of the repository, or cannot be read any more."""
        ...


class CodeReader(Protocol):
    """Reads a root folder of code."""

    async def read(self, root: Path) -> CodeShelf:
        """SourceError: the root is missing or holds no file."""
        ...
