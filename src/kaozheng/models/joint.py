"""Where a continuation really begins: it may say the end of what came before once more, or open its fence again.

A repeated end and a text that repeats itself look alike ("bo" + "ok" may be "book" or "bok"). So every overlap that is
possible is weighed: what it would cost to write the rest of the continuation at that place, measured by how often the
same letters follow one another in the text itself, and whether a table row would get a wrong number of cells. A long
overlap wins by this alone; a short one must be the likelier reading. See decision 14.
"""

from __future__ import annotations

import math
import re
from typing import Final

MOST_OVERLAP: Final = 400
"""Characters. A longer repetition is taken for text: no model repeats so much of the end by accident."""
_WHOLE_AGAIN: Final = 40  # a continuation that begins with the whole text, at least so long, starts over
_CONTEXT: Final = 8  # characters that are looked back to judge the next one
_AHEAD: Final = 12  # characters behind the longest overlap that are weighed as well
_NEAR: Final = 64  # an overlap shorter than the longest by more is out of the question
_NO_OVERLAP_ODDS: Final = 3.0  # most models do go on exactly; others repeat any number of characters
_ODD: Final = 8.0  # what a break with the form of Markdown or code costs, in nats
_SAMPLE: Final = 20_000  # characters of the text that teach which letters follow one another

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})([^`\n]*)$", re.MULTILINE)
_WIDE_GAP = re.compile(r"\S  [^\s|]")
_WORD_AFTER_SPACE = re.compile(r" [^\s|]")
_HEADING = re.compile(r"#{1,6} ")
_OPENING = re.compile(r"\s*?^ {0,3}(`{3,}|~{3,})([^`\n]*)\n", re.MULTILINE)


def joined(before: str, more: str) -> str:
    """`before` and what of `more` is new. Always begins with `before`."""
    if len(before) >= _WHOLE_AGAIN and more.startswith(before):
        return more
    more = _without_reopened_fence(before, more)
    return before + more[_overlap(before, more) :]


def open_fence(text: str) -> tuple[str, str] | None:
    """The fence that the text leaves open: its marks and its language."""
    fence: tuple[str, str] | None = None
    for found in _FENCE.finditer(text):
        marks, info = found.group(1), found.group(2).strip()
        if fence is None:
            fence = (marks, info)
        elif marks[0] == fence[0][0] and len(marks) >= len(fence[0]) and not info:
            fence = None
    return fence


def _without_reopened_fence(before: str, more: str) -> str:
    """Inside of code a new fence with a language can only be the old one opened again; one without a language may also
    close it, and which of both it is shows in whether all fences are closed at the end."""
    opened = _OPENING.match(more)
    last_line = before.rpartition("\n")[2]
    inside = open_fence(before[: len(before) - len(last_line)])
    if not opened or not inside or opened.group(1)[0] != inside[0][0] or _FENCE.fullmatch(last_line):
        return more
    if _overlap(before, more) > len(opened.group()):
        return more
    rest = more[opened.end() :]
    if opened.group(2).strip():
        return rest
    return rest if open_fence(before + "\n" + more) and not open_fence(before + rest) else more


def _overlap(before: str, more: str) -> int:
    """How many characters of `more` are the end of `before` said again."""
    possible = _possible(before, more)
    longest = possible[-1]
    near = [length for length in possible if longest - length <= _NEAR]
    if len(near) == 1:
        return longest
    follows = _Follows(before[-_SAMPLE:], more[:_SAMPLE])
    until = min(longest + _AHEAD, len(more))
    return min(near, key=lambda length: (_cost(before, more, length, until, follows), -length))


def _possible(before: str, more: str) -> list[int]:
    end = before[-MOST_OVERLAP:]
    return [n for n in range(min(len(end), len(more)) + 1) if end.endswith(more[:n])]


def _cost(before: str, more: str, length: int, until: int, follows: _Follows) -> float:
    """Nats: how unlikely `more` is when its first `length` characters are a repetition and the others are new."""
    text = before[-_CONTEXT:] + more[length:until]
    start = len(text) - (until - length)
    cost = sum(follows.cost(text[max(0, at - _CONTEXT) : at], text[at]) for at in range(start, len(text)))
    cost -= math.log(_NO_OVERLAP_ODDS) if length == 0 else 0.0
    return cost + _oddities(before, more[length:])


def _oddities(before: str, more: str) -> float:
    """What a writer of Markdown or code would not do at the joint, in nats."""
    above, _, left = before.rpartition("\n")
    right, ends, below = more.partition("\n")
    row, previous = left + right, above.rpartition("\n")[2]
    cost = 0.0
    if left.strip() and left[-1] == " " and _WORD_AFTER_SPACE.match(right) and not _WIDE_GAP.search(before[-_SAMPLE:]):
        cost += _ODD
    if ends and row.lstrip().startswith("|"):
        neighbours = [previous, below.partition("\n")[0]] if "\n" in below else [previous]
        cost += _ODD * sum(row.count("|") != line.count("|") for line in neighbours if line.lstrip().startswith("|"))
    if row.strip() and previous.strip():
        cost += _ODD * (_needs_blank(previous, row) and "\n" in before)
        cost += _indent_cost(before, previous, row)
    return cost


def _needs_blank(previous: str, row: str) -> bool:
    """Headings stand alone, and a table or heading ends with an empty line."""
    alone = _HEADING.match(row) or _HEADING.match(previous)
    return bool(alone) or (previous.startswith("|") and not row.startswith("|"))


def _indent_cost(before: str, previous: str, row: str) -> float:
    """Code is indented by steps that its other lines have, and deeper exactly where a block is opened."""
    depth, outer = len(row) - len(row.lstrip(" ")), len(previous) - len(previous.lstrip(" "))
    if not depth and not outer:
        return 0.0
    opens = previous.rstrip().endswith((":", "(", "[", "{"))
    cost = _ODD if opens and depth <= outer else 0.0
    cost += _ODD / 2 if depth > outer and not opens else 0.0
    known = re.search(rf"^ {{{depth}}}\S.*\n", before[-_SAMPLE:], re.MULTILINE) or depth == outer + 4
    return cost + (0.0 if known else _ODD / 2)


class _Follows:
    """How likely a character is after others, by what both texts hold: the longest known context decides."""

    def __init__(self, *texts: str) -> None:
        self._texts = texts
        self._counts: dict[str, int] = {}

    def cost(self, context: str, character: str) -> float:
        """Minus the logarithm of the chance. Each shorter context that has to be asked makes it less likely."""
        chance, weight = 0.0, 1.0
        for start in range(len(context) + 1):
            known = self._count(context[start:])
            if known:
                trust = known / (known + 1.0)
                chance += weight * trust * self._count(context[start:] + character) / known
                weight *= 1.0 - trust
        return -math.log(chance + weight * 1e-4 + 1e-9)

    def _count(self, text: str) -> int:
        """Overlapping finds do not matter: runs of one character are the same in all readings."""
        if text not in self._counts:
            total = sum(map(len, self._texts)) if not text else sum(one.count(text) for one in self._texts)
            self._counts[text] = total
        return self._counts[text]
