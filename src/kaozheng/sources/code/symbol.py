"""What stands in a file of code: symbols with their exact lines, and imports before and after they are resolved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kaozheng.documents.span import LineRange

SymbolKind = Literal[
    "function", "class", "method", "interface", "type", "enum", "struct", "trait", "module", "macro", "constant"
]


@dataclass(frozen=True, slots=True)
class Symbol:
    """One definition. `name` is the bare name as it stands in its lines, `owner` the class or type that holds it, or
    "". `signature` is one line, `doc` the first sentence of its comment or "". `public`: other code may use it, by the
    custom of the language."""

    name: str
    kind: SymbolKind
    path: str
    lines: LineRange
    signature: str = ""
    doc: str = ""
    public: bool = True
    owner: str = ""

    @property
    def full_name(self) -> str:
        """`owner.name`, or the name alone."""
        return f"{self.owner}.{self.name}" if self.owner else self.name

    @property
    def place(self) -> str:
        """`path#L10-L20`, the form in which a document names lines."""
        return place(self.path, self.lines)


@dataclass(frozen=True, slots=True)
class RawImport:
    """What an import statement names, before anybody looked for the file. `names` are those taken out of `target`;
    `quoted`: the form that looks beside the importing file first (`#include "x.h"`, `mod x;`)."""

    target: str
    line: int
    names: tuple[str, ...] = ()
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class ImportEdge:
    """`source` (a path) needs `target`: a path of the repository when `inside`, else the name of a package."""

    source: str
    target: str
    line: int
    inside: bool


@dataclass(frozen=True, slots=True)
class Outline:
    """The symbols of one file in the order of its lines. `by` is "grammar", or "lines" when no grammar was there and
    the beginnings of lines had to do (then a symbol's lines are its first line alone)."""

    path: str
    language: str
    symbols: tuple[Symbol, ...] = ()
    imports: tuple[RawImport, ...] = ()
    doc: str = ""
    by: Literal["grammar", "lines"] = "grammar"


def place(path: str, lines: LineRange) -> str:
    """`path#L10-L20`, or `path#L10` for a single line."""
    return f"{path}#L{lines.start}" + (f"-L{lines.end}" if lines.end > lines.start else "")
