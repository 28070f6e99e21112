"""Where running begins and how to install, run and test: read from manifests and main functions, never executed.

Every entry point and task names the line that says so; what stands in no file is not claimed.
"""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from kaozheng.sources.code.code_file import CodeFile
from kaozheng.sources.code.imports import loose_json
from kaozheng.sources.code.manifest_lines import ini_options, json_lines, line_of, toml_lines
from kaozheng.sources.code.repository import EntryPoint, Task
from kaozheng.sources.code.symbol import Outline

_PYTHON_MAIN = re.compile(r"""^if\s+__name__\s*==\s*["']__main__["']""", re.MULTILINE)
_MAKE_TARGET = re.compile(
    r"^([A-Za-z0-9][A-Za-z0-9_./-]{0,60}(?:[ \t]+[A-Za-z0-9][A-Za-z0-9_./-]{0,60}){0,20})[ \t]*:(?![=:])"
    r"(?![ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*[:+?!]{0,2}=)",
    re.MULTILINE,
)
_MOST_TARGET = 200  # characters
_CONSOLE = re.compile(r"""["']?\s*([A-Za-z0-9_.-]+)\s*=\s*([\w.]+:[\w.]+)""")
_Purpose = Literal["install", "run", "test", "build"]
_PURPOSES: dict[str, _Purpose] = {
    "test": "test", "tests": "test", "check": "test", "build": "build", "all": "build", "install": "install",
    "setup": "install", "run": "run", "start": "run", "dev": "run", "serve": "run", "demo": "run",
}  # fmt: skip
_FIXED: dict[str, tuple[tuple[str, _Purpose, str], ...]] = {  # what says so, purpose, command
    "setup.py": ((r"\bsetup\(", "install", "pip install -e ."),),
    "tox.ini": ((r"^\[(?:tox|testenv)\b", "test", "tox"),),
    "noxfile.py": ((r"\bnox\b", "test", "nox"),),
    "go.mod": ((r"^module\b", "build", "go build ./..."), (r"^module\b", "test", "go test ./...")),
    "cargo.toml": (
        (r"^\[(?:package|workspace)\]", "build", "cargo build"),
        (r"^\[(?:package|workspace)\]", "test", "cargo test"),
    ),
    "pom.xml": ((r"<project\b", "test", "mvn test"),),
    "build.gradle": ((r"\S", "test", "gradle test"),),
    "build.gradle.kts": ((r"\S", "test", "gradle test"),),
    "configure.ac": ((r"\bAC_INIT\b", "build", "autoreconf -i && ./configure && make"),),
    "cmakelists.txt": ((r"(?i)^\s*project\s*\(", "build", "cmake -B build && cmake --build build"),),
}
_MAIN_LANGUAGES = frozenset({"go", "rust", "java", "c", "cpp"})


def entry_points(
    files: Iterable[CodeFile], outlines: Mapping[str, Outline], texts: Mapping[str, str]
) -> tuple[EntryPoint, ...]:
    """From manifests (`texts` by path), main functions and `if __name__ == "__main__"`; tests, generated and vendored
    code left out."""
    found: list[EntryPoint] = []
    for file in files:
        if file.kind in ("manifest", "config") and file.path in texts:
            found.extend(_declared(file.path, texts[file.path]))
        elif file.kind == "source" and file.path in outlines:
            found.extend(_mains(file, outlines[file.path], texts.get(file.path, "")))
    return tuple(dict.fromkeys(found))


def tasks(files: Iterable[CodeFile], texts: Mapping[str, str]) -> tuple[Task, ...]:
    """Commands that manifests imply; those of the topmost manifest first."""
    paths = sorted((file.path for file in files if file.path in texts), key=lambda path: (path.count("/"), path))
    names = frozenset(file.path for file in files)
    return tuple(dict.fromkeys(task for path in paths for task in _implied(path, texts[path], names)))


def is_python_main(text: str) -> bool:
    """Whether the module does something when it is run as a script."""
    return _PYTHON_MAIN.search(text) is not None


def _line_of(text: str, pattern: str) -> int:
    found = re.compile(pattern, re.MULTILINE).search(text)
    return text.count("\n", 0, found.start() + len(found[0]) - len(found[0].lstrip())) + 1 if found else 0


def _declared(path: str, text: str) -> Iterator[EntryPoint]:
    name = posixpath.basename(path).lower()
    if name == "pyproject.toml":
        yield from _python_scripts(path, text)
    elif name == "setup.cfg":
        for section, option, value, line in ini_options(text):
            found = _CONSOLE.fullmatch(value)
            if found and section == "options.entry_points" and option in ("console_scripts", "gui_scripts"):
                yield EntryPoint(found[1], "console script", path, line, found[2])
    elif name == "setup.py":
        yield from _setup_scripts(path, text)
    elif name == "package.json":
        yield from _package_scripts(path, text)
    elif name == "cargo.toml":
        yield from _cargo_bins(path, text)
    elif name in ("makefile", "gnumakefile"):
        yield from (EntryPoint(target, "make target", path, line) for target, line in _make_targets(text))


def _setup_scripts(path: str, text: str) -> Iterator[EntryPoint]:
    """Only of a list that is written out; lines of comments are none of it."""
    bare = re.sub(r"^[ \t]*#.*$", "", text, flags=re.MULTILINE)
    at = bare.find("console_scripts")
    for found in _CONSOLE.finditer(bare[at : at + 2_000].split("]", 1)[0]) if at >= 0 else ():
        line = bare.count("\n", 0, at + found.start(1)) + 1
        yield EntryPoint(found[1], "console script", path, line, found[2])


def _make_targets(text: str) -> Iterator[tuple[str, int]]:
    """(target, line) of the rules, without variables of a target and what stands in a `define`; a rule may have several
    targets (`lint test: deps`)."""
    inside = False
    for number, line in enumerate(text.split("\n"), start=1):
        inside = line.startswith("define") or (inside and not line.startswith("endef"))
        if not inside and (found := _MAKE_TARGET.match(line)):
            yield from ((target, number) for target in found[1].split())


def _table(data: object, *keys: str) -> dict[str, object]:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def _toml(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _python_scripts(path: str, text: str) -> Iterator[EntryPoint]:
    data, lines = _toml(text), toml_lines(text)
    for keys in (("project", "scripts"), ("project", "gui-scripts"), ("tool", "poetry", "scripts")):
        for name, target in _table(data, *keys).items():
            if isinstance(target, str) and (line := line_of(lines, (*keys, name))):
                yield EntryPoint(name, "console script", path, line, target)


def _package_scripts(path: str, text: str) -> Iterator[EntryPoint]:
    data = loose_json(text)
    if not isinstance(data, dict):
        return
    lines = json_lines(text)
    bins = data.get("bin")
    if isinstance(bins, str):
        yield EntryPoint(str(data.get("name") or "bin"), "bin", path, line_of(lines, ("bin",)) or 1, bins)
    kinds: tuple[tuple[str, Literal["bin", "script"]], ...] = (("bin", "bin"), ("scripts", "script"))
    for key, kind in kinds:
        for name, target in _table(data, key).items():
            line = line_of(lines, (key, name))
            if line and isinstance(target, str):
                yield EntryPoint(name, kind, path, line, target[:_MOST_TARGET])


def _cargo_bins(path: str, text: str) -> Iterator[EntryPoint]:
    bins = _toml(text).get("bin")
    lines = toml_lines(text)
    for at, one in enumerate(bins if isinstance(bins, list) else ()):
        if isinstance(one, dict) and isinstance(one.get("name"), str):
            line = line_of(lines, ("bin", str(at), "name"))
            yield EntryPoint(one["name"], "bin", path, line or 1, str(one.get("path", "")))


def _mains(file: CodeFile, outline: Outline, text: str) -> Iterator[EntryPoint]:
    stem = posixpath.basename(file.path)
    if outline.language == "python":
        if found := _PYTHON_MAIN.search(text):
            kind: Literal["module", "main"] = "module" if stem == "__main__.py" else "main"
            yield EntryPoint(file.path, kind, file.path, text.count("\n", 0, found.start()) + 1)
        elif stem == "__main__.py":
            yield EntryPoint(posixpath.dirname(file.path) or file.path, "module", file.path, 1)
    elif outline.language in _MAIN_LANGUAGES and not file.path.endswith((".h", ".hpp")):
        for one in outline.symbols:
            # A nested main is no program's start, but Java has no other place for it.
            if (
                one.name == "main"
                and one.kind in ("function", "method")
                and (not one.owner or outline.language == "java")
            ):
                yield EntryPoint(file.path, "main", file.path, one.lines.start, one.signature)


def _implied(path: str, text: str, names: frozenset[str]) -> Iterator[Task]:
    folder, name = posixpath.split(path)
    name = name.lower()
    if name == "package.json":
        yield from _npm(path, text, folder, names)
    elif name in ("makefile", "gnumakefile"):
        for target, line in _make_targets(text):
            if purpose := _PURPOSES.get(target):
                yield Task(purpose, f"make {target}", path, line, target)
    elif name == "pyproject.toml":
        yield from _python_tasks(path, text)
    elif name.startswith("requirements") and name.endswith(".txt"):
        yield Task("install", f"pip install -r {posixpath.basename(path)}", path, 1)
    elif name not in ("cmakelists.txt", "configure.ac") or not folder:
        for pattern, purpose, command in _FIXED.get(name, ()):
            if line := _line_of(text, pattern):
                yield Task(purpose, command, path, line)


def _python_tasks(path: str, text: str) -> Iterator[Task]:
    lines = toml_lines(text)
    data = _toml(text)
    if line := next(
        (found for key in ("build-system", "project") if key in data and (found := line_of(lines, (key,)))), 0
    ):
        yield Task("install", "pip install -e .", path, line)
    if _table(data, "tool", "pytest") and (line := line_of(lines, ("tool", "pytest"))):
        yield Task("test", "pytest", path, line)
    for point in _python_scripts(path, text):
        yield Task("run", point.name, path, point.line, point.name)


def _npm(path: str, text: str, folder: str, names: frozenset[str]) -> Iterator[Task]:
    locks = (("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun"))
    tool = next((tool for lock, tool in locks if posixpath.join(folder, lock) in names or lock in names), "npm")
    yield Task("install", f"{tool} install", path, 1)
    for point in _package_scripts(path, text):
        if point.kind == "script" and (purpose := _PURPOSES.get(point.name)):
            yield Task(purpose, f"{tool} run {point.name}", path, point.line, point.name)
