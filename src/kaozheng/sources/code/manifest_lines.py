"""On which line of a JSON, TOML or INI text a value stands. Parsers say what the values are; the lines only locate.

Nothing here judges a text: of a broken one some lines are known, or none.
"""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator, Mapping

Keys = tuple[str, ...]
Lines = Mapping[Keys, int]
# What is never closed ends with the text: to try again behind each opening sign would take hours on a hostile file.
_JSON = re.compile(r'//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*"?|[{}\[\],:\n]', re.DOTALL)
_DEEPEST = 40  # levels of keys that are kept
_TOML_STRING = r"\"(?:[^\"\\]|\\.)*\"?|'[^']*'?"
_TOML_KEY = re.compile(rf"\s*({_TOML_STRING}|[\w-]+)\s*(\.?)")
_TOML_OPENING = re.compile(rf"(\"\"\"|''')|{_TOML_STRING}|#.*|([\[{{])|([\]}}])")
_ESCAPED = re.compile(r"\\(.)")
_INI_SECTION = re.compile(r"\[([^\]]+)\]")
_INI_OPTION = re.compile(r"([^\s=:;#\[][^=:]*?)\s*[=:]")


def line_of(lines: Lines, keys: Keys) -> int:
    """The line of these keys, or of the nearest value around them that has one of its own: an inline table stands in
    one line. 0 when even the first key stands nowhere."""
    for length in range(len(keys), 0, -1):
        if line := lines.get(keys[:length]):
            return line
    return 0


def json_lines(text: str) -> Lines:
    """The line of each key of a JSON text, comments and trailing commas or not; items of lists count as "0", "1"."""
    lines: dict[Keys, int] = {}
    path: list[str] = []
    lists: list[bool] = []
    last, number = "", 1
    for found in _JSON.finditer(text):
        sign = found[0]
        if sign[:1] == '"':
            last = _unescaped(sign[1:-1])
        elif sign == ":" and path and not lists[-1]:
            path[-1] = last
            if len(path) <= _DEEPEST:
                lines[tuple(path)] = number  # of a key that is there twice the last counts, to a parser too
        elif sign in ("{", "["):
            lists.append(sign == "[")
            path.append("0")
        elif sign in ("}", "]") and path:
            path.pop()
            lists.pop()
        elif sign == "," and path and lists[-1]:
            path[-1] = str(int(path[-1]) + 1)
        number += sign.count("\n")
    return lines


def toml_lines(text: str) -> Lines:
    """The line of each table and key of a TOML text, without those within inline tables; tables of a list count as "0",
    "1"."""
    lines: dict[Keys, int] = {}
    table: Keys = ()
    counted: dict[Keys, int] = {}
    for number, line in _toml_statements(text):
        stripped = line.strip()
        if stripped.startswith("[["):
            table, _ = _toml_keys(stripped[2:])
            counted[table] = counted.get(table, -1) + 1
            lines.setdefault(table, number)
            table = (*table, str(counted[table]))
            lines[table] = number
        elif stripped.startswith("["):
            keys, _ = _toml_keys(stripped[1:])
            table = _in_lists(keys, counted)
            for length in range(1, len(table) + 1):
                lines.setdefault(table[:length], number)
        else:
            keys, rest = _toml_keys(stripped)
            if keys and rest.startswith("="):
                for length in range(1, len(keys) + 1):
                    lines.setdefault((*table, *keys[:length]), number)
    return lines


def ini_options(text: str) -> Iterator[tuple[str, str, str, int]]:
    """(section, option, one line of its value, number of that line) of an INI text; nothing of a broken one. Comments
    are left out, as are options that the parser does not see."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    section = option = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.lstrip()[:1] in ("#", ";"):
            continue
        if found := _INI_SECTION.match(line):
            section, option = found[1], ""
            continue
        begun = _INI_OPTION.match(line) if not line[:1].isspace() else None
        value = line[begun.end() :].strip() if begun else line.strip()
        option = parser.optionxform(begun[1]) if begun else option
        if value and parser.has_option(section, option):
            yield section, option, value, number


def _toml_statements(text: str) -> Iterator[tuple[int, str]]:
    """(number, line) of the lines that begin a statement: not those within strings and brackets of several lines."""
    depth, quotes = 0, ""
    for number, line in enumerate(text.split("\n"), start=1):
        if not quotes and depth == 0 and line.strip() and not line.lstrip().startswith("#"):
            yield number, line
        at = 0
        while at < len(line):
            if quotes:
                end = line.find(quotes, at)
                if end < 0:
                    break
                at, quotes = end + 3, ""
                continue
            found = _TOML_OPENING.search(line, at)
            if not found:
                break
            at = found.end()
            quotes = found[1] or ""
            depth = max(0, depth + bool(found[2]) - bool(found[3]))


def _toml_keys(text: str) -> tuple[Keys, str]:
    """(the dotted keys that a text begins with, what follows them)."""
    keys: list[str] = []
    at = 0
    while (found := _TOML_KEY.match(text, at)) and len(keys) < _DEEPEST:
        name = found[1]
        keys.append(_unescaped(name[1:-1]) if name[0] == '"' else name.strip("'"))
        at = found.end()
        if not found[2]:
            break
    return tuple(keys), text[at:]


def _in_lists(keys: Keys, counted: Mapping[Keys, int]) -> Keys:
    """The keys of a table, with the number of each list that it lies in."""
    path: Keys = ()
    for key in keys:
        path = (*path, key)
        if path in counted:
            path = (*path, str(counted[path]))
    return path


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(r"\1", text)
