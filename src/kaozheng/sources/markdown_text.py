"""Reading the shape of a Markdown text: its headings, and its outermost blocks between them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.document import Document
from kaozheng.documents.nodes import Block
from kaozheng.documents.span import Span
from kaozheng.sources.passage import Kind
from kaozheng.sources.piece import Part, Piece, Title
from kaozheng.sources.plain_headings import Candidate, mark_of, titled
from kaozheng.sources.source import HEADING_LIMIT

_KINDS: dict[str, Kind] = {
    "paragraph": "paragraph",
    "heading": "paragraph",  # one that is too long to be a heading
    "list": "list",
    "table": "table",
    "code": "code",
    "quote": "quote",
    "math": "math",
    "footnote": "paragraph",
    "html": "paragraph",
}
_TAG = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1>|\Z)|<[^>]*>", re.DOTALL | re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2}")


def markdown_pieces(text: str) -> list[Piece]:
    """The titles and parts of a Markdown text, in order. A text without a Markdown heading may have numbered ones."""
    document = Document(text)
    titles = {heading.span.start: Title(heading.level, heading.text) for heading in document.headings}
    pieces = list(_outermost(document, titles))
    if any(isinstance(piece, Title) for piece in pieces):
        return pieces
    return list(titled([_candidate(piece, text) for piece in pieces if isinstance(piece, Part)]))


def _outermost(document: Document, titles: dict[int, Title]) -> Iterator[Piece]:
    items = _items(document.blocks)
    for block in document.blocks:
        if block.depth:
            continue
        span = _trimmed(document.text, block.span)
        if block.kind == "heading" and len(span) <= HEADING_LIMIT:
            yield titles[block.span.start]
        elif block.kind in _KINDS and len(span) and not _is_bare_markup(block, document.text):
            inner = tuple(_trimmed(document.text, item) for item in items.get(block.span.start, ()))
            yield Part(_KINDS[block.kind], span, inner if block.kind == "list" else ())


def _items(blocks: tuple[Block, ...]) -> dict[int, list[Span]]:
    """The items of each outermost list, by the start of the list."""
    found: dict[int, list[Span]] = {}
    current: list[Span] = []
    for block in blocks:
        if block.depth == 0 and block.kind == "list":
            current = found.setdefault(block.span.start, [])
        elif block.depth == 1 and block.kind == "item":
            current.append(block.span)
    return found


def _is_bare_markup(block: Block, text: str) -> bool:
    """Whether an HTML block says nothing to a reader: comments, scripts, tags without words."""
    return block.kind == "html" and not _WORD.search(_TAG.sub(" ", text[block.span.start : block.span.end]))


def _candidate(part: Part, text: str) -> Candidate:
    line = text[part.span.start : part.span.end]
    single = "\n" not in line and part.kind in ("paragraph", "list")
    return Candidate(mark_of(line) if single else None, (part,))


def _trimmed(text: str, span: Span) -> Span:
    """Without the line ends and blanks around it; the indent of a code block stays."""
    body = text[span.start : span.end]
    end = span.start + len(body.rstrip())
    start = span.start + len(body) - len(body.lstrip("\n"))
    return Span(min(start, end), end)
