"""Chapter 1: what the repository says of itself, which languages it is written in, under which licence."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator

from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.readme import readme_of, title_of, what_it_says
from kaozheng.roles.explorer.offline.speech import Speech
from kaozheng.roles.explorer.offline.terrain import Terrain, citable, located
from kaozheng.roles.explorer.overview import Remark
from kaozheng.roles.explorer.quoting import code, cut, table, words
from kaozheng.sources.code import CodeFile
from kaozheng.sources.code.imports import loose_json
from kaozheng.sources.code.manifest_lines import ini_options, json_lines, line_of, toml_lines

_LICENCE = re.compile(r"(?i)(?:licen[cs]e|copying|unlicense)(?:[.-][\w.-]+)?")
_JSON_KEYS: tuple[tuple[str, ...], ...] = (("description",),)
_TOML_KEYS: tuple[tuple[str, ...], ...] = (
    ("project", "description"),
    ("package", "description"),
    ("tool", "poetry", "description"),
)
_CFG_KEY = ("metadata", "description")
_MOST_POM = 2_000  # characters of a description in XML
_XML_TAG = re.compile(r"<!--|<(/?)([A-Za-z][\w.-]*)[^<>]*>")
_MOST_LOCATED = 12  # characters of a description that its line must hold; a string may run over several
_NOT_COUNTED = ("test", "sample", "settings", "generated", "vendored")
_STOPS = ("。", "！", "？", ".", "!", "?")
_MOST_CHARS = 420
_MOST_LANGUAGES = 12
_SHOWN = {"c": "C", "cpp": "C++", "c#": "C#", "css": "CSS", "html": "HTML", "php": "PHP", "sql": "SQL", "tsx": "TSX",
          "javascript": "JavaScript", "typescript": "TypeScript", "powershell": "PowerShell"}  # fmt: skip


def purpose(land: Terrain, speech: Speech) -> list[Remark]:
    """README, manifest, languages, licence; each statement quoted or counted."""
    said = [*_readme(land, speech), *_descriptions(land, speech)]
    counted = [*_languages(land, speech), *_others(land, speech)]
    if not said:
        said = [Remark("purpose", speech.say("purpose.silent"))]
    return [*said, *counted, *_licences(land, speech)]


def _readme(land: Terrain, speech: Speech) -> Iterator[Remark]:
    file = readme_of(land, speech.language)
    if not file:
        return
    if found := what_it_says(land, file, _names(land, file)):
        text = _quoting(speech, "purpose.readme", file.path, found.text)
        lines = found.lines
    else:
        title = title_of(land, file)
        if not title:
            return
        text = _quoting(speech, "purpose.readme_title", file.path, title.text)
        lines = title.lines
    if places := citable(file.path, lines):
        yield Remark("purpose", text, places)


def _quoting(speech: Speech, name: str, path: str, quoted: str) -> str:
    """A sentence that ends with what is quoted has no stop of its own where the quotation brings one."""
    told = speech.say(name, path=code(path), words=code(quoted))
    return told[:-1] if quoted.endswith(_STOPS) and told[-2:-1] == "`" else told


def _names(land: Terrain, readme: CodeFile) -> tuple[str, ...]:
    """What the project may call itself: the README's first heading, the name of the folder."""
    title = title_of(land, readme)
    heading = title.text if title else ""
    parts = [*re.split(r"[\s/:,-]", heading)[:1], *re.split(r"[+/]", land.repository.name)]
    return heading, land.repository.name, *parts


def _descriptions(land: Terrain, speech: Speech) -> Iterator[Remark]:
    """Of the manifests in the root, as their parsers read them: the line that holds it must hold its first words."""
    seen: set[str] = set()
    for file in land.repository.manifests:
        lines = land.lines(file.path)
        found = _described(file.path, "\n".join(lines))
        told = words(found[0]) if found else ""
        if not found or not told or told in seen:
            continue
        seen.add(told)
        where = located(lines[found[1] - 1 : found[1] + 4], told[:_MOST_LOCATED], found[1])
        shown, missing = cut(told, _MOST_CHARS)
        if where and (places := citable(file.path, where)):
            name = "purpose.manifest_cut" if missing else "purpose.manifest"
            yield Remark("purpose", _quoting(speech, name, file.path, shown), places)


def _described(path: str, text: str) -> tuple[str, int] | None:
    """(the description in a manifest, the line where it is given)."""
    name = path.lower()
    if name in ("package.json", "composer.json"):
        data, lines, keys = loose_json(text), json_lines(text), _JSON_KEYS
    elif name in ("pyproject.toml", "cargo.toml"):
        data, lines, keys = _toml(text), toml_lines(text), _TOML_KEYS
    elif name == "setup.cfg":
        given = ((value, line) for section, key, value, line in ini_options(text) if (section, key) == _CFG_KEY)
        return next(given, None)
    elif name == "pom.xml":
        return _pom_description(text)
    else:
        return None
    return next(((told, line_of(lines, one)) for one in keys if isinstance(told := _at(data, one), str)), None)


def _pom_description(text: str) -> tuple[str, int] | None:
    """That of the project itself, not of a part of it; comments hold none."""
    depth, at = 0, 0
    while tag := _XML_TAG.search(text, at):
        at = tag.end()
        if tag[0] == "<!--":
            closed = text.find("-->", at)
            at = closed if closed >= 0 else len(text)
            continue
        if tag[2] == "description" and not tag[1] and depth == 1:
            said = text[at : text.find("<", at)].strip() if "<" in text[at : at + _MOST_POM] else ""
            return (said, text.count("\n", 0, at) + 1) if said else None
        depth += 0 if tag[0].endswith("/>") else -1 if tag[1] else 1
    return None


def _at(data: object, keys: tuple[str, ...]) -> object:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _toml(text: str) -> object:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _languages(land: Terrain, speech: Speech) -> Iterator[Remark]:
    by_language: dict[str, list[CodeFile]] = defaultdict(list)
    for file in land.code:
        by_language[land.language(file)].append(file)
    if not by_language:
        yield Remark("purpose", speech.say("purpose.no_code"))
        return
    rows: list[tuple[str, ...]] = []
    places: list[str] = []
    ranked = sorted(by_language.items(), key=lambda pair: (-sum(file.lines for file in pair[1]), pair[0]))
    for language, files in ranked[:_MOST_LANGUAGES]:
        longest = min(files, key=lambda file: (-file.lines, file.path))
        place = land.whole(longest.path)
        places.extend(place)
        lines = sum(file.lines for file in files)
        rows.append((_SHOWN.get(language, language.capitalize()), str(len(files)), str(lines), *map(code, place)))
    rows = [row for row in rows if len(row) == 4]
    told = speech.count(len(land.code), "file"), speech.count(sum(file.lines for file in land.code), "line")
    yield Remark(
        "purpose", speech.say("purpose.languages", files=told[0], lines=told[1]), tuple(places[:1]), counted=True
    )
    if rows:
        yield Remark("purpose", table(speech.say("purpose.languages_head").split("|"), rows), tuple(places))


def _others(land: Terrain, speech: Speech) -> Iterator[Remark]:
    """What is not counted as the product's code, by kind, each with one file that shows it."""
    groups: Counter[str] = Counter()
    shown: dict[str, str] = {}
    special = {file.path: "settings" for file in land.settings} | {file.path: "sample" for file in land.samples}
    for file in land.repository.files:
        kind = special.get(file.path, file.kind)
        if kind in _NOT_COUNTED:
            groups[kind] += 1
            if kind not in shown and file.readable and land.whole(file.path):
                shown[kind] = file.path
    counted = [(kind, groups[kind]) for kind in _NOT_COUNTED if groups[kind]]
    parts = [speech.count(number, f"{kind}_file") for kind, number in counted]
    if parts:
        places = [place for path in shown.values() for place in land.whole(path)]
        name = "purpose.others" if land.code else "purpose.beside"
        yield Remark("purpose", speech.say(name, parts=speech.listing(parts)), tuple(places), counted=True)
    by_lines = [file for file in land.code if (outline := land.outline(file.path)) and outline.by == "lines"]
    if by_lines:
        told = speech.say("purpose.by_lines", files=speech.count(len(by_lines), "file"))
        yield Remark("purpose", told, land.whole(by_lines[0].path), counted=True)
    if number := land.repository.uncounted:
        yield Remark("purpose", speech.say("purpose.uncounted", files=speech.count(number, "file")), counted=True)


def _licences(land: Terrain, speech: Speech) -> Iterator[Remark]:
    found = [
        file
        for file in land.repository.files
        if file.readable and not posixpath.dirname(file.path) and _LICENCE.fullmatch(file.path) and not file.language
    ]
    for file in found[:4]:
        first = next(((at, line) for at, line in enumerate(land.lines(file.path), 1) if words(line)), None)
        if first and (places := citable(file.path, LineRange(first[0], first[0]))):
            shown, _ = cut(words(first[1]), 120)
            yield Remark("purpose", _quoting(speech, "purpose.licence", file.path, shown), places)
    if not found:
        yield Remark("purpose", speech.say("purpose.no_licence"))
