"""Lines that say the same in Chinese and then in English: their numbers must agree one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kaozheng.documents.document import Document
from kaozheng.evidence.facts import Fact
from kaozheng.evidence.folding import HAN, narrow
from kaozheng.evidence.numbers import Number, find_numbers
from kaozheng.sources.source import Source

_LAST_HAN = re.compile(rf".*[{HAN}][^A-Za-z0-9]*[\s/|(（](?=[^\s])", re.DOTALL)
_LONGEST: Final = 2_000
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
    if len(text) > _LONGEST:  # no pair of sentences; to look for one takes quadratic time
        return None
    plain = narrow(text)
    chinese = _LAST_HAN.match(plain)
    if chinese is None:
        return None
    rest = plain[chinese.end() :]
    if len(re.findall(f"[{HAN}]", chinese[0])) < 4 or len(_WORD.findall(rest)) < 3:
        return None
    return text[: chinese.end()], text[chinese.end() :]


def _amounts(text: str) -> list[Number]:
    """Measured amounts; bare numbers and counted nouns are named too differently in two languages."""
    return [number for number in find_numbers(text) if number.is_quantity and number.dimension not in ("", "count")]
