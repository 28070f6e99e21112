"""What of a growing answer may be shown already: whole pieces, each mark whole, nothing behind an unknown mark.

A piece ends where a Markdown block ends or, within a paragraph or a list line, a sentence; tables, code and math are
one piece each. It is shown when the beginning of the next one has been seen: until then a mark behind the full stop, or
another row, may belong to it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from kaozheng.evidence.citations import held_back, marks_of, normalised
from kaozheng.evidence.pictures import without_pictures

_FENCE = re.compile(r"[ \t>]*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?P<mark>`{3,}|~{3,}|\$\$)")
_TABLE = re.compile(r"[ \t>]*\|")
_STOP = re.compile(r"[。！？；…]+|[.!?;]+(?=\s)")
# Every stop and every end of a line: no piece ends in a text that has none of them.
_MAY_END = re.compile(r"[。！？；….!?;\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_BEHIND = re.compile(r"(?:\s*[\[【〔［(（^][^\[\]【】〔〕［］()（）\n]{1,63}[\]】〕］)）]|[\"'”’」』）)*_。！？…])*")
_MAY_BELONG: Final = frozenset("[【〔［(（^*_`\"'”’」』）)，,、：:")


class Segmenter:
    """Takes an answer as it comes and gives out what may be shown. `known` are the labels of the evidence, None where
    nothing is cited (small talk). What was given out, joined, is the beginning of the whole text with its marks
    `normalised` and `without_pictures`; when a model begins anew with other words nothing more comes, and the end has
    to replace what was shown."""

    def __init__(self, known: Collection[str] | None) -> None:
        self._known = None if known is None else frozenset(known)
        self._open = ""  # what has come and belongs to no finished piece
        self._said = ""  # the finished pieces of this attempt
        self._shown = ""
        self._stopped = False

    def feed(self, piece: str) -> str:
        """What may be shown now that this piece has come; mostly ""."""
        self._open += piece
        if self._stopped or not _MAY_END.search(self._open):
            return ""
        end = _border(self._open, len(self._open) - held_back(self._open))
        if end and (unknown := self._first_unknown(end)) is not None:
            # The pieces before it are good; of what comes after nothing is shown before the whole was looked at.
            self._stopped = True
            end = _border(self._open[:unknown], unknown)
        if not end:
            return ""
        self._said += without_pictures(normalised(self._open[:end]))
        self._open = self._open[end:]
        return self._new()

    def restart(self) -> None:
        """The model begins anew: what it says again is not shown twice."""
        self._open = self._said = ""

    def _new(self) -> str:
        if len(self._said) <= len(self._shown):
            return ""
        if not self._said.startswith(self._shown):
            self._stopped = True
            return ""
        new, self._shown = self._said[len(self._shown) :], self._said
        return new

    def _first_unknown(self, end: int) -> int | None:
        if self._known is None:
            return None
        marks = marks_of(self._open[:end])
        return next((one.span.start for one in marks if not one.labels or not self._known.issuperset(one.labels)), None)


def _border(text: str, end: int) -> int:
    """The last place, at or before `end`, where a piece ends and the beginning of the next one has been seen."""
    best, fence, in_table = 0, "", False
    for at, line, is_whole in _lines(text):
        if at > end:
            break
        if fence:
            fence = "" if is_whole and _closes(line, fence) else fence
            in_table = False
            continue
        if not line.strip():
            in_table = False
            continue
        is_table = bool(_TABLE.match(line))
        if not (in_table and is_table) and not _may_be_table(line, in_table, is_whole):
            best = at
        in_table = is_table
        if opened := _FENCE.match(line):
            fence = opened["mark"] if not _closed_in_line(line, opened) else ""
        elif not is_table:
            best = max([best, *(at + place for place in _sentence_ends(line) if at + place <= end)])
    return best


def _lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Where each line begins, the line, and whether its end has been seen."""
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, line, line.endswith("\n")
        at += len(line)


def _may_be_table(line: str, in_table: bool, is_whole: bool) -> bool:
    """Behind a table, blanks alone do not say yet whether another row comes."""
    return in_table and not is_whole and not line.strip(" \t>")


def _closes(line: str, fence: str) -> bool:
    plain = line.strip(" \t>\r\n")
    if fence == "$$":
        return plain.endswith("$$")
    return len(plain) >= len(fence) and not plain.strip(fence[0])


def _closed_in_line(line: str, opened: re.Match[str]) -> bool:
    rest = line[opened.end() :]
    return opened["mark"] in rest if opened["mark"] == "$$" else "`" in rest and opened["mark"][0] == "`"


def _sentence_ends(line: str) -> Iterator[int]:
    """Where a sentence ends with all that may belong to it, code, links and emphasis being whole before that place."""
    for found in _STOP.finditer(line):
        behind = _BEHIND.match(line, found.end())
        place = behind.end() if behind else found.end()
        rest = line[place:].lstrip()
        if rest and rest[0] not in _MAY_BELONG and _is_whole(line[:place]):
            yield place


def _is_whole(text: str) -> bool:
    return not (text.count("`") % 2 or text.count("**") % 2 or text.rfind("[") > text.rfind("]"))
