"""Which names a package gives away, and which ones other code asks for: what a reader of the package meets first."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from kaozheng.roles.explorer.offline.terrain import Terrain, folder_of

_SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
_SPEAKERS = re.compile(r"__init__\.py|index\.[cm]?[jt]sx?|lib\.rs|mod\.rs")
_ALL = re.compile(r"^__all__\s*(?::[^=\n]{1,80})?\+?=\s*[\[(]([^\[\]()]{0,20000})[\])]", re.MULTILINE)
_QUOTED = re.compile(r"[\"'](\w+)[\"']")
_CLAUSE = re.compile(
    r"\b(import|export)\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?(\*|\{[^{}]{0,8000}\})(?:\s*as\s+[\w$]+)?\s*from\s*[\"'][^\"'\n]+[\"']"
)
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_EVERYTHING = "*"

Named = tuple[str, str]  # (file, name)


@dataclass(frozen=True, slots=True)
class Demand:
    """`exported`: what a package's leading file or a module's `__all__` names. `beyond` and `asked` count the files
    that import a name: those of other folders, and all."""

    exported: frozenset[Named]
    beyond: Counter[Named]
    asked: Counter[Named]


@dataclass(frozen=True, slots=True)
class _Taken:
    """One name that an import statement takes out of a file; `given_on` when the importer exports it again."""

    source: str
    target: str
    name: str
    given_on: bool


def demand(land: Terrain) -> Demand:
    """Read from import statements and `__all__`; as far as they say names."""
    listed = {path: names for path in land.outgoing.keys() | land.importers.keys() if (names := _all_of(land, path))}
    exported = {(path, name) for path, names in listed.items() for name in names}
    beyond: Counter[Named] = Counter()
    asked: Counter[Named] = Counter()
    for one in dict.fromkeys(_takings(land)):
        if one.given_on:
            exported.update(_given_on(land, one, listed))
        if one.name != _EVERYTHING:
            asked[one.target, one.name] += 1
            beyond[one.target, one.name] += folder_of(one.source) != folder_of(one.target)
    return Demand(frozenset(exported), beyond, asked)


def gives_on(land: Terrain, path: str) -> bool:
    """Whether a module of JavaScript or TypeScript exports what others define."""
    return any(given_on for _, given_on in _clauses(land, path).values())


def _given_on(land: Terrain, one: _Taken, listed: dict[str, frozenset[str]]) -> Iterator[Named]:
    own = listed.get(one.source)
    names = [one.name]
    if one.name == _EVERYTHING:
        outline = land.outline(one.target)
        public = [symbol.name for symbol in outline.symbols if symbol.public] if outline else []
        names = sorted(listed.get(one.target) or public)
    yield from ((one.target, name) for name in names if own is None or name in own)


def _all_of(land: Terrain, path: str) -> frozenset[str]:
    if not path.endswith(".py"):
        return frozenset()
    text = "\n".join(land.lines(path))
    return frozenset(name for block in _ALL.finditer(text) for name in _QUOTED.findall(block[1]))


def _takings(land: Terrain) -> Iterator[_Taken]:
    for source, edges in land.outgoing.items():
        outline = land.outline(source)
        if outline is None:
            continue
        speaks = _SPEAKERS.fullmatch(posixpath.basename(source)) is not None
        clauses = _clauses(land, source) if outline.language in _SCRIPTS else {}
        raws = {raw.line: raw for raw in outline.imports}
        for edge in edges:
            raw = raws.get(edge.line)
            names, given_on = clauses.get(edge.line, ((), False))
            if raw and outline.language == "python":
                names = raw.names or ((_EVERYTHING,) if raw.target.startswith(".") else ())
                given_on = speaks
            elif raw and outline.language == "rust":
                names = tuple(name.rpartition("::")[2] for name in raw.names)
                line = next(iter(land.lines(source)[edge.line - 1 : edge.line]), "")
                given_on = line.lstrip().startswith("pub ") and bool(names)
            elif outline.language == "java":
                names = (posixpath.basename(edge.target).partition(".")[0],)
            yield from (_Taken(source, edge.target, name, given_on) for name in names)


def _clauses(land: Terrain, path: str) -> dict[int, tuple[tuple[str, ...], bool]]:
    """(names, whether they are exported again) of the import and export clauses, by the line of the module's name."""
    text = "\n".join(land.lines(path))
    found: dict[int, tuple[tuple[str, ...], bool]] = {}
    for clause in _CLAUSE.finditer(text):
        line = text.count("\n", 0, clause.end()) + 1
        parts = [_NAME.findall(part.strip().removeprefix("type ")) for part in clause[2].strip("{}").split(",")]
        names = (_EVERYTHING,) if clause[2] == "*" else tuple(part[0] for part in parts if part)
        given_on = clause[1] == "export"
        if given_on or names != (_EVERYTHING,):
            found[line] = names, given_on
    return found
