"""From a source to its titles and parts: chooses the way of reading, then cuts what is too long for one passage."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kaozheng.documents.document import language_of as language_of_text
from kaozheng.documents.sentences import split
from kaozheng.documents.span import Span
from kaozheng.sources.cutting import cut
from kaozheng.sources.markdown_text import markdown_pieces
from kaozheng.sources.piece import Part, Piece, Title
from kaozheng.sources.plain_text import plain_pieces
from kaozheng.sources.source import Source

__all__ = ["Part", "Title", "language_of", "pieces_of", "whole_pieces_of"]

PROSE_LIMIT = 1000  # characters of one passage of prose
BLOCK_LIMIT = 12_000  # of code, a table or a formula: these lose their sense when cut
_LIST_ITEMS = 12
_ITEM_LIMIT = 80
_BLOCKS = frozenset({"code", "table", "math"})
_WORD = re.compile(r"\w")  # without a letter or digit a part (`---`, `***`) says nothing
_SAMPLE = 20_000  # characters of each source that decide its language
_FRONT_MATTER = re.compile(r"---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*\n", re.DOTALL)
_MARKUP = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)


def pieces_of(source: Source) -> list[Piece]:
    """The titles and parts of a source; no part is longer than a passage may be. Front matter, scripts and tags without
    words are none."""
    return [short for piece in whole_pieces_of(source) for short in _shortened(piece, source.text)]


def whole_pieces_of(source: Source) -> list[Piece]:
    """The same with every part as long as it is. Nothing that is read is lost: a text of headings alone is one part."""
    text = source.text
    pieces = markdown_pieces(text) if source.is_markdown else plain_pieces(text, source.suffix)
    if not any(isinstance(piece, Part) for piece in pieces):
        start = front.end() if source.is_markdown and (front := _FRONT_MATTER.match(text)) else 0
        if _WORD.search(_MARKUP.sub(" ", text[start:])):
            pieces = [Part("paragraph", Span(start, len(text.rstrip())))]
    return pieces


def language_of(texts: Iterable[str]) -> str:
    """The language ("zh" or "en") of most of the texts' beginnings taken together."""
    return language_of_text("\n\n".join(text[:_SAMPLE] for text in texts)) or "en"


def _shortened(piece: Piece, text: str) -> Iterator[Piece]:
    if isinstance(piece, Part) and piece.kind == "list":
        if len(piece.items) <= _LIST_ITEMS and all(len(item) <= _ITEM_LIMIT for item in piece.items):
            yield Part("list", piece.span)
        else:
            for item in piece.items:
                yield from _shortened(Part("item", item), text)
    elif isinstance(piece, Part) and len(piece.span) > (BLOCK_LIMIT if piece.kind in _BLOCKS else PROSE_LIMIT):
        yield from (Part(piece.kind, span) for span in _cut(piece, text))
    elif isinstance(piece, Title) or _WORD.search(text, piece.span.start, piece.span.end):
        yield piece


def _cut(part: Part, text: str) -> Iterator[Span]:
    """At line ends (code, tables) or sentence ends; a sentence that is itself too long is cut where it pauses."""
    start = part.span.start
    body = text[start : part.span.end]
    if part.kind in _BLOCKS:
        yield from (Span(start + span.start, start + span.end) for span in cut(body, BLOCK_LIMIT, 0))
        return
    group: Span | None = None
    for sentence in _short_sentences(body):
        if group and sentence.end - group.start > PROSE_LIMIT:
            yield Span(start + group.start, start + group.end)
            group = None
        group = Span(group.start if group else sentence.start, sentence.end)
    if group:
        yield Span(start + group.start, start + group.end)


def _short_sentences(body: str) -> Iterator[Span]:
    for sentence in split(body):
        if len(sentence) <= PROSE_LIMIT:
            yield sentence
        else:
            for span in cut(body[sentence.start : sentence.end], PROSE_LIMIT, 0):
                yield Span(sentence.start + span.start, sentence.start + span.end)
