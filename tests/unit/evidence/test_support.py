from __future__ import annotations

import hashlib

import pytest

from kaozheng.documents.span import LineRange
from kaozheng.evidence.evidence import Evidence, Statement
from kaozheng.evidence.support import Supporter, match
from kaozheng.sources.material import build_material
from kaozheng.sources.passage import Passage
from kaozheng.sources.source import Reading, Source

NOTES = """# 消息

消息发送失败时，生产者至多重试2次。总耗时不超过10秒，超过后抛出异常。

- 单条消息不超过4MB
- 延迟等级共18个

| 参数 | 默认值 |
|---|---|
| maxMessageSize | 4MB |
"""
OTHER = """# Heron

The total budget of Project Heron is 1.2 million euros. The first release is planned for 1 March 2024.
The service does not store passwords.
"""
SOURCES = [Source.of(NOTES, "notes.md", "S1"), Source.of(OTHER, "heron.md", "S2")]


@pytest.fixture
def passages() -> list[Passage]:
    material = build_material(Reading(SOURCES, []))
    return [passage for unit in material.units for passage in unit.passages]


def best(sentence: str, passages: list[Passage], marked: tuple[str, ...] = ()) -> Evidence | None:
    return Supporter(passages, {"S1": "notes.md", "S2": "heron.md"}).best(sentence, marked)


def test_verbatim_sentence_is_cut_with_its_place(passages: list[Passage]) -> None:
    found = best("总耗时不超过 10 秒，超过后抛出异常", passages)
    assert found is not None
    assert (found.path, found.lines, found.support) == ("notes.md", LineRange(3, 3), 1.0)
    assert NOTES[found.span.start : found.span.end] == found.quote == "总耗时不超过10秒，超过后抛出异常"
    assert found.sha256 == hashlib.sha256(found.quote.encode()).hexdigest()
    assert found.holds_in(NOTES)
    assert not found.holds_in(NOTES.replace("10秒", "11秒"))


@pytest.mark.parametrize(
    "sentence",
    [
        "消息发送失败时生产者最多会重试2次。",
        "生产者在消息发送失败时至多重试两次[^1]。",
        "Project Heron has a total budget of 1.2 million euros.",
        "maxMessageSize 的默认值是 4MB。",
    ],
)
def test_reworded_sentence_is_supported(sentence: str, passages: list[Passage]) -> None:
    assert best(sentence, passages) is not None


@pytest.mark.parametrize(
    "sentence",
    [
        "消息发送失败时，生产者至多重试3次。",
        "The total budget of Project Heron is 1.5 million euros.",
        "The total budget of Project Kestrel is 1.2 million euros.",
        "The first release is planned for 2 March 2024.",
        "The service does store passwords.",
        "集群由三个节点组成，节点之间互为备份。",
        "。",
    ],
)
def test_changed_or_foreign_sentence_is_not_supported(sentence: str, passages: list[Passage]) -> None:
    assert best(sentence, passages) is None


def test_right_number_in_the_neighbour_does_not_repair_a_wrong_one(passages: list[Passage]) -> None:
    assert best("消息发送失败时，生产者至多重试10次。", passages) is None


def test_marked_passage_wins_over_an_equal_one() -> None:
    twice = [Source.of("延迟等级共18个。", "a.md", "S1"), Source.of("延迟等级共18个。", "b.md", "S2")]
    units = build_material(Reading(twice, [])).units
    both = [passage for unit in units for passage in unit.passages]
    found = match("延迟等级共18个。", both, [both[1].id])
    assert found is not None
    assert found.source == "S2"


def test_a_wrong_mark_falls_back_to_all_passages(passages: list[Passage]) -> None:
    foreign = next(passage.id for passage in passages if passage.source == "S2")
    found = best("延迟等级共18个", passages, (foreign, "S9:9"))
    assert found is not None
    assert found.source == "S1"


def test_quote_is_the_smallest_window(passages: list[Passage]) -> None:
    found = best("生产者至多会重试2次，消息发送失败时。", passages)
    assert found is not None
    assert found.quote.endswith("重试2次。")


def test_dicts_hold_plain_values(passages: list[Passage]) -> None:
    found = best("延迟等级共18个", passages)
    assert found is not None
    data = Statement("延迟等级共18个。", LineRange(7, 7), [found.labelled("E1")], "supported").as_dict()
    assert data["status"] == "supported"
    assert data["evidence"][0]["label"] == "E1"
    assert data["evidence"][0]["lines"] == [6, 6]
