"""Values without quotes behind a telling name: in settings, commands, prose and comments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol

from kaozheng.sources.code.secret_values import (
    MASK,
    is_code,
    is_harmless,
    is_long_mixed,
    is_mixed,
    is_well_mixed,
)

_ENV_NAME = re.compile(
    r"(?:.*\.)?env(?:\..*)?|.*\.(?:env|properties|tfvars|pem|key|netrc|npmrc|pypirc|ini|cfg|conf)|\.?(?:netrc|npmrc|pypirc|pgpass)|credentials|secrets?\.\w+"
)
_SETTINGS = frozenset(
    {".yml", ".yaml", ".toml", ".ini", ".cfg", ".conf", ".properties", ".env", ".sh", ".tf", ".tfvars", ".mk", ""}
)
_CODE = frozenset(
    {".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".go", ".rs", ".java", ".c", ".h", ".cc", ".cpp", 
     ".hpp", ".cs", ".rb", ".php", ".swift", ".kt", ".scala", ".vue", ".svelte",
     ".sql", ".lua", ".dart", ".m", ".ex", ".proto"}
)  # fmt: skip
_SIGN = re.compile(
    r"(?i)(?:\\{0,3}[\"'`])?\]?(?:\*\*|__)?(?:[ \t]{0,4}(?P<sign>[:?+]?=|[=!]==?|=>|:|：)(?:\*\*|__)?[ \t]{0,80}"
    r"|[ \t]{1,4}(?P<is>is|was|are)[: ][ \t]{0,4}|[ \t]{0,4}(?P<han>[是为])[：: ]?[ \t]{0,4}"
    r"|(?P<near>[ \t]{1,8}\|?[ \t]{0,4}))"
)
_TOKEN = re.compile(r"[^\s\"'`<>|，。；]{1,4000}+")
_SETTING = re.compile(r"[^\s\"']{1,4000}+")
_LINE = re.compile(r"[^\n]{1,4000}+")
_REMARK = re.compile(r"\s#")
_BLOCK = re.compile(r"[\"']?[ \t]{0,4}:[ \t]{0,4}[>|][+-]?\d?[ \t]{0,80}\n(?=[ \t])")
_BELOW = re.compile(r"[\"']?[ \t]{0,80}\n[ \t]{0,80}value[ \t]{0,4}:[ \t]{0,80}([\"']?)")
_COMMENT = re.compile(r"(?:^|\s)(?:#|//|/\*|\*|--|;)|\"\"\"|'''")
_FOLLOWED = re.compile(r",?[ \t]+[A-Za-z]")
_PATH = re.compile(r"(?:~|\.{0,2})/[\w.@-]*(?:/|\.\w|$)|/[a-z._-]*$")
_REST = re.compile(r"[^\s\"'`<>|]*+")
_LONGEST = 4_000
_MOST_BLOCK = 20
_JUDGED = 80  # of a longer value the beginning tells enough


class Named(Protocol):
    """A telling name and where it ends."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def identifier(self) -> str: ...
    @property
    def weak(self) -> bool: ...
    @property
    def option(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Bare:
    """How values without quotes are read in a file: as settings, as an environment, as code; else as prose."""

    settings: bool = False
    environment: bool = False
    code: bool = False
    spaced: bool = False

    @classmethod
    def of(cls, path: str) -> Bare:
        """By the name of the file."""
        name = PurePosixPath(path).name.lower()
        suffix = PurePosixPath(name).suffix
        environment = is_environment(path)
        return cls(is_settings_file(path), environment, suffix in _CODE, "netrc" in name)


def is_environment(path: str) -> bool:
    """Whether each line gives one name its value."""
    return bool(_ENV_NAME.fullmatch(PurePosixPath(path).name.lower()))


def is_settings_file(path: str) -> bool:
    """Whether values stand without quotes there."""
    name = PurePosixPath(path).name.lower()
    known = name.startswith(("dockerfile", "makefile", "containerfile"))
    return known or PurePosixPath(name).suffix in _SETTINGS or is_environment(path)


def block_value(text: str, at: int, bare: Bare) -> tuple[int, int] | None:
    """The lines of `password: >` in YAML."""
    begin = _BLOCK.match(text, at) if bare.settings else None
    if begin is None:
        return None
    end, indent = begin.end(), None
    for _ in range(_MOST_BLOCK):
        stop = text.find("\n", end)
        line = text[end : len(text) if stop < 0 else stop]
        depth = len(line) - len(line.lstrip())
        indent = depth if indent is None else indent
        if line.strip() and depth < max(indent, 1):
            break
        end = len(text) if stop < 0 else stop + 1
        if stop < 0:
            break
    value = text[begin.end() : end].strip()
    start = text.find(value, begin.end())
    return None if is_harmless(value) else (start, start + len(value))


def value_below(text: str, at: int, bare: Bare) -> tuple[int, int] | None:
    """The value of `- name: DB_PASSWORD` in the line below."""
    begin = _BELOW.match(text, at) if bare.settings else None
    value = _SETTING.match(text, begin.end()) if begin else None
    return None if value is None or len(value[0]) < 4 or is_harmless(value[0]) else value.span()


def bare_value(text: str, name: Named, bare: Bare) -> tuple[int, int] | None:
    """Where the value stands, if there is one."""
    sign = _SIGN.match(text, name.end)
    if sign is None:
        return None
    begin = text.rfind("\n", max(0, name.start - 400), name.start) + 1
    before = text[max(begin, name.start - 400) : name.start]
    if bare.settings and not name.weak and _is_setting(before, sign, name, bare):
        return _setting(text, sign.end(), bare)
    value = _TOKEN.match(text, sign.end())
    if value is None:
        return None
    start = value.start() + len(value[0]) - len(value[0].lstrip("*_("))
    if not _looks(_cut(text[start : min(value.end(), start + _JUDGED)], before), name, sign, bare, before):
        return None
    if len(value[0]) == _LONGEST:
        return start, _end_of_word(text, value.end())
    return start, start + len(_cut(text[start : value.end()], before))


def _end_of_word(text: str, at: int) -> int:
    """Asked only where a secret stands that is longer than any pattern reaches: nothing of it is looked at twice."""
    rest = _REST.match(text, at)
    return rest.end() if rest else at


def _looks(token: str, name: Named, sign: re.Match[str], bare: Bare, before: str) -> bool:
    """Whether it is a secret: the less the way says by which it is given, the more its own looks must say."""
    if is_harmless(token) or (sign["near"] and name.identifier.startswith("$")):
        return False
    if name.option and sign["sign"] == "=" and not name.weak:
        return len(token) >= 4 and not token.startswith("-")
    if bare.code and not name.option and is_code(token) and not _COMMENT.search(before):
        return False
    if name.weak:
        return is_mixed(token) if bare.settings and sign["sign"] else is_long_mixed(token)
    given = bool(sign["sign"] or sign["is"] or sign["han"]) or name.option
    if given and _is_password(name) and token.isdigit() and len(token) >= 6:
        return True
    if name.option and sign["near"] and not is_mixed(token):
        return len(token) >= 6 and token[0] not in "-[{(/" and not is_code(token + "(")
    followed = _FOLLOWED.match(sign.string, sign.end() + len(token))
    return is_mixed(token) if given and not followed else is_well_mixed(token)


def _is_password(name: Named) -> bool:
    return any(word in name.identifier.lower() for word in ("pass", "pwd", "密码", "口令"))


def _cut(token: str, before: str) -> str:
    """The value without what follows it in an address, a list or a sentence."""
    if before.endswith(("?", "&")):
        token = re.split(r"[&#]", token, maxsplit=1)[0]
    for mark in ";,&":
        head, found, rest = token.partition(mark)
        if found and (not rest or "=" in rest or ":" in rest):
            token = head
    return token.rstrip(".,;:!?)]}*_\\").removesuffix("\\n")


def _is_setting(before: str, sign: re.Match[str], name: Named, bare: Bare) -> bool:
    """`NAME=value` at the beginning of a line or of a command; `ENV NAME value`; `password value` in .netrc."""
    head = before.strip().lower()
    if sign["near"]:
        return head in ("env", "arg") or (bare.spaced and name.identifier == "password")
    if sign["sign"] not in ("=", ":", ":=", "?=", "+="):
        return False
    return (
        not head
        or head in ("export", "set", "env", "arg", "-", "declare", "local")
        or bare.environment
        or head[0] in "/@-"
    )


def _setting(text: str, at: int, bare: Bare) -> tuple[int, int] | None:
    found = (_LINE if bare.environment else _SETTING).match(text, at)
    if found is None:
        return None
    value = found[0]
    remark = _REMARK.search(value) if bare.environment else None
    value = (value[: remark.start()] if remark else value).rstrip()
    least = 3 if bare.environment else 4
    whole, value = value, value[:_JUDGED]
    if len(value) < least or value[0] in "\"'#" or MASK in value or is_harmless(value):
        return None
    if _FOLLOWED.match(text, found.end()) and value.isalpha():
        return None  # words of a sentence
    if _PATH.match(value) and not (value.count("/") == 1 and is_mixed(value[1:])):
        return None
    plain = value[0] in "[{(<$" or value[-1] in ",;)"
    if plain and not is_mixed(value.strip("[]{}()<>$,;")):
        return None
    end = _end_of_word(text, found.end()) if len(found[0]) == _LONGEST else at + len(whole)
    return (at, end) if bare.environment or not is_code(value) or value.isidentifier() else None
