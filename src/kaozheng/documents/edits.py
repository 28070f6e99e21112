"""Edits as data: replacements of characters by code, replacements of lines by a model, and why some are refused."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kaozheng.documents.span import LineRange, Span

_PREFIX = re.compile(r"\s*(\d+):(?: |$)")
_MIN_PREFIX_DIGITS = 4


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace the characters at `span` by `replacement`; an empty span inserts."""

    span: Span
    replacement: str


@dataclass(frozen=True, slots=True)
class LineReplacement:
    """Replace the lines start..end (1-based, inclusive) by `content`; empty content deletes them.

    Numbers are not checked here: they come from a model, and a bad one is refused with a reason, not an exception.
    """

    start: int
    end: int
    content: str
    reason: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A replacement that was not applied and, in one sentence, why."""

    replacement: LineReplacement
    why: str


@dataclass(frozen=True, slots=True)
class Applied:
    """The new text, and what became of each replacement, in the order given."""

    text: str
    accepted: tuple[LineReplacement, ...]
    refused: tuple[Refusal, ...]


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """Apply all edits at once; insertions at one place keep their order.

    Raises ValueError when edits overlap or end beyond the text.
    """
    parts: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if edit.span.start < position:
            raise ValueError(f"edits overlap at offset {edit.span.start}")
        if edit.span.end > len(text):
            raise ValueError(f"edit ends at {edit.span.end}, beyond the end of the text at {len(text)}")
        parts += (text[position : edit.span.start], edit.replacement)
        position = edit.span.end
    return "".join((*parts, text[position:]))


def apply_replacements(
    text: str, replacements: Sequence[LineReplacement], allowed: Sequence[LineRange] | None = None
) -> Applied:
    """Apply the replacements that can be applied, refuse the others with a reason.

    Of two that overlap the one given first wins. `allowed` restricts the lines that may change. The number of line
    ends at the end of the text is kept.
    """
    lines = _lines(text)
    accepted: list[LineReplacement] = []
    refused: list[Refusal] = []
    taken: list[LineReplacement] = []  # the accepted ones by line
    for replacement in replacements:
        why = objection(replacement, lines, allowed) or _collision(replacement, taken)
        if why:
            refused.append(Refusal(replacement, why))
        else:
            accepted.append(replacement)
            taken.insert(bisect_left(taken, replacement.start, key=lambda other: other.start), replacement)
    if not accepted:
        return Applied(text, (), tuple(refused))
    for replacement in reversed(taken):
        lines[replacement.start - 1 : replacement.end] = _content_lines(replacement.content)
    line_ends = len(text) - len(text.rstrip("\n"))
    return Applied("\n".join(lines).rstrip("\n") + "\n" * line_ends, tuple(accepted), tuple(refused))


def _lines(text: str) -> list[str]:
    """Lines as an editor counts them: the line end at the end of the text begins no further line."""
    return text.removesuffix("\n").split("\n")


def _content_lines(content: str) -> list[str]:
    """Lines of a replacement: one line end at its end is only the end of its last line."""
    return _lines(content.replace("\r\n", "\n").replace("\r", "\n")) if content else []


def objection(replacement: LineReplacement, lines: list[str], allowed: Sequence[LineRange] | None) -> str:
    """Why this replacement alone can't be applied to the lines of a text, or nothing; see `apply_replacements`."""
    start, end = replacement.start, replacement.end
    if start < 1:
        return f"The start line {start} is before line 1."
    if end < start:
        return f"The end line {end} is before the start line {start}."
    if end > len(lines):
        return f"The end line {end} is beyond the last line {len(lines)}."
    if allowed is not None and not any(part.start <= start and end <= part.end for part in allowed):
        permitted = ", ".join(str(part) for part in allowed) or "none"
        return f"Lines {start}-{end} are outside the lines that may change ({permitted})."
    content = _content_lines(replacement.content)
    original = lines[start - 1 : end]
    if content == original:
        return f"The content equals lines {start}-{end} as they are."
    if _has_line_numbers(content, original, start):
        return f"The content of lines {start}-{end} carries line numbers."
    return ""


def _has_line_numbers(content: list[str], original: list[str], start: int) -> bool:
    """Whether lines begin with their own numbers, as in the numbered view, and the original ones did not.

    One line with the zero-padded form of a number in range is enough; without padding all lines must count on.
    """
    found = [_PREFIX.match(line) for line in content]
    numbers = [int(match[1]) if match and len(match[1]) < 10 else -1 for match in found]
    last = start + max(len(content), len(original)) - 1
    written = {match[1] for match in map(_PREFIX.match, original) if match}
    for match, number in zip(found, numbers, strict=True):
        if match and start <= number <= last and len(match[1]) >= _MIN_PREFIX_DIGITS and match[1] not in written:
            return True
    counts_on = numbers == list(range(start, start + len(numbers)))
    return len(numbers) > 1 and counts_on and not written


def _collision(replacement: LineReplacement, taken: list[LineReplacement]) -> str:
    """With which accepted replacement this one overlaps, or nothing. `taken` is sorted and free of overlaps."""
    index = bisect_left(taken, replacement.start, key=lambda other: other.start)
    for other in taken[max(0, index - 1) : index + 1]:
        if other.start <= replacement.end and replacement.start <= other.end:
            rule = f" for rule {other.rule}" if other.rule else ""
            return f"It overlaps with the replacement of lines {other.start}-{other.end}{rule}, which came first."
    return ""
