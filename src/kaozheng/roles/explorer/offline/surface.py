"""What a running program asks of its surroundings and offers to them, where code says it in so many words: environment
variables with literal names, routes with literal paths, versions that manifests require."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.speech import Speech
from kaozheng.roles.explorer.offline.terrain import Terrain, citable
from kaozheng.roles.explorer.overview import Remark
from kaozheng.roles.explorer.quoting import code, table, words
from kaozheng.sources.code import MASK, CodeFile
from kaozheng.sources.code.imports import loose_json
from kaozheng.sources.code.manifest_lines import json_lines, line_of, toml_lines

_SCRIPTS = ("javascript", "typescript", "tsx")
_LITERAL = r"(?P<default>\"[^\"\\\n]{0,60}\"|'[^'\\\n]{0,60}'|-?\d[\d_.]{0,20}|True|False|None|true|false)"
_OR = rf"(?:\s*(?:\?\?|\|\|)\s*{_LITERAL}(?=\s*[;,)\n]|\s*$))?"
_ENVIRONMENT = {
    "python": r"\bos\.(?:environ\[|(?:environ\.get|getenv)\()[\"'](?P<name>\w+)[\"'](?!\]\s*=[^=])"
    rf"(?:\s*,\s*{_LITERAL}\s*\))?",
    "go": r"\bos\.(?:Getenv|LookupEnv)\(\"(?P<name>\w+)\"\)",
    "rust": r"\benv::var(?:_os)?\(\"(?P<name>\w+)\"\)",
    **dict.fromkeys(_SCRIPTS, rf"\bprocess\.env(?:\.(?P<name>\w+)|\[[\"'](?P<quoted>\w+)[\"']\])(?!\w|\s*=[^=]){_OR}"),
}
_PATH = r"[\"'](?P<path>/[^\"'\s]{0,120})[\"']"
_ROUTES = {
    "python": rf"^\s*@\w[\w.]*\.(?P<verb>get|post|put|delete|patch|route|websocket)\(\s*{_PATH}",
    "go": rf"\.(?P<verb>GET|POST|PUT|DELETE|PATCH|HandleFunc)\({_PATH},",
    **dict.fromkeys(_SCRIPTS, rf"^\s*\w+\.(?P<verb>get|post|put|delete|patch)\(\s*{_PATH}\s*,"),
}
_SERVING = {  # only files that import one of these declare routes
    "python": frozenset({"fastapi", "flask", "starlette", "sanic"}),
    "go": frozenset({"net/http", "github.com/gin-gonic/gin", "github.com/labstack/echo", "github.com/go-chi/chi"}),
    **dict.fromkeys(_SCRIPTS, frozenset({"express", "fastify", "@koa/router", "koa-router"})),
}
_COMMENT = re.compile(r"\s*(?:#|//|/?\*)")
_TRIPLE = re.compile(r"\"\"\"|'''")
_MOST_ROWS = 20
_LONGEST_LINE = 1_000  # characters
_VERSIONS = {
    "pyproject.toml": (
        ("Python", ("project", "requires-python")),
        ("Python", ("tool", "poetry", "dependencies", "python")),
    ),
    "Cargo.toml": (("Rust", ("package", "rust-version")),),
    "package.json": (("Node.js", ("engines", "node")),),
}


@dataclass(frozen=True, slots=True)
class _Row:
    """Cells of one row of a table and its place."""

    cells: tuple[str, ...]
    place: str


def surface(land: Terrain, speech: Speech) -> Iterator[Remark]:
    """Versions as items, variables and routes as tables; nothing where there are none."""
    heading = speech.say("usage.versions_heading")
    for name, version, path, line in _versions(land):
        if (said := words(version)) and (places := citable(path, LineRange(line, line))):
            text = speech.say("usage.version", path=code(path), name=name, version=code(said))
            yield Remark("usage", text, places, heading)
    yield from _table(speech, "variables", "variable", list(_variables(land)))
    yield from _table(speech, "routes", "route", list(_routes(land)))


def _table(speech: Speech, name: str, noun: str, rows: list[_Row]) -> Iterator[Remark]:
    if not rows:
        return
    heading = speech.say(f"usage.{name}_heading")
    shown = rows[:_MOST_ROWS]
    part = "_part" if len(shown) < len(rows) else ""
    told = speech.say(f"usage.{name}{part}", count=speech.count(len(rows), noun), shown=len(shown))
    yield Remark("usage", told, (rows[0].place,), heading, counted=True)
    body = [(*row.cells, code(row.place)) for row in shown]
    made = table(speech.say(f"usage.{name}_head").split("|"), body)
    yield Remark("usage", made, tuple(row.place for row in shown), heading)


def _variables(land: Terrain) -> Iterator[_Row]:
    """Each name once, where it is read first; with a default where one of the reads gives it."""
    found: dict[str, tuple[str, str]] = {}
    for file, number, match in _matches(land, _ENVIRONMENT, land.code):
        groups = match.groupdict()
        name = groups.get("name") or groups.get("quoted") or ""
        default = groups.get("default") or ""
        default = "" if MASK in default else default
        places = citable(file.path, LineRange(number, number))
        if words(name) and places and (name not in found or (default and not found[name][0])):
            found[name] = default, places[0]
    yield from (_Row((code(name), code(default)), place) for name, (default, place) in sorted(found.items()))


def _routes(land: Terrain) -> Iterator[_Row]:
    serving: dict[str, set[str]] = {}
    for edge in land.repository.edges:
        if not edge.inside:
            serving.setdefault(edge.source, set()).add(re.sub(r"/v\d+$", "", edge.target))
    files = tuple(file for file in land.code if _serves(land.language(file), serving.get(file.path, set())))
    for file, number, match in _matches(land, _ROUTES, files):
        places = citable(file.path, LineRange(number, number))
        if places and words(match["path"]) and MASK not in match["path"]:
            yield _Row((code(match["verb"]), code(match["path"])), places[0])


def _serves(language: str, targets: set[str]) -> bool:
    """Whether it imports what declares routes: `fastapi.routing` is of `fastapi`."""
    tops = targets | {target.partition(".")[0] for target in targets}
    return not _SERVING.get(language, frozenset()).isdisjoint(tops)


def _matches(
    land: Terrain, patterns: dict[str, str], files: tuple[CodeFile, ...]
) -> Iterator[tuple[CodeFile, int, re.Match[str]]]:
    """What the pattern of its language finds in each line of code; not in comments and strings of several lines."""
    read = {language: re.compile(pattern) for language, pattern in patterns.items()}
    for file in files:
        pattern = read.get(land.language(file))
        if pattern is None:
            continue
        inside = False
        for number, line in enumerate(land.lines(file.path), start=1):
            quotes = len(_TRIPLE.findall(line)) if file.language == "python" else 0
            if not inside and not quotes and len(line) <= _LONGEST_LINE and not _COMMENT.match(line):
                yield from ((file, number, match) for match in pattern.finditer(line))
            inside ^= quotes % 2 == 1


def _versions(land: Terrain) -> Iterator[tuple[str, str, str, int]]:
    """(language, required version, manifest, line) of the manifests in the root."""
    for file in land.repository.manifests:
        lines = land.lines(file.path)
        text = "\n".join(lines)
        if file.path == "go.mod":
            given = ((at, found[1]) for at, line in enumerate(lines, 1) if (found := re.match(r"go (\d\S*)$", line)))
            yield from (("Go", version, file.path, at) for at, version in given)
        for name, keys in _VERSIONS.get(file.path, ()):
            is_json = file.path.endswith(".json")
            data: object = loose_json(text) if is_json else _toml(text)
            for key in keys:
                data = data.get(key) if isinstance(data, dict) else None
            line = line_of(json_lines(text) if is_json else toml_lines(text), keys)
            if isinstance(data, str) and line:
                yield name, data, file.path, line


def _toml(text: str) -> object:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
