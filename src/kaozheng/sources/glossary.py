"""Glossaries inside of documents: 术语表, 名词解释, 缩略语, glossary, abbreviations. They are read by the term,
and kept out of the flow of the document, where they would be neighbours of everything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kaozheng.documents.span import Span
from kaozheng.sources.piece import Part, Piece, Title

_HAN_NUMBER = "一二三四五六七八九十百"
_NUMBERED = re.compile(
    rf"\s*(?:(?:附录|附件|附表|附|(?i:appendix|annex))\s*[A-Za-z0-9{_HAN_NUMBER}]{{0,3}}\s*[:：.、—–-]*\s*|第[{_HAN_NUMBER}\d]+[章节部分]+\s*|"
    rf"[（(]?[{_HAN_NUMBER}]{{1,3}}[)）、]\s*|\d{{1,2}}(?:\.\d{{1,2}})*[.、)）]?\s+|\d{{1,2}}[.、]\s*)"
)
_BEHIND = re.compile(r"\s*[（(][^（）()]{1,40}[)）]\s*$|\s*[:：]\s*$")
_WORD = "术语|名词|缩略[语词]|缩写词?|简称|词汇"
_MORE = f"{_WORD}|定义|符号|解释|释义|说明|对照|注释|一览|清单|汇编|略语"
_CHINESE = re.compile(
    rf"(?:主要|常用|有关|相关|专业|专有|部分|重要|本?报告|文[中内]|本文|行业|统计|关键|核心|英文|中英文?)*"
    rf"(?:{_WORD})(?:[、和与及/ ]*(?:{_MORE}))*表?"
)
_LATIN_WORD = "glossary|abbreviations?|acronyms?|terminology|definitions?|nomenclature|initialisms?"
_LATIN = re.compile(
    rf"(?:(?:list|table) of |key |common |main |technical |defined |the )*"
    rf"(?:{_LATIN_WORD}|terms(?=(?:,| and| &|/) ?(?:{_LATIN_WORD})))"
    rf"(?:(?:,| and| &|/| of)+ ?(?:key |the |technical )*(?:{_LATIN_WORD}|terms|symbols|units))*",
    re.IGNORECASE,
)
_ENTRY = re.compile(
    r"\s*(?:[-*+•]\s+|\d{1,3}[.、)）]\s*|[（(]\d{1,3}[)）]\s*|[①-⑳]\s*)?(?=\S)[^：:。；\n]{1,60}?"
    r"(?:[：:]|\s*——?|\s+[-–—]\s+|\s*\(?（?(?:是指|系指|指的?是|指)|\s+(?:means|stands for|refers to|is)\s)\s*\S"
)
_BOLD = re.compile(r"\s*(?:[-*+]\s+)?(?:\d{1,3}[.、]\s*)?(?:\*\*|__|`)[^*_`\n]{1,60}(?:\*\*|__|`)")
_DEFINED = re.compile(r"\s*\S[^\n]{0,60}\n\s*[:：]\s*\S")  # a term, below it a colon and what it means
_STRONG = re.compile(rf"第[{_HAN_NUMBER}\d]+[章节部]|[{_HAN_NUMBER}]{{1,3}}、")
_TERM_CHARS: Final = 40
_MOST_REFUSED: Final = 8
"""Sections that bear such a title and are none: each is looked through to its end, so there must be an end to them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One term with what it means, or words that stand before the first. `path` begins with the glossary's title;
    `head` is the head of the table whose row it is."""

    path: tuple[str, ...]
    span: Span
    head: str = ""


def is_glossary_title(title: str) -> bool:
    """Whether a section with this title is likely to be a glossary, whatever number stands before it."""
    bare = _NUMBERED.sub("", title.strip().strip("*【】"), count=1)
    bare = _BEHIND.sub("", bare).strip()
    return bool(_CHINESE.fullmatch(bare) or _LATIN.fullmatch(bare))


def glossary_apart(pieces: Sequence[Piece], text: str) -> tuple[list[Piece], list[Entry]]:
    """The pieces without the glossaries, and the entries of these. A section is one when its title says so and most of
    it are terms with their meaning; in a text without headings its title may be a line by itself."""
    flow: list[Piece] = []
    entries: list[Entry] = []
    at = 0
    refused = 0
    while at < len(pieces):
        title, level = _title(pieces[at], text) if refused < _MOST_REFUSED else ("", 0)
        end = at + 1
        while title and end < len(pieces) and not _ends(pieces[end], level):
            end += 1
        found = list(_entries(title, pieces[at + 1 : end], text)) if title else []
        if found and _are_terms(found, text):
            entries += found
            at = end
        else:
            flow.append(pieces[at])
            refused += bool(title)
            at += 1
    return flow, entries


def _title(piece: Piece, text: str) -> tuple[str, int]:
    """(the title of a possible glossary, its level), 7 for a line that is no heading; ("", 0) for others."""
    if isinstance(piece, Title):
        return (piece.text, piece.level) if is_glossary_title(piece.text) else ("", 0)
    line = text[piece.span.start : piece.span.end] if len(piece.span) <= _TERM_CHARS else ""
    return (line.strip().strip("*【】:："), 7) if line and is_glossary_title(line) else ("", 0)


def _ends(piece: Piece, level: int) -> bool:
    if isinstance(piece, Part):
        return False
    return piece.level <= level if level < 7 else bool(_STRONG.match(piece.text))


def _entries(title: str, pieces: Sequence[Piece], text: str) -> Iterator[Entry]:
    path: tuple[str, ...] = (title,)
    for piece in pieces:
        if isinstance(piece, Title):
            path = (title, piece.text)
        elif piece.kind == "table":
            yield from _rows(path, piece.span, text)
        elif piece.kind == "list" and piece.items:
            yield from (Entry(path, one) for one in piece.items)
        else:
            yield from (Entry(path, one) for one in _lines(piece.span, text))


def _rows(path: tuple[str, ...], span: Span, text: str) -> Iterator[Entry]:
    lines = [
        Span(span.start + one.start(), span.start + one.end())
        for one in re.finditer(r"[^\n]+", text[slice(*_of(span))])
    ]
    head = text[span.start : lines[1].end] if len(lines) > 1 else ""
    yield from (Entry(path, one, head) for one in lines[2:])


def _lines(span: Span, text: str) -> Iterator[Span]:
    """A line a term, where the lines are that."""
    body = text[slice(*_of(span))]
    lines = [found.span() for found in re.finditer(r"[^\n]+", body)]
    if len(lines) > 1 and all(_is_term(body[start:end]) for start, end in lines):
        yield from (Span(span.start + start, span.start + end) for start, end in lines)
    else:
        yield span


def _of(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _is_term(words: str) -> bool:
    return bool(_ENTRY.match(words) or _BOLD.match(words) or _DEFINED.match(words))


def _are_terms(entries: Sequence[Entry], text: str) -> bool:
    """Two or more, and three in five of all; words before the first one do not count."""
    terms = [bool(one.head) or len(one.path) > 1 or _is_term(text[slice(*_of(one.span))]) for one in entries]
    first = terms.index(True) if True in terms else len(terms)
    return sum(terms) >= 2 and sum(terms) * 5 >= len(terms[min(first, 2) :]) * 3
