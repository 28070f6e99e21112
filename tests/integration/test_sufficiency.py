"""Whether what was found can answer: cases by the code's author, and two corpora by one who never saw the code."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from kaozheng.documents.span import LineRange, Span
from kaozheng.providers.indexes.sqlite_index import open_index
from kaozheng.providers.indexes.stored_index import StoredIndex
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.chunks import chunks_of
from kaozheng.sources.index import Embedded, Entry, Found, Question, Within
from kaozheng.sources.source import Source
from kaozheng.sources.sufficiency import Sufficiency, sufficiency

TESTS = Path(__file__).parents[1]
OWN = yaml.safe_load((TESTS / "evidence" / "abstain_own.yml").read_text(encoding="utf-8"))
BLIND = yaml.safe_load((TESTS / "workflows" / "ask_cases" / "abstain_blind.yml").read_text(encoding="utf-8"))
SHORT = yaml.safe_load((TESTS / "evidence" / "abstain_short.yml").read_text(encoding="utf-8"))
NOTES = TESTS.parent / "examples"
# Of 18 and 12 in Chinese, of 12 and 8 in English: kept with the place that answers among what was found, refused.
SHORT_SCORES = {"zh": (15, 11), "en": (12, 6)}
# Of 20 and 20, by words alone: questions in other words than the text, and questions about what it almost says.
FIRST_SCORES = {"zh-grain-dryer": (15, 18), "en-dunmore-county": (12, 11)}


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[StoredIndex]:
    async with open_index(tmp_path / "knowledge.db", Analyser()) as index:
        yield index


async def fill(index: StoredIndex, texts: list[str], title: str = "", vectors: np.ndarray | None = None) -> None:
    chunks = [
        Chunk(chunk_id("d", (), n, text), "d", (), n, Span(0, len(text)), LineRange(1, 1), text, title)
        for n, text in enumerate(texts, 1)
    ]
    await index.put(Entry("kb", "d", "0", title), chunks, Embedded("e", vectors) if vectors is not None else None)


async def fill_with_notes(index: StoredIndex, folder: str) -> None:
    for path in sorted((NOTES / folder).glob("*.md")):
        source = Source.of(path.read_text(encoding="utf-8"), path=path.name)
        await index.put(Entry("kb", path.name, source.sha256, source.title), chunks_of(source))


async def judged(index: StoredIndex, text: str, vector: np.ndarray | None = None) -> Sufficiency:
    return sufficiency(text, await found_for(index, text, vector), Analyser())


async def found_for(index: StoredIndex, text: str, vector: np.ndarray | None = None) -> Found:
    embedded = Embedded("e", vector) if vector is not None else None
    return await index.search(Question(text, Within(("kb",)), embedded))


async def answers(index: StoredIndex, question: str, *places: str) -> bool:
    found = await found_for(index, question)
    wanted = set(zip(places[::2], places[1::2], strict=True))
    there = any((hit.entry.name, heading) in wanted for hit in found.hits for heading in hit.chunk.path)
    return there and sufficiency(question, found, Analyser()).enough


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in OWN["cases"]])
async def test_own_case(index: StoredIndex, case: dict[str, Any]) -> None:
    await fill(index, OWN["bases"][case["language"]])
    found = await judged(index, case["question"])
    assert found.enough == case["enough"], found
    for term in case.get("missing", []):
        assert term in found.why


def _text(asked: str | dict[str, str]) -> str:
    return asked if isinstance(asked, str) else asked["question"]


@pytest.mark.parametrize("corpus", [pytest.param(corpus, id=corpus["id"]) for corpus in BLIND])
async def test_blind_corpus_by_words_alone(index: StoredIndex, corpus: dict[str, Any]) -> None:
    await fill(index, [passage["text"] for passage in corpus["passages"]], corpus["title"])
    kept = [(await judged(index, asked["question"])).enough for asked in corpus["answerable"]]
    refused = [not (await judged(index, asked)).enough for asked in map(_text, corpus["unanswerable"])]
    least_kept, least_refused = FIRST_SCORES[corpus["id"]]
    assert sum(kept) >= least_kept
    assert sum(refused) >= least_refused


@pytest.mark.parametrize("language", SHORT)
async def test_short_questions_over_small_bases_by_words_alone(index: StoredIndex, language: str) -> None:
    cases = SHORT[language]
    await fill_with_notes(index, cases["base"])
    kept = [await answers(index, *asked) for asked in cases["answerable"]]
    refused = [not (await judged(index, asked)).enough for asked in cases["unanswerable"]]
    least_kept, least_refused = SHORT_SCORES[language]
    assert sum(kept) >= least_kept
    assert sum(refused) >= least_refused


async def test_empty_base_is_never_enough(index: StoredIndex) -> None:
    await fill(index, ["公章由两人保管。"])
    assert await judged(index, "quantum chromodynamics") == Sufficiency(
        False, float("-inf"), ("quantum", "chromodynamic")
    )


async def test_vector_that_stands_out_decides_where_words_do_not(index: StoredIndex) -> None:
    texts = [f"第{n}节：设备的维护与保养须知，部件编号为A{n}。" for n in range(12)]
    vectors = np.eye(12, 16, dtype=np.float32)
    await fill(index, texts, vectors=vectors)
    near = await judged(index, "设备怎样保养？", vectors[3:4])
    far = await judged(index, "设备怎样保养？", np.eye(1, 16, k=15, dtype=np.float32))
    assert near.score > far.score + 10
    assert near.enough


@pytest.mark.parametrize(
    ("question", "enough"), [("年假有几天？", True), ("备份保留多少天？", True), ("珠穆朗玛峰有多高？", False)]
)
async def test_a_base_of_two_chunks_is_judged_like_any_other(index: StoredIndex, question: str, enough: bool) -> None:
    """FTS5 scores a word that half of all chunks have as nothing."""
    await fill(index, ["工龄满一年的员工每年有5天年假。", "数据备份每晚两点运行，保留30天。"])
    assert (await judged(index, question)).enough is enough
