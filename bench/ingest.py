"""Documents into a knowledge base: files a second, a folder of 1,000 files in which nothing has changed, one in which
ten have, and what a kill in the middle costs.

Texts are those of `../shared/bench`, or made up where that is not there. The embedder counts words: what real ones cost
is measured by `bench embed`, here only how often they are asked.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.process import kaozheng
from bench.row import Row
from kaozheng.providers.indexes.sqlite_index import open_index
from kaozheng.providers.readers.folder_files import open_files
from kaozheng.providers.stores.vectors_file import FolderVectors
from kaozheng.sources.vectors import Embedder
from kaozheng.testing.memory_vectors import HashedEmbedder
from kaozheng.testing.scripted_fetcher import ScriptedFetcher
from kaozheng.workflows.ingest.ingest import IngestPorts, ingest
from kaozheng.workflows.ingest.report import IngestReport
from kaozheng.workflows.ingest.request import IngestRequest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "bench" / "zh_passages.jsonl"
FILES, CHANGED, TABLES = 1_000, 10, 50


def measure() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_ingests(Path(folder)))
    with tempfile.TemporaryDirectory() as folder:
        yield from _killed(Path(folder))


async def _ingests(folder: Path) -> list[Row]:
    notes, database = _notes(folder), folder / "knowledge.db"
    embedder = HashedEmbedder()
    first = await _ingest(notes, database, embedder)
    asked = len(embedder.embedded)
    again = await _ingest(notes, database, embedder)
    said = f"{again.counts['unchanged']} unchanged, {len(embedder.embedded) - asked} texts embedded"
    for number in range(CHANGED):
        path = notes / f"{number:04}.md"
        path.write_text(path.read_text(encoding="utf-8") + "\n又一段。\n", encoding="utf-8")
    changed = await _ingest(notes, database, embedder)
    words = await _ingest(notes, folder / "words.db", None)
    tables = folder / "tables"
    tables.mkdir()
    for number in range(TABLES):
        (tables / f"{number}.csv").write_text("科目,数\n" + "".join(f"{n}号,{n * number}\n" for n in range(50)))
    converted = await _ingest(tables, folder / "tables.db", None)
    return [
        Row(f"ingest {FILES} Markdown files, by words", _rate(words), f"{words.chunks} chunks"),
        Row(f"ingest {FILES} Markdown files, with vectors", _rate(first), f"{first.embedded} texts embedded"),
        Row(f"ingest {TABLES} CSV files (child processes)", _rate(converted), f"{converted.chunks} chunks"),
        Row(f"again, nothing changed in {FILES} files", f"{again.seconds:.2f} s", said, bound="< 5 s, 0 embedded"),
        Row(
            f"again, {CHANGED} of {FILES} files changed",
            f"{changed.seconds:.2f} s",
            f"{changed.embedded} texts embedded, {changed.reused} known already",
        ),
    ]


def _killed(folder: Path) -> Iterator[Row]:
    """The command line killed in the middle, and asked again."""
    notes = _notes(folder)
    process = kaozheng("kb", "add", str(notes), data=folder)
    assert process.stderr
    lines = 0
    for line in process.stderr:
        lines += line.startswith("added")
        if lines == FILES // 2:
            break
    process.kill()
    process.communicate()
    began = time.perf_counter()
    report = json.loads(kaozheng("kb", "add", str(notes), "--json", data=folder).communicate(timeout=300)[0])
    took_s = time.perf_counter() - began
    counts = ", ".join(f"{count} {status}" for status, count in report["counts"].items())
    twice = max(0, lines - report["counts"].get("unchanged", 0))
    yield Row("kill -9 after half, the same command again", f"{took_s:.2f} s", counts)
    yield Row("documents that were told as added and done again", str(twice), bound="0")


async def _ingest(notes: Path, database: Path, embedder: Embedder | None) -> IngestReport:
    async with open_index(database) as index, open_files() as files:
        ports = IngestPorts(index, files, ScriptedFetcher({}), FolderVectors(database.parent / "shelf"), embedder)
        return await ingest(IngestRequest("kb", (notes,)), ports)


def _notes(folder: Path) -> Path:
    text = _texts()
    notes = folder / "notes"
    notes.mkdir()
    for number in range(FILES):
        body = "\n\n".join(f"## 第 {part} 节\n\n{text(number * 3 + part)}" for part in range(3))
        (notes / f"{number:04}.md").write_text(f"# 文件 {number}\n\n{body}\n", encoding="utf-8")
    return notes


def _texts() -> Callable[[int], str]:
    if not SHARED.exists():
        return lambda number: f"第 {number} 段讲水稻种植面积与粮食产量。" * 15
    passages = [json.loads(line)["text"] for line in SHARED.read_text(encoding="utf-8").splitlines()]
    return lambda number: str(passages[number % len(passages)])


def _rate(report: IngestReport) -> str:
    return f"{len(report.outcomes) / report.seconds:.0f} files/s"
