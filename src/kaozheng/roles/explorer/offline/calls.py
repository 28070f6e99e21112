"""Calls that stand in the code of a Python function, as far as its words tell whose name is called.

A call counts when a name with a bracket behind it is a function or class of the same file, or one that an import
statement of the file takes by name from a file of the repository. Names that the function binds itself, names that are
renamed at their import, and methods of objects do not count: whose they are the words do not tell.
"""

from __future__ import annotations

import io
import re
import textwrap
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from kaozheng.roles.explorer.offline.terrain import Terrain
from kaozheng.sources.code import Symbol

_CALLED = ("function", "class")
Token = tokenize.TokenInfo
_LONGEST = 2_000  # lines of a function that are read


@dataclass(frozen=True, slots=True)
class Call:
    """`target` is called in this line of the caller's file."""

    line: int
    target: Symbol


def calls_of(land: Terrain, function: Symbol) -> list[Call]:
    """The first call of each function or class, in the order of the lines; none for other languages."""
    outline = land.outline(function.path)
    if outline is None or outline.language != "python" or outline.by != "grammar":
        return []
    known = _known(land, function)
    found: dict[Symbol, int] = {}
    for line, name in _called(land, function):
        if (target := known.get(name)) and target != function:
            found.setdefault(target, line)
    return [Call(line, target) for target, line in found.items()]


def _known(land: Terrain, function: Symbol) -> dict[str, Symbol]:
    """Functions and classes by the names that they have in the file."""
    outline = land.outline(function.path)
    own = {one.name: one for one in outline.symbols if _is_called(one)} if outline else {}
    by_line: dict[int, list[str]] = {}
    for edge in land.outgoing.get(function.path, ()):
        by_line.setdefault(edge.line, []).append(edge.target)
    text = "\n".join(land.lines(function.path))
    taken: dict[str, Symbol] = {}
    for raw in outline.imports if outline else ():
        for name in raw.names:
            if re.search(rf"\b{re.escape(name)}\s+as\b", text):
                continue
            for path in by_line.get(raw.line, ()):
                there = land.outline(path)
                fits = [one for one in there.symbols if one.name == name and _is_called(one)] if there else []
                if fits:
                    taken.setdefault(name, fits[0])
    return own | taken


def _is_called(symbol: Symbol) -> bool:
    return symbol.kind in _CALLED and not symbol.owner


def _called(land: Terrain, function: Symbol) -> list[tuple[int, str]]:
    """(line, name) of each name with a bracket behind it, without those that the function binds."""
    start, end = function.lines.start, min(function.lines.end, function.lines.start + _LONGEST)
    code = textwrap.dedent("\n".join(land.lines(function.path)[start - 1 : end]) + "\n")
    try:
        tokens = [one for one in tokenize.generate_tokens(io.StringIO(code).readline) if one.string.strip()]
    except (tokenize.TokenError, SyntaxError):  # cut, or no Python that we know
        return []
    tokens = [one for one in tokens if one.type != tokenize.COMMENT]
    head, body = _parted(tokens)
    body = _without_inner(body)
    bound = _parameters(head) | _assigned(body)
    return [
        (start + name.start[0] - 1, name.string)
        for before, name, after in zip([*head[-1:], *body], body, body[1:], strict=False)
        if _is_call(before, name, after) and name.string not in bound
    ]


def _is_call(before: Token, name: Token, after: Token) -> bool:
    """A bracket in the next line opens another statement."""
    return name.type == tokenize.NAME and after.string == "(" and after.start[0] == name.end[0] and before.string != "."


def _parted(tokens: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    """(from `def` to its colon, the body); decorators are neither."""
    begin = next((at for at, one in enumerate(tokens) if one.string == "def"), len(tokens))
    depth = 0
    for at in range(begin, len(tokens)):
        depth += _step(tokens[at])
        if tokens[at].string == ":" and depth == 0:
            return list(tokens[begin : at + 1]), list(tokens[at + 1 :])
    return [], []


def _without_inner(body: Sequence[Token]) -> list[Token]:
    """Without functions and classes inside: what they call is called by them."""
    kept: list[Token] = []
    inner = -1  # the column of the definition that is passed over
    row = 0
    for one in body:
        first, row = one.start[0] > row, one.end[0]
        if inner >= 0 and not (first and one.start[1] <= inner):
            continue
        inner = one.start[1] if first and one.string in ("def", "class", "async") else -1
        if inner >= 0 and one.string == "async":
            inner = one.start[1] if "def " in one.line.partition("async")[2][:6] else -1
        if inner < 0:
            kept.append(one)
    return kept


def _parameters(head: Sequence[Token]) -> frozenset[str]:
    depth, names = 0, set()
    for before, one in pairwise(head):
        depth += _step(one)
        if one.type == tokenize.NAME and depth == 1 and before.string in ("(", ",", "*", "**"):
            names.add(one.string)
    return frozenset(names)


def _assigned(body: Sequence[Token]) -> frozenset[str]:
    """Names that the body binds: by `=`, `:=`, `for`, `as`, `del`, `global`, alone or as one of several."""
    depth, names = 0, set()
    in_import, row = False, 0
    for before, one, after in zip([*body[:1], *body], body, body[1:], strict=False):
        if one.start[0] > row and depth == 0:
            in_import = one.string in ("from", "import")
        row = one.end[0]
        depth += _step(one)
        if one.type != tokenize.NAME:
            continue
        by_sign = after.string == ":=" or (depth == 0 and after.string in ("=", ":"))
        by_word = before.string in ("for", "as", "del", "global", "nonlocal")
        among = depth == 0 and not in_import and "," in (before.string, after.string)
        if by_sign or by_word or among:
            names.add(one.string)
    return frozenset(names)


def _step(token: Token) -> int:
    """How a sign changes the depth of brackets."""
    return (token.string in ("(", "[", "{")) - (token.string in (")", "]", "}"))
