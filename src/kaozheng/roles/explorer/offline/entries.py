"""Where running begins, led to the file and the function: only as far as the repository shows it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.compiled import Compiled, source_of
from kaozheng.roles.explorer.offline.servers import servers
from kaozheng.roles.explorer.offline.terrain import Folder, Terrain, citable
from kaozheng.roles.explorer.quoting import words
from kaozheng.sources.code import EntryPoint, Symbol

_KINDS = ("console script", "bin", "module", "main")
_ORDER = ("script", "bin", "server", "module", "main", "guard")  # of starts
_C_MAIN = re.compile(r"^\s*(?:int|void|auto)\s+main\s*\(")
_FUNCTIONS = ("function", "method")
_TOLD_BESIDE = ("module", "main", "guard", "server")  # kinds that add a way to run what another start runs
_ASIDE = frozenset({"script", "scripts", "tool", "tools", "hack", "debug", "ci", ".github", "misc", "dev"})
_TARGET = re.compile(r"([A-Za-z_][\w.]*):([A-Za-z_][\w.]*)")
_LIBRARY_NAMES = frozenset({"__init__.py", "lib.rs", "index.ts", "index.tsx", "index.js", "index.mjs"})


@dataclass(frozen=True, slots=True)
class Start:
    """One start of the program. `name` is what it is called, `kind` names the sentence that tells of it, `declared` the
    place of the statement that makes it a start. `file` is where running goes on, "" when the repository does not show
    it; `function` the symbol that is run, if the outline has it. `compiled` says how a compiled file led to `file`;
    `also` are other starts that run the same."""

    name: str
    kind: str
    declared: tuple[str, ...]
    target: str = ""
    file: str = ""
    function: Symbol | None = None
    compiled: Compiled | None = None
    also: tuple[Start, ...] = ()


def starts(land: Terrain) -> list[Start]:
    """Console scripts, bins, servers, modules that run, main functions and scripts, in this order, each target once;
    those that import something of the repository come first within their kind. Examples and tests are left out; what
    lies in a folder of scripts or tools comes last."""
    own = {file.path for file in land.code}
    points = [
        point
        for point in land.repository.entry_points
        if point.kind in _KINDS and (point.path in own or point.kind in ("console script", "bin"))
    ]
    served = [
        Start(path, "server", declared, what, path, _function(land, path, "main"))
        for path, what, declared in servers(land)
    ]
    found = [*(_start(land, point) for point in points), *served, *_c_mains(land)]
    found = [start for start in found if start.declared and not _is_foreign(start, land)]
    found.sort(
        key=lambda start: (
            is_aside(start), _ORDER.index(start.kind), -_reach(land, start), not _leads_on(land, start),
            _depth(start), start.name,
        )
    )  # fmt: skip
    unique: dict[object, Start] = {}
    for start in found:
        key = start.function or start.file or (start.kind, start.name)
        first = unique.setdefault(key, start)
        if first is not start and start.kind in _TOLD_BESIDE and start.kind != first.kind:
            unique[key] = replace(first, also=(*first.also, start))
        elif first is not start and start.kind in ("script", "bin"):
            unique[key, start.name] = start  # several commands lead to one function
    return list(unique.values())


def is_aside(start: Start) -> bool:
    """Whether it lies in a folder of scripts or tools, which serve those who work on the project."""
    folders = posixpath.dirname(start.file or start.declared[0].rpartition("#")[0]).lower().split("/")
    return not _ASIDE.isdisjoint(folders) or "debug" in posixpath.basename(start.file).lower()


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


def _reach(land: Terrain, start: Start) -> int:
    """How much a server leads to: of several the one that most of the code stands behind comes first."""
    return len(reached(land, start.file)) if start.kind == "server" else 0


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
        return _bin(land, point, name, declared)
    function = _function(land, point.path, "main") or _taken_from(land, point.path, "main")
    if point.kind == "module":
        return Start(name, "module", declared, file=point.path, function=function)
    is_guard = function is None or (function.path, function.lines.start) != (point.path, point.line)
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
    own = _function(land, path, name)
    if own and _is_indented(land, own):  # behind an import that may fail, mostly
        own = _taken_from(land, path, name) or own
    return path, own or _taken_from(land, path, name)


def _is_indented(land: Terrain, function: Symbol) -> bool:
    """Whether it is defined under a condition."""
    line = next(iter(land.lines(function.path)[function.lines.start - 1 :]), "")
    return line[:1].isspace()


def _taken_from(land: Terrain, path: str, name: str) -> Symbol | None:
    """The function where the module imports it from."""
    outline = land.outline(path)
    lines = {raw.line for raw in outline.imports if name in raw.names} if outline else set()
    for edge in land.outgoing.get(path, ()):
        if edge.line in lines and (found := _function(land, edge.target, name)):
            return found
    return None


def _bin(land: Terrain, point: EntryPoint, name: str, declared: tuple[str, ...]) -> Start:
    """Of `package.json` or `Cargo.toml`; Cargo has customary places for a bin that names none."""
    root = posixpath.dirname(point.path)
    is_cargo = posixpath.basename(point.path).lower() == "cargo.toml"
    customary = (f"src/bin/{point.name}.rs", f"src/bin/{point.name}/main.rs", "src/main.rs") if is_cargo else ()
    targets = [
        posixpath.normpath(posixpath.join(root, one)) for one in ((point.target,) if point.target else customary)
    ]
    file = next((path for path in targets if path in land.repository.outlines), "")
    compiled = source_of(land, targets[0]) if targets and not file and not is_cargo else None
    file = compiled.source if compiled else file
    return Start(name, "bin", declared, words(point.target), file, _function(land, file, "main"), compiled)


def _function(land: Terrain, path: str, name: str) -> Symbol | None:
    outline = land.outline(path) if path else None
    fits = [one for one in outline.symbols if one.name == name and one.kind in _FUNCTIONS] if outline else []
    return min(fits, key=lambda one: (bool(one.owner), one.lines.start), default=None)
