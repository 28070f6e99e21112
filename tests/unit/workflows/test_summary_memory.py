"""The memory of a summary: what is nearest is found by words and by meaning, nothing is told twice."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.errors import MissingExtraError, ModelError, ModelRefusedError
from kaozheng.evidence.sentence import Sentence
from kaozheng.testing.memory_vectors import HashedEmbedder
from kaozheng.workflows.summarize.memory import (
    SECTION,
    Memory,
    MemoryEntry,
    from_json,
    recalled,
    remembered,
    to_json,
    written_back,
)


def entry(id, *texts, level=0, path=(), passages=()):
    sentences = tuple(Sentence(text, tuple(passages)) for text in texts)
    return MemoryEntry(id, level, int(id.rpartition(".")[2].lstrip("S")), path, sentences, "offline", "")


BUDGET = entry("M0.0", "预算共 3 亿元。", "资金来自专项债券。", path=("资金",), passages=["S1:1"])
BRIDGE = entry("M0.1", "大桥于 2025 年 6 月通车。", path=("工程",), passages=["S1:2"])
PEOPLE = entry("M0.2", "搬迁居民 1,200 户。", path=("居民",), passages=["S1:3"])
ALL = [BUDGET, BRIDGE, PEOPLE]


def ids(entries):
    return [one.id for one in entries]


class Failing:
    """An embedder that fails after so many calls."""

    name = "failing"

    def __init__(self, error, after=0):
        self._left, self._error, self._real = after, error, HashedEmbedder()

    async def embed(self, texts, kind):
        if not self._left:
            raise self._error
        self._left -= 1
        return await self._real.embed(texts, kind)


def test_the_nearest_by_words_is_first_and_what_shares_none_is_not_there():
    assert ids(Memory(ALL).nearest("专项债券资金")) == ["M0.0"]
    assert ids(Memory(ALL).nearest("大桥何时通车，居民搬迁多少户", k=1)) in (["M0.1"], ["M0.2"])
    assert Memory(ALL).nearest("天气") == []
    assert Memory().nearest("资金") == []


def test_the_heading_above_a_memory_leads_to_it():
    assert ids(Memory(ALL).nearest("工程")) == ["M0.1"]


def test_what_the_caller_has_already_is_left_out():
    assert ids(Memory(ALL).nearest("资金 大桥", but={"M0.0", "M9.9"})) == ["M0.1"]


def test_vectors_find_what_shares_no_word():
    vectors = np.eye(3, dtype=np.float32)
    memory = Memory(ALL, vectors)
    assert ids(memory.nearest("天气", np.array([0.1, 0.2, 0.9], dtype=np.float32), k=2)) == ["M0.2", "M0.1"]


def test_words_and_vectors_are_weighed_together():
    vectors = np.eye(3, dtype=np.float32)
    near_people = np.array([0.0, 0.6, 0.7], dtype=np.float32)
    assert ids(Memory(ALL, vectors).nearest("大桥通车", near_people, k=2)) == ["M0.1", "M0.2"]


def test_meaning_outweighs_a_shared_word():
    vectors = np.eye(3, dtype=np.float32)
    assert ids(Memory(ALL, vectors).nearest("大桥", np.array([0, 0, 1], dtype=np.float32), k=2)) == ["M0.2", "M0.1"]


def test_what_was_added_is_found_at_once():
    memory = Memory(ALL)
    memory.add(entry("S1", "气象台发布暴雨预警。", level=SECTION))
    assert ids(memory.nearest("暴雨预警")) == ["S1"]
    assert ids(memory.entries) == ["M0.0", "M0.1", "M0.2", "S1"]
    assert memory["S1"].text == "气象台发布暴雨预警。"


def test_an_id_is_kept_once():
    memory = Memory(ALL)
    with pytest.raises(ValueError, match=r"M0\.1 is in this memory already"):
        memory.add(BRIDGE)
    with pytest.raises(ValueError, match="2 vectors"):
        Memory(ALL, np.eye(2, dtype=np.float32))


def test_the_summary_of_a_summary_does_not_come_beside_it():
    above = entry("M1.0", "预算共 3 亿元。", level=1, passages=["S1:1"])
    memory = Memory([*ALL, above])
    assert len(memory.nearest("预算 3 亿元")) == 1
    assert memory.nearest("预算 3 亿元", but={"M0.0"}) == []
    assert ids(memory.nearest("预算 3 亿元", but={"M1.0"})) == []


def test_a_section_that_was_written_comes_beside_the_memories_it_was_written_from():
    memory = Memory([*ALL, entry("S1", "预算共 3 亿元。", level=SECTION, passages=["S1:1"])])
    assert set(ids(memory.nearest("预算 3 亿元"))) == {"M0.0", "S1"}


async def test_an_embedder_gives_each_entry_a_vector_and_the_question_too():
    embedder = HashedEmbedder()
    memory = await remembered(ALL, embedder)
    assert memory.has_vectors
    assert embedder.embedded == [one.text for one in ALL]
    assert ids(await recalled(memory, "大桥通车", embedder))[0] == "M0.1"
    await written_back(memory, entry("S1", "暴雨预警已经发布。", level=SECTION), embedder)
    assert embedder.embedded[-2:] == ["大桥通车", "暴雨预警已经发布。"]
    assert ids(await recalled(memory, "暴雨预警", embedder, k=1)) == ["S1"]
    assert memory.note == ""


@pytest.mark.parametrize("error", [ModelError("down"), ModelRefusedError("wrong key"), MissingExtraError("no extra")])
async def test_an_embedder_that_fails_leaves_the_words_and_a_note(error):
    embedder = Failing(error)
    memory = await remembered(ALL, embedder)
    assert not memory.has_vectors
    assert memory.note == f"failing does not answer, memories are found by their words: {error}"
    assert ids(await recalled(memory, "大桥通车", embedder)) == ["M0.1"]
    await written_back(memory, entry("S1", "暴雨预警。", level=SECTION), embedder)
    assert ids(await recalled(memory, "暴雨预警", embedder)) == ["S1"]


async def test_an_embedder_that_fails_in_between_leaves_the_words_for_that_question():
    embedder = Failing(ModelError("down"), after=1)
    memory = await remembered(ALL, embedder)
    assert (memory.has_vectors, memory.note) == (True, "")
    await written_back(memory, entry("S1", "暴雨预警。", level=SECTION), embedder)
    assert ids(await recalled(memory, "暴雨预警", embedder)) == ["S1"]
    assert "down" in memory.note


async def test_without_an_embedder_or_entries_nothing_is_embedded():
    assert not (await remembered(ALL, None)).has_vectors
    embedder = HashedEmbedder()
    assert (await remembered([], embedder)).entries == []
    assert embedder.embedded == []


def test_sentences_stand_apart_only_where_their_script_has_blanks():
    assert BUDGET.text == "预算共 3 亿元。资金来自专项债券。"
    assert entry("M0.0", "It rained.", "It stopped.").text == "It rained. It stopped."


WORDS = st.text(max_size=12)


@given(
    st.lists(
        st.builds(
            MemoryEntry,
            WORDS,
            st.integers(-1, 5),
            st.integers(0, 500),
            st.lists(WORDS, max_size=3).map(tuple),
            st.lists(st.builds(Sentence, WORDS, st.lists(WORDS, max_size=2).map(tuple)), max_size=3).map(tuple),
            WORDS,
            WORDS,
        ),
        max_size=5,
    )
)
def test_entries_come_back_from_json_as_they_were(entries):
    assert from_json(to_json(entries)) == entries


@pytest.mark.parametrize("text", ["[]", '{"format": 9}'])
def test_other_json_is_no_memory(text):
    with pytest.raises(ValueError, match="not a memory"):
        from_json(text)
