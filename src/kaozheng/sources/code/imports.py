"""From what import statements name to files of the repository, as far as the files are there; the rest is a package.

An edge inside is drawn only to a file that exists. What belongs to a package of the repository but to no file of it
(generated, or gone) makes no edge: it is no package of others either. When several files fit, the one nearest to the
importing file is taken.
"""

from __future__ import annotations

import json
import posixpath
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from kaozheng.sources.code.symbol import ImportEdge, Outline, RawImport

_JS_ENDINGS = (".ts", ".tsx", ".mts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".json")
_JS_LANGUAGES = frozenset({"javascript", "typescript", "tsx", "vue", "svelte"})
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


@dataclass(frozen=True, slots=True)
class Places:
    """The files of a repository, found by what imports call them."""

    files: frozenset[str]
    python: dict[str, list[str]] = field(default_factory=dict)
    tails: dict[str, list[str]] = field(default_factory=dict)  # last path part -> paths
    go_folders: dict[str, list[str]] = field(default_factory=dict)  # folder -> its files without tests
    go_modules: dict[str, str] = field(default_factory=dict)  # module path -> folder
    crates: dict[str, str] = field(default_factory=dict)  # crate name -> folder of its sources
    js_packages: dict[str, tuple[str, str]] = field(default_factory=dict)  # package name -> (folder, entry)
    js_aliases: tuple[tuple[str, str, str], ...] = ()  # (folder it holds in, prefix, folder meant)
    own: frozenset[str] = (
        frozenset()
    )  # top packages of Python, and as `com/x/` packages of Java and folders of C headers


def resolve_imports(
    outlines: Mapping[str, Outline], files: Iterable[str], manifests: Mapping[str, str]
) -> tuple[ImportEdge, ...]:
    """All edges, in the order of files and lines, each once a line. `manifests`: texts of go.mod, Cargo.toml,
    package.json and tsconfig.json by path."""
    places = _places(frozenset(files), manifests)
    edges: dict[ImportEdge, None] = {}
    for path, outline in outlines.items():
        for raw in outline.imports:
            for target, inside in _targets(path, outline.language, raw, places):
                if target and target != path:
                    edges[ImportEdge(path, target, raw.line, inside)] = None
    return tuple(edges)


def _targets(path: str, language: str, raw: RawImport, places: Places) -> Iterator[tuple[str, bool]]:
    if language == "python":
        yield from _python(path, raw, places)
    elif language in _JS_LANGUAGES:
        yield _javascript(path, raw.target, places)
    elif language == "go":
        yield _go(raw.target, places)
    elif language == "rust":
        yield from _rust(path, raw, places)
    elif language == "java":
        yield _java(path, raw.target, places)
    elif language in ("c", "cpp"):
        yield _include(path, raw, places)


def _places(files: frozenset[str], manifests: Mapping[str, str]) -> Places:
    python: dict[str, list[str]] = defaultdict(list)
    tails: dict[str, list[str]] = defaultdict(list)
    go_folders: dict[str, list[str]] = defaultdict(list)
    roots = {
        posixpath.dirname(path)
        for path in files
        if posixpath.basename(path) in ("pyproject.toml", "setup.py", "setup.cfg")
    }
    roots |= {posixpath.join(root, "src") for root in roots} | {"", "src"}
    for path in sorted(files):
        tails[posixpath.basename(path)].append(path)
        if path.endswith((".py", ".pyi")):
            for name in _module_names(path, files, roots):
                python[name].append(path)
        elif path.endswith(".go") and not path.endswith("_test.go"):
            go_folders[posixpath.dirname(path)].append(path)
    places = Places(files, dict(python), dict(tails), dict(go_folders))
    aliases: list[tuple[str, str, str]] = []
    for path, text in manifests.items():
        folder, name = posixpath.split(path)
        if name == "go.mod" and (found := re.search(r"^module\s+(\S+)", text, re.MULTILINE)):
            places.go_modules[found[1]] = folder
        elif name == "Cargo.toml" and (crate := _crate(text)):
            places.crates[crate[0]] = posixpath.normpath(posixpath.join(folder, crate[1]))
        elif name == "package.json" and (entry := _js_entry(folder, text, files)):
            places.js_packages[entry[0]] = folder, entry[1]
        elif name.startswith(("tsconfig", "jsconfig")):
            aliases.extend(_aliases(folder, text))
    aliases.sort(key=lambda alias: (-len(alias[0]), -len(alias[1])))
    own = {name.partition(".")[0] for name, at in python.items() if "." in name or at[0].endswith("/__init__.py")}
    return replace(places, js_aliases=tuple(aliases), own=frozenset(own | set(_holding_folders(files))))


def _holding_folders(files: frozenset[str]) -> Iterator[str]:
    """Each folder that holds Java classes or C headers, by every end of its path."""
    for folder in {posixpath.dirname(path) for path in files if path.endswith((".java", ".h", ".hpp", ".hh"))}:
        parts = folder.split("/")
        yield from ("/".join(parts[at:]) + "/" for at in range(len(parts)))


def _nearest(path: str, found: Iterable[str]) -> str:
    """The one that shares the longest way with the importing file, then the shortest."""
    here = path.split("/")

    def shared(other: str) -> int:
        return next((n for n, (a, b) in enumerate(zip(here, other.split("/"), strict=False)) if a != b), len(here))

    return min(found, key=lambda other: (-shared(other), len(other), other), default="")


# --- Python ----------------------------------------------------------------------------------------------------------


def _module_names(path: str, files: frozenset[str], roots: set[str]) -> set[str]:
    """The dotted names under which it can be imported: from where its packages begin, and from each source root."""
    stem = path.rsplit(".", 1)[0].removesuffix("/__init__")
    top = posixpath.dirname(path)
    while top and f"{top}/__init__.py" in files:
        top = posixpath.dirname(top)
    bases = {top, *(root for root in roots if not root or path.startswith(root + "/"))}
    names = {stem.removeprefix(base + "/") if base else stem for base in bases}
    return {name.replace("/", ".") for name in names if name and name != "__init__"}


def _python(path: str, raw: RawImport, places: Places) -> Iterator[tuple[str, bool]]:
    bare = raw.target.lstrip(".")
    dots = len(raw.target) - len(bare)
    if dots:
        folder = path.split("/")[:-1]
        if dots - 1 > len(folder):
            return
        base = "/".join([*folder[: len(folder) - dots + 1], *([part for part in bare.split(".") if part])])
        found = {_python_file(f"{base}/{name}" if base else name, places) for name in raw.names} - {""}
        own = _python_file(base, places)
        named_all = len(found) == len(raw.names) and found
        for target in sorted(found | ({own} if own and not named_all else set())):
            yield target, True
        return
    inner = {_nearest(path, _python_named(path, f"{bare}.{name}", places)) for name in raw.names} - {""}
    own = _nearest(path, _python_named(path, bare, places))
    if inner:
        yield from ((target, True) for target in sorted(inner))
    if own and len(inner) < max(1, len(raw.names)):
        yield own, True
    elif not inner and not own and bare.partition(".")[0] not in places.own:
        yield bare, False


def _python_named(path: str, name: str, places: Places) -> list[str]:
    """The files that an absolute import may mean. `import time` means that of the standard library, wherever a file
    of this name lies, but for a script beside it that is no part of a package."""
    found = places.python.get(name, [])
    top = name.partition(".")[0]
    if not found or top not in sys.stdlib_module_names:
        return found
    folder = posixpath.dirname(path)
    if top in sys.builtin_module_names or posixpath.join(folder, "__init__.py") in places.files:
        return []
    beside = tuple(posixpath.join(folder, top) + end for end in (".py", ".pyi", "/"))
    return [one for one in found if one.startswith(beside)]


def _python_file(base: str, places: Places) -> str:
    candidates = (f"{base}.py", f"{base}/__init__.py", f"{base}.pyi", "__init__.py" if not base else "")
    return next((name for name in candidates if name in places.files), "")


# --- JavaScript and TypeScript ---------------------------------------------------------------------------------------


def _javascript(path: str, target: str, places: Places) -> tuple[str, bool]:
    target = target.partition("?")[0]
    if target.startswith("."):
        found = _js_file(posixpath.normpath(posixpath.join(posixpath.dirname(path), target)), places.files)
        return found, bool(found)
    for folder, prefix, meant in places.js_aliases:
        if target.startswith(prefix) and (not folder or path.startswith(folder + "/")):
            found = _js_file(posixpath.normpath(posixpath.join(meant, target[len(prefix) :])), places.files)
            if found or prefix.endswith("/"):
                return found, bool(found)
    parts = target.split("/")
    name = "/".join(parts[: 2 if target.startswith("@") else 1])
    if name in places.js_packages:
        folder, entry = places.js_packages[name]
        rest = "/".join(parts[name.count("/") + 1 :])
        found = _js_file(posixpath.normpath(posixpath.join(folder, rest)), places.files) if rest else entry
        return found, bool(found)
    return name, False


def _js_file(base: str, files: frozenset[str]) -> str:
    if base in files:
        return base
    stem = re.sub(r"\.[cm]?jsx?$", "", base)  # TypeScript's `./x.js` means `./x.ts`
    tries = (*(base + ending for ending in _JS_ENDINGS), *(stem + ending for ending in _JS_ENDINGS))
    index = (f"{base}/index{ending}" for ending in _JS_ENDINGS)
    return next((name.removeprefix("./") for name in (*tries, *index) if name.removeprefix("./") in files), "")


def _js_entry(folder: str, text: str, files: frozenset[str]) -> tuple[str, str] | None:
    data = loose_json(text)
    if not isinstance(data, dict) or not isinstance(data.get("name"), str):
        return None
    named = [data.get(key) for key in ("source", "module", "main", "types")]
    built = [name.replace("dist/", "src/").replace("lib/", "src/") for name in named if isinstance(name, str)]
    for name in (*(name for name in named if isinstance(name, str)), *built, "src/index", "index", "src/main"):
        if found := _js_file(posixpath.normpath(posixpath.join(folder, name)), files):
            return data["name"], found
    return data["name"], ""


def _aliases(folder: str, text: str) -> Iterator[tuple[str, str, str]]:
    data = loose_json(text)
    options = data.get("compilerOptions") if isinstance(data, dict) else None
    paths = options.get("paths") if isinstance(options, dict) else None
    if not isinstance(options, dict) or not isinstance(paths, dict):
        return
    base = posixpath.join(folder, str(options.get("baseUrl") or "."))
    for name, meant in paths.items():
        for place in meant if isinstance(meant, list) else ():
            if isinstance(place, str) and name.endswith("*") and place.endswith("*"):
                yield folder, name[:-1], posixpath.normpath(posixpath.join(base, place[:-1]))


def loose_json(text: str) -> object:
    """JSON, also with comments and trailing commas; None when it is broken."""
    try:
        bare = _COMMENT.sub(lambda found: found[1] or "", text)
        return json.loads(_TRAILING_COMMA.sub(r"\1", bare))
    except (ValueError, RecursionError):
        return None


# --- Go, Rust --------------------------------------------------------------------------------------------------------


def _go(target: str, places: Places) -> tuple[str, bool]:
    """A Go import names a folder; the edge leads to the file in it that bears its name, or the first."""
    for module in sorted(places.go_modules, key=len, reverse=True):
        if target == module or target.startswith(module + "/"):
            folder = posixpath.normpath(posixpath.join(places.go_modules[module], target[len(module) :].strip("/")))
            folder = "" if folder == "." else folder
            prefix = f"{folder}/" if folder else ""
            inner = places.go_folders.get(folder, [])
            last = posixpath.basename(target)
            best = min(
                inner, key=lambda name: (name != f"{prefix}{last}.go", name != f"{prefix}doc.go", name), default=""
            )
            return best, bool(best)
    return target, False


def _crate(text: str) -> tuple[str, str] | None:
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    package, lib = data.get("package"), data.get("lib")
    name = (lib or {}).get("name") or (package or {}).get("name") if isinstance(package, dict) else None
    path = lib.get("path") if isinstance(lib, dict) else None
    return (str(name).replace("-", "_"), posixpath.dirname(path) if isinstance(path, str) else "src") if name else None


def _rust(path: str, raw: RawImport, places: Places) -> Iterator[tuple[str, bool]]:
    folder, name = posixpath.split(path)
    below = folder if name in ("mod.rs", "lib.rs", "main.rs") else posixpath.join(folder, name.removesuffix(".rs"))
    if raw.quoted:  # mod x;
        found = _rust_file(posixpath.join(below, raw.target), places.files)
        if found:
            yield found, True
        return
    for full in dict.fromkeys(f"{raw.target}::{inner}" if raw.target else inner for inner in raw.names or ("",)):
        parts = [part for part in full.split("::") if part]
        if parts:
            yield _rust_use(path, below, parts, places)


def _rust_use(path: str, below: str, parts: list[str], places: Places) -> tuple[str, bool]:
    first = parts[0]
    base: str | None = None
    if first == "crate":
        base = max(
            (root for root in (*places.crates.values(), _src(path)) if path.startswith(root + "/")),
            key=len,
            default=None,
        )
    elif first == "self":
        base = below
    elif first == "super":
        base, rest = posixpath.dirname(below), parts[1:]
        while rest[:1] == ["super"]:
            base, rest = posixpath.dirname(base), rest[1:]
        parts = [first, *rest]
    elif first in places.crates:
        base = places.crates[first]
    elif found := _deepest(below, parts, places.files):
        return found, True
    if base is None:
        return ("", False) if first in ("crate", "self", "super") else (first, False)
    found = _deepest(base, parts[1:], places.files) or (
        _rust_file(base, places.files)
        or next((f"{base}/{top}" for top in ("lib.rs", "main.rs") if f"{base}/{top}" in places.files), "")
    )
    return (found, True) if found else ("", False)


def _src(path: str) -> str:
    """The folder `src` that holds the file, or its own."""
    parts = path.split("/")[:-1]
    return "/".join(parts[: parts.index("src") + 1]) if "src" in parts else "/".join(parts)


def _deepest(base: str, parts: list[str], files: frozenset[str]) -> str:
    for length in range(len(parts), 0, -1):
        if found := _rust_file(posixpath.join(base, *parts[:length]), files):
            return found
    return ""


def _rust_file(base: str, files: frozenset[str]) -> str:
    return next((name for name in (f"{base}.rs", f"{base}/mod.rs") if name in files), "")


# --- Java, C, C++ ----------------------------------------------------------------------------------------------------


def _java(path: str, target: str, places: Places) -> tuple[str, bool]:
    parts = target.split(".")
    for length in range(len(parts), 1, -1):  # a nested class or a static member stands in its class's file
        tail = "/".join(parts[:length]) + ".java"
        found = [
            name
            for name in places.tails.get(f"{parts[length - 1]}.java", ())
            if name == tail or name.endswith("/" + tail)
        ]
        if found:
            return _nearest(path, found), True
    packages = ("/".join(parts[:length]) + "/" for length in range(2, len(parts)))
    return ("", False) if any(package in places.own for package in packages) else (target, False)


def _include(path: str, raw: RawImport, places: Places) -> tuple[str, bool]:
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), raw.target))
    if raw.quoted and beside in places.files:
        return beside, True
    tail = posixpath.normpath(raw.target).lstrip("./")
    found = [
        name for name in places.tails.get(posixpath.basename(tail), ()) if name == tail or name.endswith("/" + tail)
    ]
    if found and (raw.quoted or "/" in tail or any("/include/" in f"/{name}" for name in found)):
        return _nearest(path, found), True
    own = raw.quoted and "/" in tail and f"{posixpath.dirname(tail)}/" in places.own
    return ("", False) if own else (raw.target, False)
