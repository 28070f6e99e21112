"""Values that stand after telling names (`password`, `api_key`, `密码`), in whatever way they are given to them.

The text is gone through once, from name to name; what stands around a name is looked at within fixed lengths.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kaozheng.sources.code.bare_values import Bare, bare_value, block_value, value_below
from kaozheng.sources.code.secret_values import (
    MASK,
    blanked,
    is_harmless,
    is_mixed,
    is_placeholder,
    is_well_mixed,
    is_wording,
)

# Searched in lower case.
_NAME = re.compile(
    r"pass(?:word|wd|phrase|code)|pwd|secret(?:[_-]?(?:access[_-]?)?key|[_-]?salt)?|credentials?|token"
    r"|(?:api|access|private|signing|signature|encrypt(?:ion)?|aes|des|hmac|webhook|master|account|shared|auth|license"
    r"|jwt|cookie|session|service|deploy|app|admin|client|root|ssh|rsa|fernet)[ _.-]?key"
    r"|(?:_?auth|pass|pw|salt)(?![a-z])|(?<=-)key"
    r"|密码|口令|密钥|秘钥|令牌"
)
_TAIL = re.compile(r"(?i)(?:[_-]?(?:value|prod|dev|test|b64|base64|hash|v?\d{1,3}))?_?(?![A-Za-z0-9_-])")
_WEAK = re.compile(r"_?auth|salt|pw|(?!(?:api|access|private|secret)).*key")
_SHORT = frozenset({"auth", "_auth", "pass", "pw", "salt"})
_OPEN = r"(?:[rbuf]{1,2}|[@$L])?(?P<open>\\{0,3}(?:\"{3}|'{3}|[\"'`]))"
_CLOSED = r"(?:\\{0,3}[\"'`])?(?:\[\w{0,8}\])?\]?\*{0,2}"
_TYPE = r"(?::[ ]{0,2}&?'?[A-Za-z][A-Za-z0-9&'\[\]., |?<>]{0,40}(?==))?"
_ASSIGNED = re.compile(
    rf"(?i){_CLOSED}\s{{0,4}}{_TYPE}(?P<sign>[=!]==?|[:?+]?=|=>|:|：)\*{{0,2}}[ \t]{{0,80}}"
    rf"(?P<within>[(\\]\s{{0,200}})?{_OPEN}"
)
_LISTED = re.compile(rf"(?i)\\{{0,3}}[\"']\s{{0,4}},\s{{0,40}}{_OPEN}")
_CALLED = re.compile(rf"(?i)\(\s{{0,40}}{_OPEN}")
_ATTRIBUTE = re.compile(rf"(?i)[\"']\s{{1,4}}value\s?=\s?{_OPEN}")
_BESIDE = re.compile(rf"(?i)(?:[ \t]{{1,8}}(?:is|are|was|=)?[ \t]{{0,4}}|是|为)[ \t]{{0,4}}{_OPEN}")
_ELEMENT = re.compile(r"(?:[\"'][^<>\n]{0,200})?>\s{0,4}([^<>\n]{4,400})(?=</)")
_READ = re.compile(r"(?i)(?:getenv|environ\.get|\bget|setdefault|\benv|define|lookup\w*)\(\s{0,4}[\"']\Z")
_NEXT = re.compile(rf"(?i)[ \t]{{0,80}}(?:[+.\\][ \t]{{0,80}}\n?[ \t]{{0,80}})?{_OPEN}")
_NEXT_WITHIN = re.compile(rf"(?i)\s{{0,200}}(?:(?P<comma>,)|[+.])?\s{{0,200}}{_OPEN}")
_MOST_PARTS = 50
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-$"
_BODIES = {mark: re.compile(rf"(?:[^\\\n{mark}]|\\.){{0,4000}}+(?={mark})") for mark in "\"'`"}
_LONGEST = 4_000
_LEAST = 4

Spans = Iterator[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Name:
    """A telling name in a text: the whole identifier from `start`, and the end of the telling word with its tail."""

    start: int
    end: int
    identifier: str
    weak: bool
    option: bool


def without_named_values(text: str, bare: Bare) -> str:
    """The text with the values of telling names as `〔masked〕`. `bare`: how values without quotes are read there."""
    parts: list[str] = []
    done, at = 0, 0
    lowered = text.lower()
    if len(lowered) != len(text):  # some letters are two in lower case
        lowered = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
    while found := _NAME.search(lowered, at):
        at = found.end()
        name = _name(text, found)
        if name is None:
            continue
        for start, end in _values(text, name, bare):
            if start >= done and end > start:
                parts += (text[done:start], blanked(text[start:end]))
                done = at = end
    return "".join(parts) + text[done:] if parts else text


def _name(text: str, found: re.Match[str]) -> Name | None:
    tail = _TAIL.match(text, found.end())
    if tail is None or (found[0] in _SHORT and not _begins(text, found.start())):
        return None
    before = text[max(0, found.start() - 80) : found.start()]
    prefix = before[len(before.rstrip(_LETTERS)) :]
    identifier = prefix + text[found.start() : tail.end()]
    option = identifier.startswith("-") and not prefix.startswith("---")
    return Name(found.start() - len(prefix), tail.end(), identifier, bool(_WEAK.fullmatch(found[0])), option)


def _begins(text: str, at: int) -> bool:
    """Whether a word begins there: `DB_PASS`, `dbPass`, not `compass`."""
    before = text[at - 1 : at]
    return not before.isalpha() or (before.islower() and text[at].isupper())


def _values(text: str, name: Name, bare: Bare) -> Spans:
    """Where the values stand that this name is given."""
    at = name.end
    if given := _ASSIGNED.match(text, at):
        compared = given["sign"] in ("==", "===", "!=", "!==")
        yield from _literals(text, given, name, bare, _judge(name, bare, is_mixed if compared or name.weak else None))
    elif (
        given := _LISTED.match(text, at)
        or _ATTRIBUTE.match(text, at)
        or _CALLED.match(text, at)
        or _BESIDE.match(text, at)
    ):
        looks = None if not name.weak and _is_given(text, given, name) else is_well_mixed
        yield from _literals(text, given, name, bare, _judge(name, bare, looks))
    elif (given := _ELEMENT.match(text, at)) and not name.weak:
        if not is_harmless(given[1]) and not _names_itself(name.identifier, given[1]):
            yield given.span(1)
    elif span := block_value(text, at, bare) or value_below(text, at, bare):
        if not name.weak or is_well_mixed(text[slice(*span)].strip("\"' ")):
            yield span
    elif span := bare_value(text, name, bare):
        yield span


def _is_given(text: str, given: re.Match[str], name: Name) -> bool:
    """Whether a literal beside the name is its value for certain: `getenv("TOKEN", "…")`, `key="Password" value="…"`,
    `#define API_KEY "…"`, `"--password", "…"`."""
    if given.re is _ATTRIBUTE:
        return True
    if given.re is _CALLED:
        return False
    if given.re is _LISTED:
        return name.option or bool(_READ.search(text[max(0, name.start - 40) : name.start]))
    line = text[text.rfind("\n", max(0, name.start - 40), name.start) + 1 : name.start].lstrip()
    return name.option or line.startswith(("#define", "# define", "ENV", "login"))


def _judge(name: Name, bare: Bare, looks: Callable[[str], bool] | None) -> Callable[[str], bool]:
    """Whether a literal is a secret; `looks` where the way it is given says too little by itself."""

    def judge(value: str) -> bool:
        if len(value) < _LEAST or is_placeholder(value) or _names_itself(name.identifier, value):
            return False
        if not bare.environment and is_wording(value):
            return False
        return looks is None or looks(value)

    return judge


def _literals(text: str, given: re.Match[str], name: Name, bare: Bare, judge: Callable[[str], bool]) -> Spans:
    """The literal that opens there, and those that are joined to it."""
    within = bool(given.groupdict().get("within"))
    for _ in range(_MOST_PARTS):
        start = given.end("open")
        end = _close(text, start, given["open"])
        if end is None:
            rest = re.compile(r"[^\s\"'`]{4,4000}").match(text, start)
            if rest and is_well_mixed(rest[0]) and MASK not in rest[0]:
                yield rest.span()
            return
        spoken = given["open"] == "`" and " " in text[start:end] and not is_mixed(text[start:end])
        if not spoken and judge(text[start:end]):
            yield start, end
        following = (_NEXT_WITHIN if within else _NEXT).match(text, end + len(given["open"]))
        if following is None:
            return
        if within and following["comma"]:
            judge = _judge(name, bare, is_well_mixed)
        given = following


def _close(text: str, at: int, mark: str) -> int | None:
    """Where the literal ends: in its line, or anywhere near for three quotes."""
    if len(mark) == 1:
        found = _BODIES[mark].match(text, at)
        return found.end() if found else None
    end = text.find(mark, at, at + _LONGEST)
    newline = -1 if len(mark) == 3 and mark[0] != "\\" else text.find("\n", at, max(end, at))
    return None if end < 0 or newline >= 0 else end


def _names_itself(name: str, value: str) -> bool:
    """`TOKEN = "token"`, `password_hint: "Password-Hint"`: the value says no more than the name."""
    letters = [re.sub(r"[^a-z]", "", part.lower()) for part in (name, value)]
    return letters[1] in letters[0] and not re.search(r"\d", value) and value.isascii()
