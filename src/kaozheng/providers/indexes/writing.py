"""Rows in and out: what a document is in the tables."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from kaozheng.errors import KnowledgeBaseError
from kaozheng.providers.indexes.reading import document_row
from kaozheng.providers.indexes.shelf import Shelf
from kaozheng.providers.indexes.tables import bases, chunks, documents, facts, spaces, texts
from kaozheng.sources.analyser import Analyser, Terms
from kaozheng.sources.chunk import Chunk, searched
from kaozheng.sources.index import Embedded, Entry

_AT_ONCE = 200  # rows of one statement


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document ready to be written: all that takes time was done before the file is locked. `stored` is its
    fingerprint."""

    entry: Entry
    chunks: Sequence[Chunk]
    terms: Sequence[bytes]
    embedded: Embedded | None
    stored: str


def analysed(analyser: Analyser, given: Sequence[Chunk]) -> list[bytes]:
    """The terms of the chunks, packed."""
    return [pack(analyser.terms(chunk.searched)) for chunk in given]


def fingerprint(entry: Entry, given: Sequence[Chunk], embedded: Embedded | None) -> str:
    """The hash of all that is kept of a document, except what code makes of it."""
    said = [asdict(entry), embedded.embedder if embedded else "", [asdict(chunk) for chunk in given]]
    return hashlib.sha256(json.dumps(said, ensure_ascii=True).encode()).hexdigest()


def pack(terms: Terms) -> bytes:
    """Both readings as the full-text tables take them: a blank between terms, a line a reading."""
    return zlib.compress(f"{' '.join(terms.words)}\n{' '.join(terms.pairs)}".encode(), 6)


def insert(connection: sa.Connection, shelf: Shelf, document: Prepared, space: int | None) -> None:
    """Write the document; there is none of its name."""
    entry, count = document.entry, len(document.chunks)
    first = shelf.take_rows(connection, count)
    values = {
        "base": entry.base, "name": entry.name, "sha256": entry.sha256, "title": entry.title, **asdict(entry.labels),
        "stored": document.stored, "first_row": first, "rows": count,
    }  # fmt: skip
    connection.execute(sa.insert(documents).values(values))
    written = document_row(connection, entry.base, entry.name)
    if written is None or not count:
        return
    rows = range(first, first + count)
    of_rows = zip(rows, document.chunks, strict=True)
    connection.execute(sa.insert(chunks), [_chunk_row(row, written.id, chunk) for row, chunk in of_rows])
    connection.execute(
        sa.insert(texts),
        [
            {"row": row, "path": list(chunk.path), "prefix": chunk.prefix, "text": chunk.text, "terms": terms}
            for row, chunk, terms in zip(rows, document.chunks, document.terms, strict=True)
        ],
    )
    shelf.add_terms(connection, list(zip(rows, document.terms, strict=True)))
    if document.embedded is not None and space is not None:
        shelf.add_vectors(connection, written, space, document.embedded.vectors.astype("<f4", copy=False))


def remove(connection: sa.Connection, shelf: Shelf, document: sa.Row[Any]) -> None:
    """Take out everything of the document."""
    first, last = document.first_row, document.first_row + document.rows - 1
    if document.rows:
        kept = sa.select(texts.c.row, texts.c.terms).where(texts.c.row.between(first, last))
        shelf.remove_terms(connection, [(row.row, row.terms) for row in connection.execute(kept)])
        shelf.remove_vectors(connection, document)
    for table in (texts, chunks):
        connection.execute(sa.delete(table).where(table.c.row.between(first, last)))
    connection.execute(sa.delete(documents).where(documents.c.id == document.id))


def reindex(connection: sa.Connection, shelf: Shelf, analyser: Analyser) -> None:
    """Make all terms anew from the texts."""
    shelf.clear_terms(connection)
    after = 0
    while rows := connection.execute(
        sa.select(texts).where(texts.c.row > after).order_by(texts.c.row).limit(_AT_ONCE)
    ).all():
        made = []
        for row in rows:
            made.append((row.row, pack(analyser.terms(searched(row.prefix, row.text)))))
            connection.execute(sa.update(texts).where(texts.c.row == row.row).values(terms=made[-1][1]))
        shelf.add_terms(connection, made)
        after = rows[-1].row


def space_of(connection: sa.Connection, embedded: Embedded) -> int:
    """The number of the embedder's space, made when it is new. Raises KnowledgeBaseError when its vectors were of
    another length before."""
    dimensions = embedded.vectors.shape[1]
    known = connection.execute(sa.select(spaces).where(spaces.c.embedder == embedded.embedder)).first()
    if known is None:
        values = {"embedder": embedded.embedder, "dimensions": dimensions}
        (number,) = connection.execute(sa.insert(spaces).values(values)).inserted_primary_key or (0,)
        return int(number)
    if known.dimensions != dimensions:
        raise KnowledgeBaseError(
            f"{embedded.embedder} gives {dimensions} numbers a text, before it gave {known.dimensions}"
        )
    return int(known.id)


def forget_unused(connection: sa.Connection) -> set[int]:
    """Drop the spaces that no base is in. Returns the others."""
    used = set(connection.execute(sa.select(bases.c.space).where(bases.c.space.is_not(None))).scalars())
    connection.execute(sa.delete(spaces).where(spaces.c.id.not_in(used)))
    return used


def count_change(connection: sa.Connection) -> None:
    """Tell all who remember something of the file that it has changed."""
    more = sa.cast(sa.cast(facts.c.value, sa.Integer) + 1, sa.Text)
    connection.execute(sa.update(facts).where(facts.c.name == "changes").values(value=more))


def _chunk_row(row: int, document: int, chunk: Chunk) -> dict[str, Any]:
    return {
        "row": row, "document": document, "id": chunk.id, "ordinal": chunk.ordinal, "start": chunk.span.start,
        "end": chunk.span.end, "first_line": chunk.lines.start, "last_line": chunk.lines.end,
    }  # fmt: skip
