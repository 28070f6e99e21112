"""Sentences: the cases written without knowledge of the code, and what must hold for any text."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.documents.document import Document
from kaozheng.documents.sentences import sentences, split

CASES = yaml.safe_load((Path(__file__).parents[2] / "documents" / "sentences.yml").read_text(encoding="utf-8"))
PIECES = [
    *"中a1A。！？….!?”“\"'（）()[]*_ \n",
    "Dr.",
    "e.g.",
    "3.14",
    "[^1]",
    "……",
    "他说",
    "\n\n",
    "</b>",
    "`x`",
    "**",
]


def cut(text: str) -> list[str]:
    return [text[span.start : span.end] for span in split(text)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:20])
def test_blind_case(case: dict) -> None:
    assert cut(case["text"]) == case["sentences"]


@pytest.mark.parametrize(
    "parts",
    [
        ["他（真的？）来了。", "“你好吗？”他问。", "然后走了。"],
        ["对“为什么？”这个问题，我们不答。"],
        ["See Fig. 3 and No. 5.", "No.", "It is not.", "Dr. Smith of the U.S. Navy left."],
        ["Use it.", "iOS is next.", "We use npm, pip etc. and more."],
        ["J. R. R. Tolkien wrote it.", "Plan B.", "Then C."],
        ["At 5 p.m. Monday we go.", "At 5 p.m.", "We go."],
        ["Latency is 3 ms.[1]", "Known.[^2][^3]", "Go."],
        ["**结束。**", "**重点**是 A。", "下一句。"],
        ["1. Install it.", "2. Run it."],
    ],
)
def test_sentences_stay_whole(parts: list[str]) -> None:
    assert cut(" ".join(parts)) == parts


def test_line_break_does_not_end_a_sentence_and_blank_line_does() -> None:
    assert cut("第一行\n接着。\n第二行\n\n新段落") == ["第一行\n接着。", "第二行", "新段落"]


def test_sentences_of_prose_are_spans_of_the_document() -> None:
    document = Document.of("> 结束。**重点**是 `A. B`。\n> **完。**下[一](x.y)句。[^1]再来。\n\n[^1]: x")
    found = [document.quote(span) for span in sentences(document.prose[0])]
    assert found == ["结束。", "**重点**是 `A. B`。", "**完。**", "下[一](x.y)句。[^1]", "再来。"]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_sentences_cover_every_character_that_is_not_blank(text: str) -> None:
    position = 0
    for span in split(text):
        assert span.start >= position
        assert not text[position : span.start].strip()
        assert text[span.start : span.end].strip() == text[span.start : span.end] != ""
        position = span.end
    assert not text[position:].strip()
    document = Document.of(text)
    for prose in document.prose:
        covered = {offset for span in sentences(prose) for offset in range(span.start, span.end)}
        for i, sign in enumerate(prose.masked):
            assert prose.offset(i) in covered or sign.isspace() or sign == "\ue004"
