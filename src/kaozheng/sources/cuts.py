"""A source cut for finding: pieces of some 500 characters that never cross a heading, tables by rows, each with words
that tell where it stands. Built on the titles and parts of `pieces`, cut by `cutting`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from kaozheng.documents.span import Span
from kaozheng.sources.code_cuts import code_cuts
from kaozheng.sources.cutting import cut
from kaozheng.sources.glossary import glossary_apart
from kaozheng.sources.piece import Part, Piece, Title
from kaozheng.sources.pieces import whole_pieces_of
from kaozheng.sources.source import Source

SIZE: Final = 500
OVERLAP: Final = 50
LONGEST: Final = 1500
"""Characters of a cut, of what two of them share, and the most that a table or a block of code may have."""
_CONTEXT: Final = 100
_CAPTION: Final = 120
_BLOCKS: Final = frozenset({"table", "code", "math"})


@dataclass(frozen=True, slots=True)
class Cut:
    """A part of a source to be found: its text is the source's at `span`. `path` holds the headings above it, `context`
    the document, the headings and the topic in at most 100 characters, `head` the caption and the head of a table whose
    later rows these are."""

    path: tuple[str, ...]
    span: Span
    context: str
    head: str = ""


def cuts_of(source: Source, size: int = SIZE, overlap: int = OVERLAP, topic: str = "") -> list[Cut]:
    """The cuts of a source in order, the entries of its glossaries one by one behind them; every word of its parts is
    in one, prose of a section may be in two. None is longer than `size`, but tables and code may have LONGEST. Raises
    ValueError unless 0 <= overlap < size / 2 and size <= LONGEST."""
    if size > LONGEST:
        raise ValueError(f"size {size} is over the {LONGEST} characters that a cut may have")
    cuts: list[Cut] = []
    title = source.title
    if source.definitions is not None:
        placed = code_cuts(source.text, source.definitions, LONGEST)
        return [Cut(path, span, _context(title, path, topic)) for path, span in placed]
    flow, entries = glossary_apart(whole_pieces_of(source), source.text)
    for path, parts in _sections(flow):
        context = _context(title, path, topic)
        for span, head in _spans(source.text, parts, size, overlap):
            cuts.append(Cut(path, span, context, head))
    for entry in entries:
        context = _context(title, entry.path, topic)
        head = entry.head if len(entry.head) <= size else ""
        for one in cut(source.text[entry.span.start : entry.span.end], LONGEST - len(head), 0):
            cuts.append(Cut(entry.path, Span(entry.span.start + one.start, entry.span.start + one.end), context, head))
    return cuts


def _sections(pieces: Iterable[Piece]) -> Iterator[tuple[tuple[str, ...], list[Part]]]:
    above: list[Title] = []
    parts: list[Part] = []
    for piece in pieces:
        if isinstance(piece, Part):
            parts.append(piece)
            continue
        if parts:
            yield tuple(title.text for title in above), parts
            parts = []
        while above and above[-1].level >= piece.level:
            above.pop()
        above.append(piece)
    if parts:
        yield tuple(title.text for title in above), parts


def _spans(text: str, parts: list[Part], size: int, overlap: int) -> Iterator[tuple[Span, str]]:
    """Prose in runs up to the next block; a block by itself, its caption with it."""
    run: list[Part] = []
    for part in parts:
        if part.kind not in _BLOCKS:
            run.append(part)
            continue
        caption = run.pop().span if run and part.kind == "table" and len(run[-1].span) <= _CAPTION else None
        yield from _prose(text, run, size, overlap)
        run = []
        yield from _block(text, part, caption, size)
    yield from _prose(text, run, size, overlap)


def _prose(text: str, run: list[Part], size: int, overlap: int) -> Iterator[tuple[Span, str]]:
    if run:
        start, end = run[0].span.start, run[-1].span.end
        yield from ((Span(start + one.start, start + one.end), "") for one in cut(text[start:end], size, overlap))


def _block(text: str, part: Part, caption: Span | None, size: int) -> Iterator[tuple[Span, str]]:
    start = caption.start if caption else part.span.start
    if part.span.end - start <= LONGEST:
        yield Span(start, part.span.end), ""
        return
    if part.kind != "table":
        body = text[start : part.span.end]
        yield from ((Span(start + one.start, start + one.end), "") for one in cut(body, LONGEST, 0))
        return
    lines = _lines(text, part.span)
    head = text[start : lines[1].end] if len(lines) > 1 else ""
    head = head if len(head) <= size else ""
    first = Span(start, lines[0].end)
    for number, rows in enumerate(_rows(first, lines[1:], LONGEST - len(head))):
        for one in cut(text[rows.start : rows.end], LONGEST - len(head), 0):  # a row may be longer than all
            yield Span(rows.start + one.start, rows.start + one.end), head if number else ""


def _rows(first: Span, lines: list[Span], most: int) -> Iterator[Span]:
    """Neighbouring rows as long as they fit."""
    group = first
    for line in lines:
        if line.end - group.start > most:
            yield group
            group = line
        group = Span(group.start, line.end)
    yield group


def _lines(text: str, span: Span) -> list[Span]:
    lines, at = [], span.start
    while at < span.end:
        end = text.find("\n", at, span.end)
        end = span.end if end < 0 else end
        lines.append(Span(at, end))
        at = end + 1
    return lines


def _context(document: str, path: tuple[str, ...], topic: str) -> str:
    """`document > heading > heading > topic`; where that is too long, the nearest headings stay."""
    names = [name for name in (document, *path, topic) if name]
    names = [name for at, name in enumerate(names) if not at or name != names[at - 1]]
    while len(names) > 1 and len(" > ".join(names)) > _CONTEXT:
        names.pop(1 if len(names) > 2 else 0)
    return " > ".join(names)[:_CONTEXT]
