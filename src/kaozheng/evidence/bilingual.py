"""Lines that say the same in Chinese and then in English: their numbers must agree one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.document import Document
from kaozheng.evidence.facts import Fact
from kaozheng.evidence.folding import HAN, narrow
from kaozheng.evidence.numbers import Number, find_numbers
from kaozheng.sources.source import Source

_HAN = re.compile(f"[{HAN}]")
_NO_LATIN = re.compile("[^A-Za-z0-9]+")
_GAP = re.compile(r"[\s/|(（](?=\S)")
_WORD = re.compile(r"(?<![A-Za-z._-])[A-Za-z]{2,}(?![A-Za-z_-]|\.[A-Za-z])")


def twins(source: Source, document: Document) -> Iterator[tuple[Fact, Fact]]:
    """Pairs of facts that differ between the Chinese and the English half of one line of a source."""
    for prose in document.prose:
        at = 0
        for line in prose.masked.split("\n"):
            number = document.line_of(prose.offset(at))
            yield from _of_line(source.path, number, line)
            at += len(line) + 1


def _of_line(path: str, line: int, text: str) -> Iterator[tuple[Fact, Fact]]:
    halves = _halves(text)
    if halves is None:
        return
    chinese, english = halves
    first, second = _amounts(chinese), _amounts(english)
    if not first or len(first) != len(second):
        return
    pairs = list(zip(first, second, strict=True))
    if any(one.dimension != other.dimension for one, other in pairs):
        return
    wrong = [(one, other) for one, other in pairs if one.unit == other.unit and one.value != other.value]
    if len(wrong) * 2 > len(pairs) and len(pairs) > 1:
        return
    for one, other in wrong:
        subject = chinese[: one.span.start].strip(" *：:，,")
        yield (
            Fact(path, line, one, text.strip(), subject, (), ()),
            Fact(path, line, other, text.strip(), subject, (), ()),
        )


def _halves(text: str) -> tuple[str, str] | None:
    """The Chinese start and the English rest of a line; None when it is not made of two such halves."""
    plain = narrow(text)
    end = _border(plain)
    if end is None or len(_HAN.findall(plain, 0, end)) < 4 or len(_WORD.findall(plain[end:])) < 3:
        return None
    return text[:end], text[end:]


def _border(plain: str) -> int | None:
    """The end of the last gap that follows a Chinese character with no letter or digit between; None without one.

    One pass from left to right: a single expression for it tries every gap for every character.
    """
    found = None
    for run in _NO_LATIN.finditer(plain):
        han = _HAN.search(plain, run.start(), run.end())
        if han is not None:
            gaps = _GAP.finditer(plain, han.end(), min(run.end() + 1, len(plain)))
            found = max((gap.end() for gap in gaps), default=found)
    return found


def _amounts(text: str) -> list[Number]:
    """Measured amounts; bare numbers and counted nouns are named too differently in two languages."""
    return [number for number in find_numbers(text) if number.is_quantity and number.dimension not in ("", "count")]
