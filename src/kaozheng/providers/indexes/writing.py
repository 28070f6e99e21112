"""Rows in and out: what a document is in the tables."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from kaozheng.errors import KnowledgeBaseError
from kaozheng.providers.indexes.tables import FULL_TEXT, bases, chunks, documents, facts, spaces, texts, vectors
from kaozheng.sources.analyser import Analyser, Terms
from kaozheng.sources.chunk import Chunk, searched
from kaozheng.sources.index import Embedded, Entry

_LAST_ROW = sa.text("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'chunks'), 0)")
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


def insert(connection: sa.Connection, document: Prepared, space: int | None) -> None:
    """Write the document; there is none of its name."""
    first = int(connection.execute(_LAST_ROW).scalar_one()) + 1
    entry = document.entry
    values = {
        "base": entry.base, "name": entry.name, "sha256": entry.sha256, "title": entry.title, **asdict(entry.labels),
        "stored": document.stored, "first_row": first, "rows": len(document.chunks),
    }  # fmt: skip
    (number,) = connection.execute(sa.insert(documents).values(values)).inserted_primary_key or (0,)
    rows = range(first, first + len(document.chunks))
    of_rows = zip(rows, document.chunks, strict=True)
    _insert_all(connection, chunks, (_chunk_row(row, number, chunk) for row, chunk in of_rows))
    _insert_all(
        connection,
        texts,
        (
            {"row": row, "path": list(chunk.path), "prefix": chunk.prefix, "text": chunk.text, "terms": terms}
            for row, chunk, terms in zip(rows, document.chunks, document.terms, strict=True)
        ),
    )
    _full_text(connection, zip(rows, document.terms, strict=True))
    if document.embedded is not None:
        matrix = document.embedded.vectors.astype("<f4", copy=False).tobytes()
        values = {"first_row": first, "space": space, "rows": len(document.chunks), "vectors": matrix}
        connection.execute(sa.insert(vectors).values(values))


def remove(connection: sa.Connection, document: sa.Row[Any]) -> None:
    """Take out everything of the document."""
    first, last = document.first_row, document.first_row + document.rows - 1
    kept = sa.select(texts.c.row, texts.c.terms).where(texts.c.row.between(first, last))
    _full_text(connection, iter(connection.execute(kept).all()), out=True)
    for table in (texts, chunks):
        connection.execute(sa.delete(table).where(table.c.row.between(first, last)))
    if document.rows:
        connection.execute(sa.delete(vectors).where(vectors.c.first_row == first))
    connection.execute(sa.delete(documents).where(documents.c.id == document.id))


def reindex(connection: sa.Connection, analyser: Analyser) -> None:
    """Make all terms anew from the texts."""
    for table in FULL_TEXT:
        connection.exec_driver_sql(f"INSERT INTO {table}({table}) VALUES ('delete-all')")
    after = 0
    while rows := connection.execute(sa.select(texts).where(texts.c.row > after).limit(_AT_ONCE)).all():
        made = []
        for row in rows:
            made.append((row.row, pack(analyser.terms(searched(row.prefix, row.text)))))
            connection.execute(sa.update(texts).where(texts.c.row == row.row).values(terms=made[-1][1]))
        _full_text(connection, iter(made))
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


def _insert_all(connection: sa.Connection, table: sa.Table, rows: Iterator[dict[str, Any]]) -> None:
    batch = list(rows)
    if batch:
        connection.execute(sa.insert(table), batch)


def _full_text(connection: sa.Connection, rows: Iterator[Any], *, out: bool = False) -> None:
    """Put the packed terms of the rows into the full-text tables, or take them out."""
    by_table: dict[str, list[tuple[int, str]]] = {table: [] for table in FULL_TEXT}
    for row, packed in rows:
        for table, line in zip(FULL_TEXT, zlib.decompress(packed).decode().split("\n"), strict=True):
            if line:
                by_table[table].append((row, line))
    for table, lines in by_table.items():
        if lines and out:
            delete = f"INSERT INTO {table}({table}, rowid, terms) VALUES ('delete', ?, ?)"
            connection.exec_driver_sql(delete, lines)
        elif lines:
            connection.exec_driver_sql(f"INSERT INTO {table}(rowid, terms) VALUES (?, ?)", lines)
