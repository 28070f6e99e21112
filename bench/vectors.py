"""Vectors far above 20,000 chunks: exact, as the SQLite store compares them, and usearch's graph beside it.

usearch is measured when it is installed (pip install usearch). The vectors are those of the bench's passages with noise
where they are kept (see `embedded`), else random. A filter admits a tenth of the documents, each of 20 chunks.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np

from bench.embedded import embedded
from bench.material import DIMENSIONS, SHARED, lines
from bench.row import Row
from kaozheng.errors import MissingExtraError
from kaozheng.providers.indexes.dense import dense_leg
from kaozheng.providers.indexes.matrix import Block

SIZES = tuple(int(size) for size in os.environ.get("KAOZHENG_BENCH_VECTORS", "100000 300000").split())
QUESTIONS, CANDIDATES = 60, 50
_DOCUMENT, _ADMITTED = 20, 10
_NOISE = 0.6


def measure() -> Iterator[Row]:
    for size in SIZES:
        vectors, asked = _many(size)
        block = Block(np.arange(1, size + 1, dtype=np.int64), vectors)
        narrow = [(first, _DOCUMENT) for first in range(1, size + 1, _DOCUMENT * _ADMITTED)]
        whole, exact = _times(asked, lambda one, block=block, size=size: _exact(block, [(1, size)], one))
        few, exact_few = _times(asked, lambda one, block=block, narrow=narrow: _exact(block, narrow, one))
        theirs, theirs_few = _usearch(vectors, asked, exact, exact_few, narrow)
        yield Row(f"{size:,} vectors, exact", whole, theirs)
        yield Row(f"{size:,} vectors, exact, a tenth admitted", few, theirs_few)


def _exact(block: Block, ranges: list[tuple[int, int]], asked: np.ndarray) -> list[int]:
    return [int(row) for row, _ in dense_leg([block], ranges, asked, CANDIDATES).hits]


def _times(asked: np.ndarray, ask: Callable[[np.ndarray], list[int]]) -> tuple[str, list[list[int]]]:
    took, found = [], []
    cpu = time.process_time()
    for one in asked:
        began = time.perf_counter()
        found.append(ask(one))
        took.append((time.perf_counter() - began) * 1000)
    cuts = statistics.quantiles(took[5:], n=20)
    cpu = (time.process_time() - cpu) * 1000 / len(asked)
    return f"p50 {cuts[9]:.1f}, p95 {cuts[18]:.1f}, CPU {cpu:.1f} ms", found


def _usearch(
    vectors: np.ndarray,
    asked: np.ndarray,
    exact: list[list[int]],
    exact_few: list[list[int]],
    narrow: list[tuple[int, int]],
) -> tuple[str, str]:
    """Time and recall of the graph, and recall where its candidates are filtered afterwards (it knows no filter)."""
    try:
        from usearch.index import Index
    except ImportError:
        return "usearch not measured: pip install usearch", ""
    began = time.process_time()
    graph = Index(ndim=DIMENSIONS, metric="ip", dtype="f32")
    graph.add(np.arange(1, len(vectors) + 1), vectors)
    built = time.process_time() - began
    said, found = _times(asked, lambda one: [int(row) for row in graph.search(one, CANDIDATES).keys])
    admitted = {row for first, count in narrow for row in range(first, first + count)}
    wide = [[int(row) for row in graph.search(one, CANDIDATES * _ADMITTED).keys] for one in asked]
    few = [[row for row in rows if row in admitted] for rows in wide]
    return (
        f"usearch {said}, recall {_share(exact, found):.3f}, built in {built:.0f} s CPU",
        f"{CANDIDATES * _ADMITTED} of usearch, then filtered: recall {_share(exact_few, few):.3f}",
    )


def _share(exact: list[list[int]], found: list[list[int]]) -> float:
    """Of the exact nearest, how many were found."""
    return float(np.mean([len({*one} & {*other}) / len(one) for one, other in zip(exact, found, strict=True)]))


def _many(size: int) -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(7)
    seeds, asked = _seeds(chance)
    vectors = np.empty((size, DIMENSIONS), dtype=np.float32)
    for start in range(0, size, 10_000):
        count = min(10_000, size - start)
        noise = chance.normal(size=(count, DIMENSIONS)) * _NOISE / np.sqrt(DIMENSIONS)
        vectors[start : start + count] = seeds[chance.integers(len(seeds), size=count)] + noise
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors, np.ascontiguousarray(asked[chance.integers(len(asked), size=QUESTIONS)])


def _seeds(chance: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    if SHARED.is_dir():
        passages = [one["text"] for one in lines("zh_passages.jsonl")]
        questions = [one["query"] for one in lines("zh_retrieval.jsonl")]
        try:
            return asyncio.run(embedded(passages, questions))[1:]
        except MissingExtraError:
            pass
    random = chance.normal(size=(2_000, DIMENSIONS)).astype(np.float32)
    random /= np.linalg.norm(random, axis=1, keepdims=True)
    return random, random[:QUESTIONS]
