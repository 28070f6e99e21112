"""What `.gitignore` files leave out: the patterns of git, nested files and exceptions included.

Written here because it is small, and the library for it has another licence (decision 19). Tested against
`git check-ignore`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

_CLASSES = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "digit": "0-9", "lower": "a-z", "upper": "A-Z", "space": r"\s",
    "xdigit": "0-9a-fA-F", "punct": r"!-/:-@\[-`{-~", "blank": r" \t",
}  # fmt: skip

_STAR, _DEEP = "[^/]*", (".*", ".+", "(?:.*/)?")
_MOST_DEEP_STARS = 4


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """One line. It concerns paths below `base` ("" or ending in "/")."""

    base: str
    pattern: re.Pattern[str]
    negated: bool
    folders_only: bool


def parse_ignore(text: str, base: str = "") -> tuple[IgnoreRule, ...]:
    """The rules of one ignore file that lies in the folder `base` ("" is the root, else without a last slash)."""
    prefix = _bytewise(base.rstrip("/") + "/" if base else "")
    rules = (_rule(line, prefix) for line in _bytewise(text.removeprefix("\ufeff")).split("\n"))
    return tuple(rule for rule in rules if rule is not None)


def is_ignored(path: str, is_folder: bool, rules: tuple[IgnoreRule, ...]) -> bool:
    """Whether the last rule that fits leaves the path out. `rules` run from the root down. Folders above it are not
    asked: a walker that does not enter an ignored folder gives git's answer, as an exception cannot reach into it."""
    path = _bytewise(path)
    for rule in reversed(rules):
        if (
            (is_folder or not rule.folders_only)
            and path.startswith(rule.base)
            and rule.pattern.fullmatch(path, len(rule.base))
        ):
            return not rule.negated
    return False


def _bytewise(text: str) -> str:
    """One character for each byte, as git's `?` and `[…]` count them."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("latin-1")


def _rule(line: str, base: str) -> IgnoreRule | None:
    line = line.removesuffix("\r")
    while line.endswith(" ") and not line.endswith("\\ "):
        line = line[:-1]
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    line = line[negated:]
    folders_only = line.endswith("/")
    line = line.removesuffix("/")
    if not line or len(line) > 1_000:
        return None
    rooted = "/" in line
    translated = _translate(line.removeprefix("/"))
    if translated is None:
        return None
    try:
        pattern = re.compile(translated if rooted else f"(?:.*/)?{translated}", re.DOTALL)
    except re.error:
        return None
    return IgnoreRule(base, pattern, negated, folders_only)


def _translate(glob: str) -> str | None:
    """A regular expression for the glob; None for one that matches nothing (a bracket or a backslash left open).

    All stars but the last take the first place that fits and never go back for another, which is right for globs and
    keeps a hostile pattern (`*a*a*a*a*b`) from taking for ever.
    """
    if glob.count("**") > _MOST_DEEP_STARS:
        return None
    pieces: list[str] = []
    at = 0
    while at < len(glob):
        char = glob[at]
        if char == "*":
            piece, at = _stars(glob, at)
        elif char == "[":
            piece, at = _bracket(glob, at)
            if not piece:
                return None
        elif char == "\\":
            if at + 1 == len(glob):
                return None
            piece, at = re.escape(glob[at + 1]), at + 2
        else:
            piece, at = "[^/]" if char == "?" else re.escape(char), at + 1
        if not (piece == _STAR and pieces[-1:] == [_STAR]):
            pieces.append(piece)
    return "".join(_unhurried(pieces))


def _unhurried(pieces: list[str]) -> Iterator[str]:
    """Each star together with what follows up to the next one, as an atomic group where another star comes later."""
    stars = [place for place, piece in enumerate(pieces) if piece in (_STAR, *_DEEP)]
    yield from pieces[: stars[0] if stars else len(pieces)]
    for start, end in pairwise([*stars, len(pieces)]):
        inner = "".join(pieces[start + 1 : end])
        if pieces[start] == _STAR and inner and end < len(pieces):
            yield f"(?>[^/]*?{inner})"
        else:
            yield pieces[start] + inner


def _stars(glob: str, at: int) -> tuple[str, int]:
    end = at
    while end < len(glob) and glob[end] == "*":
        end += 1
    starts, stops = at == 0 or glob[at - 1] == "/", end == len(glob) or glob[end] == "/"
    if end - at < 2 or not (starts and stops):
        return _STAR, end
    if end == len(glob):
        return (_DEEP[0] if at == 0 else _DEEP[1]), end
    return _DEEP[2], end + 1


def _bracket(glob: str, at: int) -> tuple[str, int]:
    """A set of characters; ("", at) when it is never closed."""
    at += 1
    inverted = glob[at : at + 1] in ("!", "^")
    at += inverted
    parts: list[str] = []
    first = True
    while at < len(glob) and (first or glob[at] != "]"):
        first = False
        named = re.match(r"\[:(\w+):\]", glob[at:])
        if named and named[1] in _CLASSES:
            parts.append(_CLASSES[named[1]])
            at += named.end()
            continue
        at += glob[at] == "\\"
        low = glob[at : at + 1]
        at += 1
        if glob[at : at + 1] == "-" and glob[at + 1 : at + 2] not in ("]", ""):
            at += 1 + (glob[at + 1] == "\\")
            high = glob[at : at + 1]
            at += 1
            # A range that runs backwards still holds its first character.
            parts.append(f"{re.escape(low)}-{re.escape(high)}" if low <= high else re.escape(low))
        elif low:
            parts.append(re.escape(low))
    if at >= len(glob):
        return "", at
    inner = "".join(parts)
    if not inner:
        return ("[^/]" if inverted else "(?!)"), at + 1
    return f"(?!/)[{'^' if inverted else ''}{inner}]", at + 1
