"""Reading the shape of a text without Markdown: paragraphs, headings by their numbering, lists, code by its indent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from kaozheng.documents.span import Span
from kaozheng.sources.piece import Part, Piece, Title
from kaozheng.sources.plain_headings import Candidate, is_rule, mark_of, sign_mark_of, titled, underlined

_LINE = re.compile(r"[^\n]*\n?")
_ITEM = re.compile(
    r"\s*(?:[•●▪◦‣·*+\-–—]\s+|[•●▪◦]|\(?\d{1,3}(?:[)、]|\.(?!\d))\s*|[（(][一二三四五六七八九十\d]{1,3}[)）])\S"
)
_END = re.compile(r"[。！？；：.!?;:…][”’\"')）】」』]*\s*$")
_WORD = re.compile(r"\w")
_LETTER = re.compile(r"[^\W\d_]")
_INDENTS = ("    ", "\t")
_OPENERS = (":", "{", "(", "[", "\\")
_LOG_GROUP = 1000  # characters of log lines in one passage: one passage a line would make half a million of 50 MB


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def plain_pieces(text: str, suffix: str = "") -> list[Piece]:
    """The titles and parts of a plain text, in order. `suffix` (".rst", ".adoc", ".org", ".log") tells its kind."""
    lines = [_Line(found.start(), found[0].rstrip("\n")) for found in _LINE.finditer(text) if found[0]]
    if suffix == ".log":
        return [Part("paragraph", span) for span in _grouped(lines)]
    paragraphs = [list(group) for full, group in groupby(lines, key=lambda line: bool(line.text.strip())) if full]
    if suffix == ".rst":
        return list(_rst_pieces(paragraphs))
    if suffix in (".adoc", ".org"):
        return list(_signed_pieces(paragraphs, suffix))
    if len(paragraphs) == 1 and not _is_code(paragraphs[0]) and not _ITEM.match(paragraphs[0][0].text):
        paragraphs = [[line] for line in paragraphs[0]]
    # A line of signs between two texts is no text; under a heading it would make the heading look full.
    told = [paragraph for paragraph in paragraphs if any(_WORD.search(line.text) for line in paragraph)]
    return list(titled([candidate for paragraph in told for candidate in _candidates(paragraph)]))


def _candidates(paragraph: list[_Line]) -> Iterator[Candidate]:
    """A heading line alone, or a strong one (一、 第一章 【…】) on top of its paragraph."""
    first, rest = paragraph[:1], paragraph[1:]
    if not any(_WORD.search(line.text) for line in rest):  # a line of signs below a heading is no text of it
        rest = []
    mark = None if _is_code(first) else mark_of(first[0].text)
    if mark and not rest:
        yield Candidate(mark, tuple(_parts(first)))
    elif mark and mark.strong and not mark_of(rest[0].text):
        yield Candidate(mark, tuple(_parts(first)))
        yield from _candidates(rest)
    else:
        yield Candidate(None, tuple(_parts(paragraph)))


def _rst_pieces(paragraphs: list[list[_Line]]) -> Iterator[Piece]:
    signs: list[str] = []
    for paragraph in paragraphs:
        rest = paragraph
        if len(rest) > 2 and is_rule(rest[0].text) and underlined(rest[1].text, rest[2].text):
            rest = rest[1:]  # an overlined title: the line above it says nothing more
        sign = underlined(rest[0].text, rest[1].text) if len(rest) > 1 else ""
        if sign:
            if sign not in signs:
                signs.append(sign)
            yield Title(min(signs.index(sign) + 1, 6), rest[0].text.strip())
            rest = rest[2:]
        yield from _parts(rest)


def _signed_pieces(paragraphs: list[list[_Line]], suffix: str) -> Iterator[Piece]:
    for paragraph in paragraphs:
        body: list[_Line] = []
        for line in paragraph:
            title = sign_mark_of(line.text, suffix)
            if title is None:
                body.append(line)
                continue
            yield from _parts(body)
            yield title
            body = []
        yield from _parts(body)


def _parts(paragraph: Sequence[_Line]) -> Iterator[Part]:
    if not paragraph:
        return
    listed = bool(_ITEM.match(paragraph[0].text))
    if _is_code(paragraph):
        yield Part("code", _span(paragraph))
    elif listed and len(paragraph) > 1:
        yield Part("list", _span(paragraph), tuple(_span(item) for item in _items(paragraph)))
    elif len(paragraph) > 1 and _one_a_line(paragraph):
        yield from (Part("paragraph", _span([line])) for line in paragraph)
    else:
        yield Part("item" if listed else "paragraph", _span(paragraph))


def _items(paragraph: Sequence[_Line]) -> list[list[_Line]]:
    items: list[list[_Line]] = []
    for line in paragraph:
        if _ITEM.match(line.text) or not items:
            items.append([line])
        else:
            items[-1].append(line)
    return items


def _is_code(paragraph: Sequence[_Line]) -> bool:
    """Indented wholly or below a first line that opens a block; but Chinese prose may begin with blanks too."""
    first = paragraph[0].text
    opens = len(paragraph) > 1 and first.rstrip().endswith(_OPENERS) and not _ITEM.match(first)
    if not all(line.text.startswith(_INDENTS) for line in (paragraph[1:] if opens else paragraph)):
        return False
    letters = _LETTER.findall("".join(line.text for line in paragraph))
    return bool(sum(letter.isascii() for letter in letters) >= 0.6 * len(letters))


def _one_a_line(paragraph: Sequence[_Line]) -> bool:
    """Whether each line is a paragraph of its own: most lines before the last end like a sentence."""
    ending = sum(bool(_END.search(line.text)) for line in paragraph[:-1])
    return ending > (len(paragraph) - 1) / 2


def _span(lines: Sequence[_Line]) -> Span:
    first, last = lines[0], lines[-1]
    indent = 0 if _is_code(lines) else len(first.text) - len(first.text.lstrip())
    return Span(first.start + indent, last.start + len(last.text.rstrip()))


def _grouped(lines: Sequence[_Line]) -> Iterator[Span]:
    group: list[_Line] = []
    for line in lines:
        if not line.text.strip():
            continue
        if group and line.end - group[0].start > _LOG_GROUP:
            yield _span(group)
            group = []
        group.append(line)
    if group:
        yield _span(group)
