"""Rows as nouns: entries, chunks, bases."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from kaozheng.documents.span import LineRange, Span
from kaozheng.errors import KnowledgeBaseError
from kaozheng.providers.indexes.tables import bases, chunks, documents, spaces, texts, vectors
from kaozheng.sources.chunk import Chunk, searched
from kaozheng.sources.index import BaseStats, Entry, Labels

if TYPE_CHECKING:
    from kaozheng.sources.index import Vector

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
    of = sa.select(documents).where(documents.c.base == base, documents.c.name == name)
    document = connection.execute(of).first()
    if document is None:
        return []
    of_it = _WIDE.where(chunks.c.row.between(document.first_row, document.first_row + document.rows - 1))
    return [_chunk(row, name) for row in connection.execute(of_it.order_by(chunks.c.row))]


def vectors_of(connection: sa.Connection, base: str, name: str, embedder: str) -> dict[str, Vector]:
    """The vectors of a document by the text that was embedded; none when another embedder made them."""
    import numpy as np

    of = (
        sa.select(vectors.c.first_row, vectors.c.rows, vectors.c.vectors, spaces.c.dimensions)
        .join(documents, documents.c.first_row == vectors.c.first_row)
        .join(spaces, spaces.c.id == vectors.c.space)
        .where(documents.c.base == base, documents.c.name == name, documents.c.rows > 0, spaces.c.embedder == embedder)
    )
    kept = connection.execute(of).first()
    if kept is None:
        return {}
    matrix = np.frombuffer(kept.vectors, dtype="<f4").reshape(-1, kept.dimensions)
    of_it = sa.select(texts.c.prefix, texts.c.text).where(
        texts.c.row.between(kept.first_row, kept.first_row + kept.rows - 1)
    )
    rows = connection.execute(of_it.order_by(texts.c.row)).all()
    return {searched(row.prefix, row.text): vector for row, vector in zip(rows, matrix, strict=True)}


def placed(connection: sa.Connection, rows: Iterable[int]) -> dict[int, tuple[Entry, Chunk]]:
    """The chunks of these rows with their documents, by row."""
    found = connection.execute(_WIDE.where(chunks.c.row.in_(list(rows)))).all()
    wanted = sa.select(documents).where(documents.c.id.in_({row.document for row in found}))
    of = {row.id: entry_of(row) for row in connection.execute(wanted)}
    return {row.row: (of[row.document], _chunk(row, of[row.document].name)) for row in found}


def base_stats(connection: sa.Connection) -> list[BaseStats]:
    """All bases, by name."""
    counted = (
        sa.select(bases.c.name, sa.func.count(documents.c.id), sa.func.total(documents.c.rows), spaces.c.embedder)
        .select_from(bases.outerjoin(documents, documents.c.base == bases.c.name))
        .outerjoin(spaces, spaces.c.id == bases.c.space)
        .group_by(bases.c.name)
        .order_by(bases.c.name)
    )
    rows = connection.execute(counted)
    return [BaseStats(name, count, int(total), embedder or "") for name, count, total, embedder in rows]


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


def _chunk(row: sa.Row[Any], document: str) -> Chunk:
    span, lines = Span(row.start, row.end), LineRange(row.first_line, row.last_line)
    return Chunk(row.id, document, tuple(row.path), row.ordinal, span, lines, row.text, row.prefix)
