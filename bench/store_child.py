"""One store in a process of its own: `store_child.py NAME FOLDER ADDRESS` fills it from FOLDER, asks it, and prints
what that took as JSON.

Chroma runs under another interpreter (it brings 86 packages), so this file imports nothing of the house for it.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

CHUNKS_A_DOCUMENT = 20
ADMITTED = 4  # of so many documents one is admitted by the filter
CANDIDATES, LIMIT = 50, 10
_RRF = 60


class Material:
    """What the parent left in the folder."""

    def __init__(self, folder: Path) -> None:
        self.texts: list[str] = json.loads((folder / "texts.json").read_text(encoding="utf-8"))
        self.questions: list[dict[str, str]] = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
        self.vectors = np.load(folder / "vectors.npy")
        self.asked = np.load(folder / "asked.npy")

    def documents(self) -> Iterator[tuple[int, list[str], np.ndarray]]:
        """Number, texts and vectors of each."""
        for start in range(0, len(self.texts), CHUNKS_A_DOCUMENT):
            end = start + CHUNKS_A_DOCUMENT
            yield start // CHUNKS_A_DOCUMENT, self.texts[start:end], self.vectors[start:end]


def level(document: int) -> str:
    """The label by which is filtered."""
    return "县级" if document % ADMITTED == 0 else "省级"


async def ours(material: Material, address: str) -> dict[str, Any]:
    """SQLite at a path, PostgreSQL at an address."""
    from kaozheng.documents.span import LineRange, Span
    from kaozheng.providers.indexes.opening import open_bases
    from kaozheng.sources.chunk import Chunk, chunk_id
    from kaozheng.sources.index import Embedded, Entry, Labels, Question, Within

    def chunk(name: str, number: int, text: str) -> Chunk:
        span, lines = Span(0, len(text)), LineRange(number, number)
        return Chunk(chunk_id(name, (), number, text), name, (), number, span, lines, text)

    async with open_bases(address) as index:
        began, cpu = time.perf_counter(), time.process_time()
        for number, texts, vectors in material.documents():
            entry = Entry("kb", f"d{number}", str(number), labels=Labels(level=level(number)))
            chunks = [chunk(entry.name, place, text) for place, text in enumerate(texts, 1)]
            await index.put(entry, chunks, Embedded("random", vectors))
        built = (time.perf_counter() - began, time.process_time() - cpu)

        async def ask(number: int, *, narrow: bool) -> list[str]:
            within = Within(("kb",), level=("县级",) if narrow else ())
            embedded = Embedded("random", material.asked[number : number + 1])
            asked = Question(material.questions[number]["text"], within, embedded, limit=LIMIT, candidates=CANDIDATES)
            return [hit.chunk.id for hit in (await index.search(asked)).hits]

        return await _measured(ask, len(material.questions), built)


async def chroma(material: Material, address: str) -> dict[str, Any]:
    """Chroma on disk: it has no ranking by words here, so those that contain the question's telling word are its words
    leg, fused by ranks."""
    import chromadb

    client = chromadb.PersistentClient(path=address)
    collection = client.create_collection("knowledge", metadata={"hnsw:space": "ip"}, embedding_function=None)
    began, cpu = time.perf_counter(), time.process_time()
    batch: dict[str, list[Any]] = {"ids": [], "documents": [], "embeddings": [], "metadatas": []}

    def flush() -> None:
        if batch["ids"]:
            collection.add(**batch)
            for column in batch.values():
                column.clear()

    for number, texts, vectors in material.documents():
        for place, (text, vector) in enumerate(zip(texts, vectors, strict=True)):
            batch["ids"].append(f"{number}-{place}")
            batch["documents"].append(text)
            batch["embeddings"].append(vector)
            batch["metadatas"].append({"level": level(number)})
        if len(batch["ids"]) >= 1_000:
            flush()
    flush()
    built = (time.perf_counter() - began, time.process_time() - cpu)

    async def ask(number: int, *, narrow: bool) -> list[str]:
        where = {"level": "县级"} if narrow else None
        vector = material.asked[number : number + 1]
        near = collection.query(query_embeddings=vector, n_results=CANDIDATES, where=where, include=["distances"])
        word = {"$contains": material.questions[number]["word"]}
        has = collection.get(where_document=word, where=where, limit=CANDIDATES, include=[])
        scores: dict[str, float] = {}
        for ranked in (near["ids"][0], has["ids"]):
            for place, one in enumerate(ranked, 1):
                scores[one] = scores.get(one, 0.0) + 1 / (_RRF + place)
        best = sorted(scores, key=lambda one: -scores[one])[:LIMIT]
        return list(collection.get(ids=best, include=["documents", "metadatas"])["ids"])

    return await _measured(ask, len(material.questions), built)


async def _measured(ask: Callable[..., Awaitable[list[str]]], count: int, built: tuple[float, float]) -> dict[str, Any]:
    said: dict[str, Any] = {"built_s": built[0], "built_cpu_s": built[1], "built_mb": _memory_mb()}
    for name, narrow in (("all", False), ("narrow", True)):
        took, found = [], []
        cpu = time.process_time()
        for number in range(count):
            began = time.perf_counter()
            found.append(await ask(number, narrow=narrow))
            took.append((time.perf_counter() - began) * 1000)
        cuts = statistics.quantiles(took[10:], n=20)  # the first ones fill the caches
        cpu_ms = (time.process_time() - cpu) * 1000 / count
        said[name] = {"p50": cuts[9], "p95": cuts[18], "cpu_ms": cpu_ms, "found": found}
    return said | {"rss_mb": _memory_mb()}


def _memory_mb() -> float:
    """What this process holds now."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


if __name__ == "__main__":
    what, folder, address = sys.argv[1:]
    measured = (chroma if what == "chroma" else ours)(Material(Path(folder)), address)
    print(json.dumps(asyncio.run(measured)))
