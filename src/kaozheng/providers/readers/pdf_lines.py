"""From the lines of a PDF page to the paragraphs that they were before they were set."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kaozheng.providers.readers.pdf_words import Line

_END = re.compile(r"[。！？；：.!?;:…][”’\"')）】」』]*$")
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u3000-\u303f\u2014\u2018-\u201d\u2026]")
_HYPHEN = re.compile(r"[a-z]{2}[-\u00ad\u2010]$")
_MARK = re.compile(
    r"(?:[•●▪◦‣·■□○➢✓]|[-–—*]\s|\(?\d{1,3}[.)、]\s?|[（(][一二三四五六七八九十\d]{1,3}[)）]|[一二三四五六七八九十]{1,3}、|第[一二三四五六七八九十百\d]{1,4}[章节条])"
)
_PAGE_NUMBER = re.compile(
    r"(?:第\s*)?[-–—]?\s*\d{1,4}\s*[-–—]?(?:\s*页)?(?:\s*(?:[/／]|of|共|，共)\s*\d{1,4}\s*页?)?|page\s+\d{1,4}(?:\s+of\s+\d{1,4})?|[ivxlc]{1,6}",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_EDGE = 2  # lines at the top and the bottom of a page that may be running heads
_OFTEN = 3  # pages


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that belong together. `full`: its last line reaches to the right edge. `is_table`: Markdown already."""

    text: str
    size: float
    full: bool
    indented: bool
    is_table: bool = False

    def goes_on_in(self, other: Paragraph) -> bool:
        """Whether `other`, the first of the next page, is the rest of this one."""
        if _MARK.match(other.text) or other.is_table:
            return False
        return self.full and not _END.search(self.text) and not other.indented and self.size == other.size

    def glue(self, other: Paragraph) -> str:
        """What stands between the two texts when they are joined."""
        return _glue(self.text, other.text)


def without_running_lines(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages without page numbers, and without lines at their edges that most pages have at the same height, digits
    apart. A number that stands in one page only may be the last row of a table."""
    edges = [{*_edge(lines)} for lines in pages]
    seen: dict[tuple[str, int], list[str]] = {}
    for edge in edges:
        for key, text in {_key(line): line.text for line in edge}.items():
            seen.setdefault(key, []).append(text)
    filled = sum(bool(edge) for edge in edges)
    gone = {key for key, texts in seen.items() if _is_running(key[0], texts, filled)}
    return [
        [line for line in lines if line not in edge or _key(line) not in gone]
        for lines, edge in zip(pages, edges, strict=True)
    ]


def _is_running(key: str, texts: list[str], filled: int) -> bool:
    """Whether lines of one height that differ in digits only are of the page and not of the text: a page number, what
    half of the pages have, or what has another number on each page (`Chapter 2, 17`)."""
    if _PAGE_NUMBER.fullmatch(key):
        return len(texts) >= _OFTEN - 1
    return len(texts) >= _OFTEN and (len(texts) * 2 >= filled or len(set(texts)) == len(texts))


def _edge(lines: Sequence[Line]) -> list[Line]:
    by_height = sorted((line for line in lines if not line.is_table), key=lambda line: -line.base)
    return [*by_height[:_EDGE], *by_height[-_EDGE:]] if len(by_height) > 1 else []


def _key(line: Line) -> tuple[str, int]:
    return _DIGITS.sub("0", line.text), round(line.base / 4)


def paragraphs_of(lines: Sequence[Line]) -> Iterator[Paragraph]:
    """The paragraphs of a page. A new one begins where the size changes, after a gap, with an indent, with the mark of
    an item, and after a line that ends before the right edge."""
    group: list[Line] = []
    gap = _usual_gap(lines)
    edges = _edges(lines)
    for line in lines:
        if group and _begins(group, line, gap, edges):
            yield _joined(group, edges)
            group = []
        group.append(line)
    if group:
        yield _joined(group, edges)


def _begins(group: list[Line], line: Line, gap: float, edges: dict[float, float]) -> bool:
    last = group[-1]
    if last.is_table or line.is_table:
        return True
    down = last.end - line.base
    if last.is_row or line.is_row:
        return not (last.is_row and line.is_row and 0 < down < 3 * line.size)
    if line.size != last.size or down > max(gap * 1.4, line.size * 1.3) or _MARK.match(line.text):
        return True
    if not _is_full(last, edges):
        return True
    # In the first line of a group the indent is its own; a hanging one goes the other way.
    body_left = group[1].left if len(group) > 1 else min(last.left, line.left)
    return line.left > body_left + line.size and down > 0 and bool(_END.search(last.text))


def _usual_gap(lines: Sequence[Line]) -> float:
    gaps = Counter(
        round(above.end - below.base)
        for above, below in pairwise(lines)
        if 0 < above.end - below.base < 2.5 * above.size
    )
    return float(min((gap for gap, count in gaps.items() if count * 3 >= gaps.total()), default=0))


def _edges(lines: Sequence[Line]) -> dict[float, float]:
    """From the sizes of letters to the right edge of the text in that size."""
    edges: dict[float, float] = {}
    for line in lines:
        if line.is_table:
            continue
        edges[line.size] = max(edges.get(line.size, 0.0), line.right)
    return edges


def _is_full(line: Line, edges: dict[float, float]) -> bool:
    """Whether there was no room for another word in its column."""
    room = edges[line.size] - line.right
    if _WIDE.search(line.text[-1]):
        return room < 2.5 * line.size
    return room < 0.3 * (edges[line.size] - line.left) and room < 9 * line.size


def _joined(lines: list[Line], edges: dict[float, float]) -> Paragraph:
    text = lines[0].text
    if lines[0].is_table:
        return Paragraph(text, lines[0].size, False, False, is_table=True)
    if lines[0].is_row:
        return Paragraph("\n".join(line.text for line in lines), lines[-1].size, False, False)
    for line in lines[1:]:
        if _HYPHEN.search(text) and line.text[:1].islower():
            text = text[:-1] + line.text
        else:
            text += _glue(text, line.text) + line.text
    indented = len(lines) > 1 and lines[0].left > lines[1].left + lines[0].size
    return Paragraph(text, lines[-1].size, len(lines[-1].text) > 8 and _is_full(lines[-1], edges), indented)


def _glue(before: str, after: str) -> str:
    """A blank between two words, none between Han characters."""
    return "" if _WIDE.search(before[-1:]) or _WIDE.search(after[:1]) else " "
