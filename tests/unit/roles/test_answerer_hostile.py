"""The answerer's twin over any text: it says nothing that is not there."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.documents.span import LineRange, Span
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.roles.answerer import REFUSALS, AnswerTask, offline
from kaozheng.roles.answerer.statements import statements

PIECES = (
    *("年假", "有5天", "。", "\n", "\n\n", "- ", "| a | b |", "|---|---|", "```", "1. ", "# ", "[E9]", "：", " "),
    *("The leave", " is 5 days.", "`x`", "~~~", ">", "它"),
)
TEXT = st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=80)


def item(place: int, text: str) -> EvidenceItem:
    return EvidenceItem(f"E{place}", "b", "d", "t", (), LineRange(1, 1), Span(0, len(text)), text)


def letters(text: str) -> str:
    return "".join(re.findall(r"\w", text))


@given(st.lists(TEXT, max_size=4), st.sampled_from(["年假有几天？", "How long is the leave?", "", "如何？"]),
       st.sampled_from(["qa", "summary", "compare", "chat"]))  # fmt: skip
@settings(max_examples=150, deadline=None)
def test_every_label_is_one_of_the_bundle_and_every_word_is_the_evidence_s(texts, question, kind) -> None:
    items = tuple(item(place, text) for place, text in enumerate(texts, start=1))
    bundle = EvidenceBundle(items, "ok" if items else "empty")
    said = offline.answer(AnswerTask(question, bundle, "zh", kind, targets=("年假", "leave")))
    assert said.strip()
    labels = set(re.findall(r"(?<!\\)\[(E\d+)\](?=\W|$)", said))
    if kind in ("qa", "summary") and said != REFUSALS["zh"]:
        assert labels - {"E9"} <= {one.label for one in items}
        whole = letters("".join(texts))
        for line in said.split("\n"):
            for part in re.split(r"\\?\[E\d+\]|：|；|: |; ", line):
                assert letters(part) in whole


@given(TEXT)
@settings(max_examples=150, deadline=None)
def test_statements_leave_out_nothing_but_marks_headings_and_rules(text: str) -> None:
    said = "".join(one.text for one in statements(item(1, text)))
    assert set(letters(said)) <= set(letters(text))
