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
from kaozheng.sources.code.repository import EntryPoint, Task
from kaozheng.sources.code.symbol import Outline

_PYTHON_MAIN = re.compile(r"""^if\s+__name__\s*==\s*["']__main__["']""", re.MULTILINE)
_MAKE_TARGET = re.compile(r"^([A-Za-z0-9][A-Za-z0-9_./-]{0,60})\s*:(?![=:])", re.MULTILINE)
_CONSOLE = re.compile(r"""["']?\s*([A-Za-z0-9_.-]+)\s*=\s*([\w.]+:[\w.]+)""")
_Purpose = Literal["install", "run", "test", "build"]
_PURPOSES: dict[str, _Purpose] = {
    "test": "test", "tests": "test", "check": "test", "build": "build", "all": "build", "install": "install",
    "setup": "install", "run": "run", "start": "run", "dev": "run", "serve": "run", "demo": "run",
}  # fmt: skip
_FIXED: dict[str, tuple[tuple[str, _Purpose, str], ...]] = {  # what says so, purpose, command
    "setup.py": ((r"\bsetup\(", "install", "pip install -e ."),),
    "tox.ini": ((r"^\[tox\]", "test", "tox"),),
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


def _line_of(text: str, pattern: str, after: int = 0) -> int:
    found = re.compile(pattern, re.MULTILINE).search(text, after)
    return text.count("\n", 0, found.start() + len(found[0]) - len(found[0].lstrip())) + 1 if found else 0


def _declared(path: str, text: str) -> Iterator[EntryPoint]:
    name = posixpath.basename(path).lower()
    if name == "pyproject.toml":
        yield from _python_scripts(path, text)
    elif name in ("setup.cfg", "setup.py"):
        at = text.find("console_scripts")
        block = re.split(r"^\s*\]|^\[|^\S", text[at:], maxsplit=1, flags=re.MULTILINE)[0] if at >= 0 else ""
        if at >= 0:
            block = text[at : at + 2_000].split("]", 1)[0]
        for found in _CONSOLE.finditer(block):
            line = text.count("\n", 0, at + found.start(1)) + 1
            yield EntryPoint(found[1], "console script", path, line, found[2])
    elif name == "package.json":
        yield from _package_scripts(path, text)
    elif name == "cargo.toml":
        yield from _cargo_bins(path, text)
    elif name in ("makefile", "gnumakefile"):
        for found in _MAKE_TARGET.finditer(text):
            yield EntryPoint(found[1], "make target", path, text.count("\n", 0, found.start()) + 1)


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
    data = _toml(text)
    for keys in (("project", "scripts"), ("project", "gui-scripts"), ("tool", "poetry", "scripts")):
        at = max(0, text.find(f"[{'.'.join(keys)}]"))
        for name, target in _table(data, *keys).items():
            if isinstance(target, str) and (line := _line_of(text, rf'^[ \t]*["\']?{re.escape(name)}["\']?\s*=', at)):
                yield EntryPoint(name, "console script", path, line, target)


def _package_scripts(path: str, text: str) -> Iterator[EntryPoint]:
    data = loose_json(text)
    if not isinstance(data, dict):
        return
    bins = data.get("bin")
    if isinstance(bins, str):
        bins = {str(data.get("name") or "bin"): bins}
        yield from (EntryPoint(n, "bin", path, _line_of(text, r'"bin"\s*:') or 1, str(t)) for n, t in bins.items())
        bins = None
    for key, kind in (("bin", bins), ("scripts", data.get("scripts"))):
        at = max(0, text.find(f'"{key}"'))
        for name, target in kind.items() if isinstance(kind, dict) else ():
            line = _line_of(text, rf'"{re.escape(str(name))}"\s*:', at)
            if line and isinstance(target, str):
                yield EntryPoint(str(name), "bin" if key == "bin" else "script", path, line, target[:200])


def _cargo_bins(path: str, text: str) -> Iterator[EntryPoint]:
    bins = _toml(text).get("bin")
    at = 0
    for one in bins if isinstance(bins, list) else ():
        if isinstance(one, dict) and isinstance(one.get("name"), str):
            at = text.find("[[bin]]", at + 1 if at else 0)
            line = _line_of(text, rf'^\s*name\s*=\s*["\']{re.escape(one["name"])}["\']', max(0, at))
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
        for found in _MAKE_TARGET.finditer(text):
            if purpose := _PURPOSES.get(found[1]):
                yield Task(purpose, f"make {found[1]}", path, text.count("\n", 0, found.start()) + 1)
    elif name == "pyproject.toml":
        yield from _python_tasks(path, text)
    elif name.startswith("requirements") and name.endswith(".txt"):
        yield Task("install", f"pip install -r {posixpath.basename(path)}", path, 1)
    elif name not in ("cmakelists.txt", "configure.ac") or not folder:
        for pattern, purpose, command in _FIXED.get(name, ()):
            yield Task(purpose, command, path, _line_of(text, pattern) or 1)


def _python_tasks(path: str, text: str) -> Iterator[Task]:
    data = _toml(text)
    if line := _line_of(text, r"^\[(?:build-system|project)\]"):
        yield Task("install", "pip install -e .", path, line)
    if _table(data, "tool", "pytest") and (line := _line_of(text, r"^\[tool\.pytest")):
        yield Task("test", "pytest", path, line)
    for point in _python_scripts(path, text):
        yield Task("run", point.name, path, point.line)


def _npm(path: str, text: str, folder: str, names: frozenset[str]) -> Iterator[Task]:
    locks = (("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun"))
    tool = next((tool for lock, tool in locks if posixpath.join(folder, lock) in names or lock in names), "npm")
    yield Task("install", f"{tool} install", path, 1)
    for point in _package_scripts(path, text):
        if point.kind == "script" and (purpose := _PURPOSES.get(point.name)):
            yield Task(purpose, f"{tool} run {point.name}", path, point.line)
