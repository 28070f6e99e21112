"""What may be asked next, and which questions are about the collection itself."""

from __future__ import annotations

import pytest

from kaozheng.documents.span import LineRange, Span
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.workflows.ask.citing import follow_ups
from kaozheng.workflows.ask.overview import ASKS_FOR_IT


def item(place: int, title: str, *path: str) -> EvidenceItem:
    return EvidenceItem(f"E{place}", "b", f"{place}.md", title, path, LineRange(1, 1), Span(0, 1), "x")


BUNDLE = EvidenceBundle(
    (item(1, "培训安排", "课程"), item(2, "机器", "看过的三家"), item(3, "培训安排", "培训安排")), "ok"
)


def test_only_headings_of_what_is_cited_are_asked_about() -> None:
    assert follow_ups("何时开课？", BUNDLE, ["E1"], "zh") == ["《培训安排》的“课程”部分还说了什么？"]
    assert follow_ups("何时开课？", BUNDLE, [], "zh") == []


def test_a_heading_that_the_question_names_is_not_asked_about_again() -> None:
    assert follow_ups("课程何时开始？", BUNDLE, ["E1"], "zh") == []


def test_the_title_alone_and_a_heading_that_is_a_question() -> None:
    assert follow_ups("When?", BUNDLE, ["E3"], "en") == ["What else does “培训安排” say?"]
    asks = EvidenceBundle((item(1, "手册", "断网了怎么办？"),), "ok")
    assert follow_ups("何时？", asks, ["E1"], "zh") == ["断网了怎么办？"]


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("知识库里有哪些文档？", True),
        ("介绍一下知识库", True),
        ("What is in the knowledge base?", True),
        ("Which documents are there?", True),
        ("如何添加知识库？", False),
        ("How do I add a folder to a knowledge base?", False),
    ],
)
def test_a_question_that_merely_names_a_knowledge_base_is_not_about_what_is_in_it(question: str, about: bool) -> None:
    assert bool(ASKS_FOR_IT.search(question)) is about
