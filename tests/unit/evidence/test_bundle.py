"""Bundles: hits of several queries under labels."""

from __future__ import annotations

import json

import pytest

from kaozheng.documents.span import LineRange, Span
from kaozheng.evidence.bundle import EvidenceBundle, Gathered, bundle_of
from kaozheng.evidence.support import Supporter
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.index import Entry, Hit


def hit(text: str, document: str = "a.md", score: float = 0.5, base: str = "kb") -> Hit:
    chunk = Chunk(
        chunk_id(document, ("总则",), 1, text), document, ("总则",), 1, Span(7, 7 + len(text)), LineRange(3, 3), text
    )
    return Hit(Entry(base, document, "0", "管理办法"), chunk, "1", score, False, {})


def test_labels_follow_the_order_of_queries_and_hits() -> None:
    bundle = bundle_of([Gathered([hit("甲。"), hit("乙。")]), Gathered([hit("丙。")])])
    assert [(item.label, item.text) for item in bundle.items] == [("E1", "甲。"), ("E2", "乙。"), ("E3", "丙。")]
    assert bundle.item("E3") is bundle.items[2]
    assert bundle.item("E4") is None


def test_chunk_found_twice_is_one_item_with_both_targets_and_the_better_score() -> None:
    bundle = bundle_of([Gathered([hit("甲。", score=0.4)], "A"), Gathered([hit("乙。"), hit("甲。", score=0.9)], "B")])
    assert [(item.text, item.targets, item.score) for item in bundle.items] == [
        ("甲。", ("A", "B"), 0.9),
        ("乙。", ("B",), 0.5),
    ]
    assert [item.label for item in bundle.of_target("A")] == ["E1"]


def test_same_text_in_two_documents_is_one_item() -> None:
    bundle = bundle_of([Gathered([hit("甲 乙。", "a.md"), hit("甲\n乙。", "b.md")])])
    assert [(item.label, item.document) for item in bundle.items] == [("E1", "a.md")]


@pytest.mark.parametrize(
    ("hits", "failures", "state"),
    [
        ([hit("甲。")], [], "ok"),
        ([hit("甲。")], ["kb2: locked"], "partial"),
        ([], ["kb2: locked"], "error"),
        ([], [], "empty"),
        ([hit(" \n")], [], "empty"),
    ],
)
def test_state_says_how_the_search_went(hits: list[Hit], failures: list[str], state: str) -> None:
    assert bundle_of([Gathered(hits)], failures).state == state


def test_bundle_survives_json() -> None:
    bundle = bundle_of([Gathered([hit("甲。"), hit("乙。")], "A")], ["kb2: locked"])
    assert EvidenceBundle.from_dict(json.loads(json.dumps(bundle.as_dict()))) == bundle


@pytest.mark.parametrize(
    "given", [{}, {"items": [{}], "state": "ok", "failures": []}, {"items": [], "state": "fine", "failures": []}]
)
def test_other_json_is_no_bundle(given: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="bundle"):
        EvidenceBundle.from_dict(given)


def test_passages_carry_evidence_with_the_place_in_the_document() -> None:
    bundle = bundle_of([Gathered([hit("公章须双人管理。罚款上限20万元。")])])
    evidence = Supporter(bundle.passages).best("罚款上限为20万元")
    assert evidence is not None
    assert (evidence.passage, evidence.source, evidence.quote) == ("E1", "a.md", "罚款上限20万元。")
    assert evidence.span == Span(7 + 8, 7 + 17)


def test_rows_of_a_table_are_read_one_by_one() -> None:
    bundle = bundle_of([Gathered([hit("| 项目 | 金额 |\n| --- | --- |\n| 罚款上限 | 20万元 |\n| 保证金 | 5万元 |")])])
    evidence = Supporter(bundle.passages).best("罚款上限 20万元")
    assert evidence is not None
    assert "保证金" not in evidence.quote
