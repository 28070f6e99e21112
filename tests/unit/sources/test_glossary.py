"""Glossaries: taken out of the flow, cut by the term, and only where terms are explained."""

from pathlib import Path

import pytest
import yaml

from kaozheng.sources.cuts import cuts_of
from kaozheng.sources.glossary import glossary_apart, is_glossary_title
from kaozheng.sources.piece import Title
from kaozheng.sources.pieces import whole_pieces_of
from kaozheng.sources.source import Source

BLIND = yaml.safe_load((Path(__file__).parents[2] / "documents" / "glossary_blind.yml").read_text("utf-8"))


def cuts(text, path="a.md"):
    source = Source.of(text, path=path)
    return [(one.path, source.text[one.span.start : one.span.end]) for one in cuts_of(source)]


@pytest.mark.parametrize(
    "title",
    [
        "术语表", "附录A 名词解释", "二、缩略语", "术语和定义", "主要名词解释", "缩略语对照表",
        "3 术语、定义和缩略语", "术语表（Glossary）",
        "Glossary", "Appendix B: Abbreviations", "List of acronyms and abbreviations", "Terms and definitions",
        "2.1 Key definitions",
    ],
)  # fmt: skip
def test_titles_of_glossaries(title):
    assert is_glossary_title(title)


@pytest.mark.parametrize(
    "title", ["术语管理", "名词性从句", "简称变更公告", "Terms of payment", "Terms", "Definition of done checks"]
)
def test_titles_of_others(title):
    assert not is_glossary_title(title)


def test_a_glossary_in_the_middle_stands_behind_the_rest_a_term_a_cut():
    found = cuts(
        "# 报告\n\n## 概况\n\n增长。\n\n## 术语表\n\n- 规上企业：年营收2000万元以上。\n"
        "- 固投：固定资产投资。\n\n## 展望\n\n平稳。\n"
    )
    assert found == [
        (("报告", "概况"), "增长。"),
        (("报告", "展望"), "平稳。"),
        (("术语表",), "- 规上企业：年营收2000万元以上。"),
        (("术语表",), "- 固投：固定资产投资。"),
    ]


def test_rows_keep_the_head_of_their_table():
    source = Source.of(
        "# Guide\n\nText.\n\n## Abbreviations\n\n"
        "| Short | Long |\n|---|---|\n| SLA | service level |\n| PM | maintenance |\n",
        path="a.md",
    )
    last = cuts_of(source)[-1]
    assert (last.path, last.head) == (("Abbreviations",), "| Short | Long |\n|---|---|")
    assert source.text[last.span.start : last.span.end] == "| PM | maintenance |"


def test_a_report_without_markdown_ends_with_its_explanations():
    text = (
        "一、回顾\n\n去年增长5%。\n\n二、展望\n\n今年增长6%。\n\n名词解释\n\n"
        "1. 规上企业：指年主营业务收入2000万元以上的工业企业。\n"
        "2. 三去一降一补：去产能、去库存、去杠杆、降成本、补短板。\n"
    )
    assert [path for path, _ in cuts(text, "a.txt")] == [("一、回顾",), ("二、展望",), ("名词解释",), ("名词解释",)]


def test_a_section_that_only_talks_of_terms_stays():
    found = cuts("# 手册\n\n## 术语\n\n本手册尽量不用术语。\n\n需要时在正文里说明。\n\n## 维护\n\n每月一次。\n")
    assert [path for path, _ in found] == [("手册", "术语"), ("手册", "维护")]


@pytest.mark.parametrize("case", BLIND, ids=lambda case: case["id"])
def test_documents_of_an_author_who_never_saw_the_code(case):
    source = Source.of(case["text"], path="a.md" if "#" in case["text"] else "a.txt")
    flow, entries = glossary_apart(whole_pieces_of(source), source.text)
    assert {name for entry in entries for name in entry.path} == set(case["expected"]["glossary"])
    assert set(case["expected"]["stay"]) <= {piece.text for piece in flow if isinstance(piece, Title)}
