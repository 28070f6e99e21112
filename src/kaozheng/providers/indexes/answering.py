"""An answer to a question: the legs, made one, with the chunks that they name."""

from __future__ import annotations

import sqlalchemy as sa

from kaozheng.providers.indexes.dense import NAME, query_vector
from kaozheng.providers.indexes.lexical import Lexical
from kaozheng.providers.indexes.reading import placed
from kaozheng.providers.indexes.scope import Scope, Scopes
from kaozheng.providers.indexes.shelf import Shelf
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.fusion import Leg, fuse
from kaozheng.sources.index import Found, Hit, Question, vector_lacking


class Answering:
    """Answers questions over one database. Safe to use from several threads."""

    def __init__(self, analyser: Analyser, shelf: Shelf) -> None:
        self._analyser = analyser
        self._shelf = shelf
        self._scopes = Scopes()

    def answer(self, connection: sa.Connection, question: Question) -> Found:
        """What `Index.search` gives, in this view of the database."""
        scope = self._scopes.of(connection, question.within)
        terms = self._analyser.terms(question.text)
        lexical = Lexical(self._shelf.postings(connection, scope), scope.chunks)
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

    def _dense(self, connection: sa.Connection, question: Question, scope: Scope) -> list[Leg]:
        if question.embedded is None:
            unasked = question.unembedded or vector_lacking(scope.embedder or "")
            return [Leg(NAME, refused=unasked)] if scope.embedder or question.unembedded else []
        if scope.space is None:
            return [Leg(NAME, refused=scope.apart)] if scope.chunks else []
        if scope.embedder != question.embedded.embedder:
            both = f"the bases are embedded by {scope.embedder}, the question by {question.embedded.embedder}"
            return [Leg(NAME, refused=both)]
        asked = query_vector(question.embedded.vectors, scope.space.dimensions)
        if isinstance(asked, str):
            return [Leg(NAME, refused=asked)]
        return [self._shelf.nearest(connection, scope, asked, question.candidates)]
