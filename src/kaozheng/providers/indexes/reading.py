"""Rows as nouns: entries, chunks, bases."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa

from kaozheng.documents.span import LineRange, Span
from kaozheng.errors import KnowledgeBaseError
from kaozheng.providers.indexes.scope import Space, total
from kaozheng.providers.indexes.tables import bases, chunks, documents, spaces, texts
from kaozheng.sources.chunk import Chunk, searched
from kaozheng.sources.index import BaseStats, Entry, Labels

_WIDE = sa.select(chunks, texts.c.path, texts.c.prefix, texts.c.text).join(texts, texts.c.row == chunks.c.row)


def entries(connection: sa.Connection, *where: sa.ColumnElement[bool]) -> list[Entry]:
    """The documents for which this holds, by name."""
    return [entry_of(row) for row in connection.execute(sa.select(documents).where(*where).order_by(documents.c.name))]


def entry_of(row: sa.Row[Any]) -> Entry:
    """A row of `documents`."""
    labels = Labels(row.domain, row.data_type, row.data_period, row.level)
    return Entry(row.base, row.name, row.sha256, row.title, labels)


def chunks_of(connection: sa.Connection, base: str, name: str) -> list[Chunk]:
    """The chunks of a document, in its order."""
    document = document_row(connection, base, name)
    if document is None:
        return []
    of_it = _WIDE.where(chunks.c.row.between(*_rows(document)))
    return [_chunk(row, name) for row in connection.execute(of_it.order_by(chunks.c.row))]


def document_row(connection: sa.Connection, base: str, name: str) -> sa.Row[Any] | None:
    """The row of this document."""
    return connection.execute(sa.select(documents).where(documents.c.base == base, documents.c.name == name)).first()


def space_of_base(connection: sa.Connection, base: str, embedder: str) -> Space | None:
    """The space of the base, where it is this embedder's."""
    of = sa.select(spaces).join(bases, bases.c.space == spaces.c.id)
    row = connection.execute(of.where(bases.c.name == base, spaces.c.embedder == embedder)).first()
    return Space(row.id, row.dimensions, 0) if row else None


def searched_texts(connection: sa.Connection, document: sa.Row[Any]) -> list[str]:
    """What was embedded of the document's chunks, in their order."""
    of_it = sa.select(texts.c.prefix, texts.c.text).where(texts.c.row.between(*_rows(document)))
    return [searched(row.prefix, row.text) for row in connection.execute(of_it.order_by(texts.c.row))]


def placed(connection: sa.Connection, rows: Iterable[int]) -> dict[int, tuple[Entry, Chunk]]:
    """The chunks of these rows with their documents, by row."""
    found = connection.execute(_WIDE.where(chunks.c.row.in_(list(rows)))).all()
    wanted = sa.select(documents).where(documents.c.id.in_({row.document for row in found}))
    of = {row.id: entry_of(row) for row in connection.execute(wanted)}
    return {row.row: (of[row.document], _chunk(row, of[row.document].name)) for row in found}


def base_stats(connection: sa.Connection) -> list[BaseStats]:
    """All bases, by name."""
    counted = (
        sa.select(
            bases.c.name,
            sa.func.count(documents.c.id),
            total(documents.c.rows),
            spaces.c.embedder,
        )
        .select_from(bases.outerjoin(documents, documents.c.base == bases.c.name))
        .outerjoin(spaces, spaces.c.id == bases.c.space)
        .group_by(bases.c.name, spaces.c.embedder)
        .order_by(bases.c.name)
    )
    rows = connection.execute(counted)
    return [BaseStats(name, count, int(chunks), embedder or "") for name, count, chunks, embedder in rows]


def require(connection: sa.Connection, wanted: Sequence[str]) -> None:
    """Raise KnowledgeBaseError unless all these bases are there."""
    there = list(connection.execute(sa.select(bases.c.name).order_by(bases.c.name)).scalars())
    for name in wanted:
        if name not in there:
            raise KnowledgeBaseError(unknown_base(name, there))


def unknown_base(name: str, there: Sequence[str]) -> str:
    """What to say about a base that is not there."""
    near = difflib.get_close_matches(name, there, n=3, cutoff=0.5) or there[:5]
    return f"there is no knowledge base {name!r}; " + (f"there are: {', '.join(near)}" if near else "there is none yet")


def _rows(document: sa.Row[Any]) -> tuple[int, int]:
    return document.first_row, document.first_row + document.rows - 1


def _chunk(row: sa.Row[Any], document: str) -> Chunk:
    span, lines = Span(row.start, row.end), LineRange(row.first_line, row.last_line)
    return Chunk(row.id, document, tuple(row.path), row.ordinal, span, lines, row.text, row.prefix)
