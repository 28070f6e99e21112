"""Knowledge bases: recall on real questions, document numbers in all their bracket forms, and what a query and a chunk
cost at 1,000 and 20,000 chunks.

Passages and questions are read from `../shared/bench`; without it there is nothing to measure. Where times are taken,
vectors are random: they cost what real ones cost and find nothing.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.material import DIMENSIONS, SHARED, chunk, lines
from bench.recall import figures, recall
from bench.row import Row
from kaozheng.providers.indexes.sqlite_index import open_index
from kaozheng.providers.indexes.stored_index import StoredIndex
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.cutting import cut
from kaozheng.sources.index import Embedded, Entry, Labels, Question, Within

SIZES = (1_000, 20_000)
QUESTIONS, NUMBERS = 200, 500
BRACKETS = ("〔〕", "[]", "［］", "()", "（）", "【】", "﹝﹞")
ASKED = ("{}", "{}是关于什么的文件？", "请问{}的主要内容", "根据{}，应当怎么办")


def measure() -> Iterator[Row]:
    if not SHARED.is_dir():
        yield Row("knowledge base", "not measured", f"{SHARED} is not here")
        return
    analyser = Analyser()
    for language in ("zh", "en"):
        yield from recall(analyser, language)
    yield from asyncio.run(_numbers(analyser))
    for size in SIZES:
        yield from asyncio.run(_costs(analyser, size))


async def _numbers(analyser: Analyser) -> Iterator[Row]:
    """Of 500 documents that cite each other, the one whose number is asked for, in every bracket form."""
    chance = random.Random(7)
    numbers = [
        (agency, year, number)
        for agency in ("国办发", "川府发", "川发改", "川经信企业", "内府办发")
        for year, number in zip(
            chance.choices(range(2015, 2025), k=100), chance.sample(range(1, 400), 100), strict=True
        )
    ]
    with tempfile.TemporaryDirectory() as folder:
        async with open_index(Path(folder) / "knowledge.db", analyser) as index:
            passages = lines("zh_passages.jsonl")
            for place, (agency, year, number) in enumerate(numbers):
                form = f"{agency}〔{year}〕{number}号"
                text = f"{form}\n{passages[place]['text'][:300]}"
                await index.put(Entry("kb", form, form), [chunk(form, 1, text)])
            places, forms = [], [(brackets, asked) for brackets in BRACKETS for asked in ASKED]
            for place, (agency, year, number) in enumerate(numbers):
                brackets, asked = forms[place % len(forms)]
                written = f"{agency}{brackets[0]}{year}{brackets[1]}{number}号"
                found = await index.search(Question(asked.format(written), Within(("kb",)), limit=10))
                best = [hit.entry.name for hit in found.hits]
                name = f"{agency}〔{year}〕{number}号"
                places.append(best.index(name) + 1 if name in best else 0)
    said = f"{len(BRACKETS)} bracket forms, {len(ASKED)} ways of asking"
    return iter([Row(f"{len(places)} document numbers", figures(places), said, bound="R@1 .99")])


async def _costs(analyser: Analyser, size: int) -> Iterator[Row]:
    chunks = _many(size)
    chance = np.random.default_rng(7)
    vectors = chance.normal(size=(size, DIMENSIONS)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    questions = [line["query"] for line in lines("zh_retrieval.jsonl")]
    questions = random.Random(7).sample(questions, QUESTIONS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "knowledge.db"
        async with open_index(path, analyser) as index:
            began, cpu = time.perf_counter(), time.process_time()
            for start in range(0, size, 20):
                part = [chunk(f"d{start}", number, text) for number, text in enumerate(chunks[start : start + 20], 1)]
                labels = Labels(level="县级" if start % 80 == 0 else "省级")
                entry = Entry("kb", f"d{start}", str(start), labels=labels)
                await index.put(entry, part, Embedded("random", vectors[start : start + 20]))
            took, cpu = time.perf_counter() - began, time.process_time() - cpu
            words = await _times(index, questions, Within(("kb",)), None)
            hybrid = await _times(index, questions, Within(("kb",)), vectors)
            narrow = await _times(index, questions, Within(("kb",), level=("县级",)), vectors)
        stored, matrix = _sizes(path)
    text = sum(len(chunk.encode()) for chunk in chunks)
    what = f"{size:,} chunks"
    return iter(
        [
            Row(f"{what}, hybrid", hybrid, "without embedding", bound="5 / 14 ms" if size == SIZES[-1] else ""),
            Row(f"{what}, hybrid, a quarter admitted", narrow),
            Row(f"{what}, words alone", words),
            Row(f"{what}, built", f"{size / took:,.0f} chunks/s", f"{cpu / size * 1000:.2f} ms CPU a chunk"),
            Row(
                f"{what}, on disk",
                f"{stored / size:,.0f} + {matrix / size:,.0f} bytes a chunk",
                f"text {text / size:,.0f}, vector {DIMENSIONS * 4:,}",
                f"{(stored + matrix) / (text + size * DIMENSIONS * 4):.1f}",
            ),
        ]
    )


async def _times(index: StoredIndex, questions: Sequence[str], within: Within, vectors: np.ndarray | None) -> str:
    took, cpu = [], time.process_time()
    for number, text in enumerate(questions):
        embedded = Embedded("random", vectors[number : number + 1]) if vectors is not None else None
        began = time.perf_counter()
        await index.search(Question(text, within, embedded))
        took.append((time.perf_counter() - began) * 1000)
    cuts = statistics.quantiles(took[10:], n=20)  # the first ones fill the caches
    cpu = (time.process_time() - cpu) / len(questions) * 1000
    return f"p50 {cuts[9]:.1f}, p95 {cuts[18]:.1f}, CPU {cpu:.1f} ms"


def _sizes(path: Path) -> tuple[int, int]:
    """Bytes of the database and of its matrix."""
    return path.stat().st_size, sum(file.stat().st_size for file in path.parent.glob("*.vectors/*"))


def _many(size: int) -> list[str]:
    """Different chunks of real text: the passages cut to 500 characters, then to less until there are enough."""
    texts = [line["text"] for name in ("zh_passages", "en_passages") for line in lines(f"{name}.jsonl")]
    whole = "\n\n".join(texts)
    found: dict[str, None] = {}
    for length in range(500, 200, -7):
        found |= dict.fromkeys(whole[span.start : span.end] for span in cut(whole, length, 50))
        if len(found) >= size:
            return list(found)[:size]
    raise ValueError(f"the passages give {len(found)} different chunks, not {size}")
