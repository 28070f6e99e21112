"""Where running begins, led to the file and the function: only as far as the repository shows it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.terrain import Folder, Terrain, citable
from kaozheng.roles.explorer.quoting import words
from kaozheng.sources.code import EntryPoint, Symbol

_KINDS = ("console script", "bin", "module", "main")
_ORDER = ("script", "bin", "server", "module", "main", "guard")  # of starts
_C_MAIN = re.compile(r"^\s*(?:int|void|auto)\s+main\s*\(")
_FUNCTIONS = ("function", "method")
_TARGET = re.compile(r"([A-Za-z_][\w.]*):([A-Za-z_][\w.]*)")
_SERVERS = {  # package or module imported -> statements that make or start a server
    "fastapi": r"^\s*(?:\w+\s*(?::\s*\w+\s*)?=\s*|return\s+)(FastAPI)\(",
    "flask": r"^\s*(?:\w+\s*(?::\s*\w+\s*)?=\s*|return\s+)(Flask)\(",
    "starlette": r"^\s*(?:\w+\s*(?::\s*\w+\s*)?=\s*|return\s+)(Starlette)\(",
    "aiohttp": r"^\s*(?:\w+\s*=\s*|return\s+)?web\.(Application|run_app)\(",
    "uvicorn": r"^\s*(?:await\s+)?(uvicorn\.run)\(",
    "express": r"^\s*\w+\.(listen)\(",
    "koa": r"^\s*\w+\.(listen)\(",
    "http": r"^\s*(?:\w+\.(listen)|return http\.(ListenAndServe\w*))\(",
    "node:http": r"^\s*\w+\.(listen)\(",
    "net/http": r"^\s*(?:[\w, ]+:?=\s*|return\s+|if\s+\w+\s*:?=\s*)?http\.(ListenAndServe(?:TLS)?)\(",
    "org.springframework.boot": r"^\s*(@SpringBootApplication)\b",
}  # fmt: skip
_LIBRARY_NAMES = frozenset({"__init__.py", "lib.rs", "index.ts", "index.tsx", "index.js", "index.mjs"})


@dataclass(frozen=True, slots=True)
class Start:
    """One start of the program. `name` is what it is called, `kind` names the sentence that tells of it, `declared` the
    place of the statement that makes it a start. `file` is where running goes on, "" when the repository does not show
    it; `function` the symbol that is run, if the outline has it."""

    name: str
    kind: str
    declared: tuple[str, ...]
    target: str = ""
    file: str = ""
    function: Symbol | None = None


def starts(land: Terrain) -> list[Start]:
    """Console scripts, bins, servers, modules that run, main functions and scripts, in this order, each file once;
    those that import something of the repository come first within their kind. Examples and tests are left out."""
    own = {file.path for file in land.code}
    points = [
        point
        for point in land.repository.entry_points
        if point.kind in _KINDS and (point.path in own or point.kind in ("console script", "bin"))
    ]
    found = [*(_start(land, point) for point in points), *_servers(land), *_c_mains(land)]
    found = [start for start in found if start.declared and not _is_foreign(start, land)]
    found.sort(key=lambda start: (_ORDER.index(start.kind), not _leads_on(land, start), _depth(start), start.name))
    unique: dict[str, Start] = {}
    for start in found:
        declared = start.kind in ("script", "bin")  # several commands may lead to one file
        unique.setdefault(start.name if declared else start.file, start)
    return list(unique.values())


def doors(land: Terrain) -> list[Start]:
    """Where the users of a library come in: leading files of its packages, that of the root first, then by how much
    they lead to; one that another one leads to is left out."""
    paths = [(folder, path) for folder in land.folders.values() if (path := _door(land, folder))]
    reach = {path: reached(land, path) for _, path in paths}
    paths.sort(key=lambda pair: (pair[0].name not in ("./", "src/"), -len(reach[pair[1]]), pair[1]))
    found: list[Start] = []
    covered: set[str] = set()
    for _, path in paths:
        if path not in covered and (declared := land.whole(path)):
            covered |= reach[path]
            found.append(Start(path, "door", declared, file=path))
    return found


def reached(land: Terrain, path: str, levels: int = 3) -> set[str]:
    """The files to which the imports of `path` lead within so many levels, itself left out."""
    seen = level = {path}
    for _ in range(levels):
        level = {edge.target for source in level for edge in land.outgoing.get(source, ())} - seen
        seen = seen | level
    return seen - {path}


def _door(land: Terrain, folder: Folder) -> str:
    """The file of a package's name: `__init__.py`, `index.ts`, `lib.rs`, `gson/Gson.java`; for Go the file that imports
    most, as its packages have no such file; for C the most imported header of a folder named `include`."""
    named = posixpath.basename(folder.name.rstrip("/")).lower()
    for file in folder.files:
        name = posixpath.basename(file.path)
        if (name in _LIBRARY_NAMES or name.partition(".")[0].lower() == named) and land.outgoing.get(file.path):
            return file.path
    fits = [file.path for file in folder.files if file.language == "go"]
    if not fits and "include" in folder.name.split("/"):
        fits = [folder.first.path]
    return max(fits, key=lambda path: (len(land.outgoing.get(path, ())), path == folder.first.path), default="")


def _leads_on(land: Terrain, start: Start) -> bool:
    return bool(land.outgoing.get(start.function.path if start.function else start.file))


def _depth(start: Start) -> int:
    return start.declared[0].count("/")


def _c_mains(land: Terrain) -> Iterator[Start]:
    """A `main` between the branches of a condition, which is no definition to a parser."""
    for file in land.code:
        named = file.language in ("c", "cpp") and posixpath.basename(file.path).startswith("main.")
        if not named or _function(land, file.path, "main"):
            continue
        number = next((at for at, line in enumerate(land.lines(file.path), 1) if _C_MAIN.match(line)), 0)
        if number:
            yield Start(file.path, "main", citable(file.path, LineRange(number, number)), file=file.path)


def _is_foreign(start: Start, land: Terrain) -> bool:
    """A manifest of an example or of foreign code declares starts too."""
    path = start.declared[0].rpartition("#")[0]
    file = land.by_path.get(path)
    samples = {one.path for one in land.samples}
    return file is None or file.kind in ("vendored", "generated", "test") or start.file in samples


def _start(land: Terrain, point: EntryPoint) -> Start:
    declared = citable(point.path, LineRange(point.line, point.line))
    name = words(point.name)
    if point.kind == "console script":
        file, function = _python_target(land, point)
        return Start(name, "script", declared, words(point.target), file, function)
    if point.kind == "bin":
        file = _beside(land, point.path, point.target)
        return Start(name, "bin", declared, words(point.target), file, _function(land, file, "main"))
    function = _function(land, point.path, "main")
    if point.kind == "module":
        return Start(name, "module", declared, file=point.path, function=function)
    is_guard = function is None or function.lines.start != point.line
    return Start(name, "guard" if is_guard else "main", declared, file=point.path, function=function)


def _python_target(land: Terrain, point: EntryPoint) -> tuple[str, Symbol | None]:
    """The file of `pkg.mod:function`, or the one that the module takes the function from."""
    read = _TARGET.fullmatch(point.target)
    if not read:
        return "", None
    stem = read[1].replace(".", "/")
    tails = f"/{stem}.py", f"/{stem}/__init__.py"
    root = posixpath.dirname(point.path)
    within = f"{root}/" if root else ""
    fits = [file.path for file in land.code if f"/{file.path}".endswith(tails) and file.path.startswith(within)]
    if not fits:
        return "", None
    path = min(fits, key=lambda one: (len(one), one))
    name = read[2].split(".")[0]
    return path, _function(land, path, name) or _taken_from(land, path, name)


def _taken_from(land: Terrain, path: str, name: str) -> Symbol | None:
    """The function where the module imports it from."""
    outline = land.outline(path)
    lines = {raw.line for raw in outline.imports if name in raw.names} if outline else set()
    for edge in land.outgoing.get(path, ()):
        if edge.line in lines and (found := _function(land, edge.target, name)):
            return found
    return None


def _beside(land: Terrain, manifest: str, target: str) -> str:
    path = posixpath.normpath(posixpath.join(posixpath.dirname(manifest), target)) if target else ""
    return path if path in land.repository.outlines else ""


def _function(land: Terrain, path: str, name: str) -> Symbol | None:
    outline = land.outline(path) if path else None
    fits = [one for one in outline.symbols if one.name == name and one.kind in _FUNCTIONS] if outline else []
    return min(fits, key=lambda one: (bool(one.owner), one.lines.start), default=None)


def _servers(land: Terrain) -> Iterator[Start]:
    """Statements that make or start a server, in files that import its package."""
    own = {file.path for file in land.code}
    wanted: dict[str, dict[str, None]] = {}
    for edge in land.repository.edges:
        name = edge.target if edge.target in _SERVERS else ".".join(edge.target.split(".")[:1])
        name = "org.springframework.boot" if edge.target.startswith("org.springframework.boot") else name
        if not edge.inside and edge.source in own and name in _SERVERS:
            wanted.setdefault(edge.source, {})[name] = None
    for path, packages in sorted(wanted.items()):
        for number, line in enumerate(land.lines(path), start=1):
            match = next((found for name in packages if (found := re.match(_SERVERS[name], line))), None)
            if match:
                what = next(part for part in match.groups() if part)
                declared = citable(path, LineRange(number, number))
                yield Start(path, "server", declared, what, path, _function(land, path, "main"))
                break
