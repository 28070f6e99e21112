"""Headings of texts without Markdown, by numbers and signs: 第一章, 一、, （一）, 【标题】, 1., 2.3, （1）, = Title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kaozheng.sources.piece import Part, Piece, Title

_LIMIT = 30
_LATIN_LIMIT = 60  # as wide as 30 Han characters
_DIGITS = "一二三四五六七八九十百零〇两0-9０-９"
_END_MARKS = "。！？；：，、.!?;:,…"

# The order is the order of nesting: what stands earlier in this list is the outer heading.
_STYLES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("part", re.compile(rf"第[{_DIGITS}]+(?:部分|[编部篇卷])")),
    ("chapter", re.compile(rf"第[{_DIGITS}]+[章讲课回]")),
    ("section", re.compile(rf"第[{_DIGITS}]+节")),
    ("han", re.compile(r"[一二三四五六七八九十]{1,3}、\s*\S")),
    ("han-bracket", re.compile(r"[（(][一二三四五六七八九十]{1,3}[）)]\s*\S")),
    ("number", re.compile(r"\d{1,2}(?:[.、．]\s*(?=[^\d\s])|\s+(?=[A-Z\u4e00-\u9fff]))")),
    ("number-2", re.compile(r"\d{1,2}[.．]\d{1,2}[.、．]?\s*(?=[^\d.\s%])")),
    ("number-3", re.compile(r"\d{1,2}(?:[.．]\d{1,2}){2}[.、．]?\s*(?=[^\d.\s%])")),
    ("number-4", re.compile(r"\d{1,2}(?:[.．]\d{1,2}){3}[.、．]?\s*(?=[^\d.\s%])")),
    ("number-bracket", re.compile(r"[（(]\d{1,2}[）)]\s*[^\W\d]")),
)
_ORDER = [name for name, _ in _STYLES]
_FREE = (("bracketed", re.compile(r"【([^【】]{1,30})】$")), ("bold", re.compile(r"\*\*([^*]{1,30})\*\*[:：]?$")))
_STRONG = frozenset({"part", "chapter", "section", "han", "han-bracket", "bracketed"})
_SIGNS = {".adoc": re.compile(r"(={1,6})\s+(\S.*)"), ".org": re.compile(r"(\*{1,6})\s+(\S.*)")}
_UNDERLINE = re.compile(r"([=\-~^\"'`#*+])\1{2,}\s*$")


@dataclass(frozen=True, slots=True)
class Mark:
    """How a line reads as a heading: its style, which decides its level among the others, and its title."""

    style: str
    title: str

    @property
    def strong(self) -> bool:
        """Whether it is a heading even without a blank line below it."""
        return self.style in _STRONG


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paragraph that may be a heading (it has a mark), and its parts in case that it is none."""

    mark: Mark | None
    parts: tuple[Part, ...]


def mark_of(line: str) -> Mark | None:
    """How the line reads as a heading, or None. Too long, or ending like a sentence: None."""
    line = line.strip()
    for style, pattern in _FREE:
        if found := pattern.match(line):
            return Mark(style, found[1].strip())
    limit = _LATIN_LIMIT if line.isascii() else _LIMIT
    if not 1 < len(line) <= limit or line[-1] in _END_MARKS:
        return None
    return next((Mark(style, line) for style, pattern in _STYLES if pattern.match(line)), None)


def titled(candidates: Sequence[Candidate]) -> Iterator[Piece]:
    """The candidates as titles and parts. A title has something below it: text, or a deeper title. Lines of one style
    right below each other are no titles but a list (or a table of contents)."""
    styles = [item.mark.style if item.mark else "" for item in candidates]
    rank = _levels(filter(None, styles))
    heads = []
    for before, style, after in zip(["", *styles], styles, [*styles[1:], styles[-1] if styles else ""], strict=False):
        heads.append(bool(style) and style != before and (not after or rank[after] > rank[style]))
    found = _levels(style for style, head in zip(styles, heads, strict=True) if head)
    for item, head in zip(candidates, heads, strict=True):
        if head and item.mark:
            yield Title(found[item.mark.style], item.mark.title)
        else:
            yield from item.parts


def sign_mark_of(line: str, suffix: str) -> Title | None:
    """The title of an AsciiDoc or Org heading line, or None."""
    found = _SIGNS[suffix].match(line) if suffix in _SIGNS else None
    return Title(len(found[1]), found[2].strip()) if found else None


def underlined(line: str, below: str) -> str:
    """The sign that underlines `line` in reStructuredText, or "" when `below` is no underline of it."""
    found = _UNDERLINE.match(below)
    wide_enough = len(below.rstrip()) >= len(line.strip()) or not line.isascii()
    return found[1] if found and line.strip() and not _UNDERLINE.match(line) and wide_enough else ""


def is_rule(line: str) -> bool:
    """Whether the line is nothing but a run of one sign, as above and below titles in reStructuredText."""
    return bool(_UNDERLINE.match(line))


def _levels(styles: Iterable[str]) -> dict[str, int]:
    """The level of each style used in one text, from 1: the usual order of Chinese numbering, without gaps. A style
    without a number is outermost when it comes first, else innermost."""
    used = list(dict.fromkeys(styles))
    numbered = sorted((style for style in used if style in _ORDER), key=_ORDER.index)
    free = [style for style in used if style not in _ORDER]
    if used and used[0] in free:
        numbered, free = [free[0], *numbered], free[1:]
    return {style: min(level, 6) for level, style in enumerate([*numbered, *free], start=1)}
