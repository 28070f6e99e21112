"""An answer to a question: the legs, made one, with the chunks that they name."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

import sqlalchemy as sa

from kaozheng.providers.indexes.dense import NAME, dense_leg, query_vector
from kaozheng.providers.indexes.matrix import Matrices, Space, merged
from kaozheng.providers.indexes.reading import placed
from kaozheng.providers.indexes.searching import Lexical, admitted
from kaozheng.providers.indexes.tables import bases, documents, facts, spaces
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.fusion import Leg, fuse
from kaozheng.sources.index import Found, Hit, Question, Within

_REMEMBERED = 16


@dataclass(frozen=True, slots=True)
class _Scope:
    """What a filter admits: ranges of rows; `chunks` are all of the database, `whole` says that the filter admits all,
    `space` is where its vectors are and `embedder` made them, unless `apart` says why they cannot be compared."""

    ranges: list[tuple[int, int]]
    chunks: int
    whole: bool
    space: Space | None
    embedder: str
    apart: str


class Answering:
    """Answers questions over one database. Safe to use from several threads."""

    def __init__(self, analyser: Analyser, matrices: Matrices) -> None:
        self._analyser = analyser
        self._matrices = matrices
        self._scopes: OrderedDict[tuple[str, Within], _Scope] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, connection: sa.Connection, question: Question) -> Found:
        """What `Index.search` gives, in this view of the database."""
        scope = self._scope(connection, question.within)
        terms = self._analyser.terms(question.text)
        lexical = Lexical(connection, question.within, scope.chunks, scope.whole)
        legs = [
            lexical.leg("words", terms.words, question.candidates),
            *([lexical.leg("pairs", terms.pairs, question.candidates)] if terms.pairs else []),
            *self._dense(connection, question, scope),
        ]
        fused = fuse(legs, lexical.exact(question.text, question.candidates), question.fusing)
        best = fused.order[: question.limit]
        chunks = placed(connection, (int(scored.ref) for scored in best))
        hits = tuple(Hit(*chunks[int(one.ref)], one.ref, one.score, one.exact, one.legs) for one in best)
        return Found(hits, tuple(legs), fused.refused, lexical.idf)

    def _dense(self, connection: sa.Connection, question: Question, scope: _Scope) -> list[Leg]:
        if question.embedded is None:
            unasked = question.unembedded or "the question has no vector"
            return [Leg(NAME, refused=unasked)] if scope.embedder or question.unembedded else []
        if scope.space is None:
            return [Leg(NAME, refused=scope.apart)] if scope.chunks else []
        if scope.embedder != question.embedded.embedder:
            both = f"the bases are embedded by {scope.embedder}, the question by {question.embedded.embedder}"
            return [Leg(NAME, refused=both)]
        asked = query_vector(question.embedded.vectors, scope.space.dimensions)
        if isinstance(asked, str):
            return [Leg(NAME, refused=asked)]
        blocks = self._matrices.blocks(connection, scope.space)
        return [dense_leg(blocks, scope.ranges, asked, question.candidates)]

    def _scope(self, connection: sa.Connection, within: Within) -> _Scope:
        """Made once for each filter and state of the database: with many documents it costs more than the search."""
        changes = connection.execute(sa.select(facts.c.value).where(facts.c.name == "changes")).scalar_one()
        with self._lock:
            key = (changes, within)
            scope = self._scopes.get(key)
            if scope is None:
                scope = self._scopes[key] = _scope(connection, within)
                if len(self._scopes) > _REMEMBERED:
                    self._scopes.popitem(last=False)
            return scope


def _scope(connection: sa.Connection, within: Within) -> _Scope:
    total = int(connection.execute(sa.select(sa.func.total(documents.c.rows))).scalar_one())
    rows = connection.execute(sa.select(documents.c.first_row, documents.c.rows).where(admitted(within)))
    ranges = merged([(row.first_row, row.rows) for row in rows])
    whole = sum(count for _, count in ranges) == total
    space, embedder, apart = _common_space(connection, within)
    return _Scope(ranges, total, whole, space, embedder, apart)


def _common_space(connection: sa.Connection, within: Within) -> tuple[Space | None, str, str]:
    """The space in which all chunks of the bases are, its embedder, and why there is none."""
    by_base = connection.execute(
        sa.select(bases.c.name, spaces.c.id, spaces.c.embedder, spaces.c.dimensions)
        .select_from(bases.outerjoin(spaces, spaces.c.id == bases.c.space))
        .where(bases.c.name.in_(within.bases))
        .where(sa.exists().where(documents.c.base == bases.c.name, documents.c.rows > 0))
        .order_by(bases.c.name)
    ).all()
    embedders = {row.embedder or "" for row in by_base}
    if not any(embedders):
        return None, "", "the bases keep no vectors"
    if len(embedders) > 1:
        said = ", ".join(f"{row.name}: {row.embedder or 'by words alone'}" for row in by_base)
        return None, "", f"the bases are not embedded alike ({said})"
    first = by_base[0]
    live = (
        sa.select(sa.func.total(documents.c.rows))
        .join(bases, bases.c.name == documents.c.base)
        .where(bases.c.space == first.id)
    )
    return Space(first.id, first.dimensions, int(connection.execute(live).scalar_one())), first.embedder, ""
