"""Transcripts: what nobody needs goes, what was said stays and leads back, and other texts are left alone."""

from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.documents.fillers import without_fillers
from kaozheng.documents.span import Span
from kaozheng.documents.transcripts import transcript_of

CASES = Path(__file__).parents[2] / "documents"
BLIND = yaml.safe_load((CASES / "transcripts_blind.yml").read_text("utf-8"))
OWN = yaml.safe_load((CASES / "transcripts_own.yml").read_text("utf-8"))


@pytest.mark.parametrize("case", OWN, ids=lambda case: case["id"])
def test_own_cases(case):
    made = transcript_of(case["text"])
    if case.get("same"):
        assert made is None
        return
    assert made is not None
    assert [words for words in case["kept"] if words not in made.text] == []
    assert [words for words in case["gone"] if words in made.text] == []


@pytest.mark.parametrize("case", BLIND, ids=lambda case: case["id"])
def test_cases_of_an_author_who_never_saw_the_code(case):
    made = transcript_of(case["text"])
    if case.get("same"):
        assert made is None
        return
    assert made is not None
    assert [words for words in case["expected"]["kept"] if words not in made.text] == []
    assert [words for words in case["expected"]["gone"] if words in made.text] == []


@pytest.mark.parametrize("case", [case for case in [*OWN, *BLIND] if not case.get("same")], ids=lambda case: case["id"])
def test_every_character_leads_back_to_where_it_stood(case):
    made = transcript_of(case["text"])
    for start, source, length in made.pieces:
        assert made.text[start : start + length] == case["text"][source : source + length]
        assert made.origin(Span(start, start + length)) == Span(source, source + length)
    assert made.origin(Span(0, len(made.text))).end <= len(case["text"])


def test_fragments_of_one_speaker_are_one_paragraph_though_somebody_nods():
    made = transcript_of("甲 00:00:01\n第一点。\n乙 00:00:05\n嗯。\n甲 00:00:06\n第二点。\n乙 00:00:09\n呃，好。\n")
    assert made.text == "甲：第一点。第二点。\n\n乙：好。\n"


def test_a_long_speech_is_cut_into_paragraphs_that_all_name_the_speaker():
    speech = "\n".join(f"嗯，第{n}件事情已经在上个星期办完了，没有问题。" for n in range(60))
    made = transcript_of(f"甲 00:00:01\n{speech}\n乙 00:30:00\n好。\n甲 00:30:05\n完了。\n")
    paragraphs = made.text.strip().split("\n\n")
    assert len(paragraphs) > 3
    assert all(one.startswith(("甲：", "乙：")) for one in paragraphs)
    assert "第59件事情" in made.text


def test_a_time_that_is_spoken_of_at_the_beginning_of_a_line_stays():
    made = transcript_of(
        "00:05 甲：嗯，明天几点？\n00:09 乙：\n12:30 吃饭，13:00 开会。\n00:15 甲：啊，好。\n00:20 乙：行。\n"
    )
    assert made.text == "甲：明天几点？\n\n乙：12:30 吃饭，13:00 开会。\n\n甲：好。\n\n乙：行。\n"


def test_a_stamp_in_the_middle_leaves_its_blank_behind():
    made = transcript_of(
        "Ann 00:01\nUm, the [00:03] pump failed.\nBen 00:05\nUh, when?\nAnn 00:09\n<i>Today</i>, um, at noon.\n"
    )
    assert made.text == "Ann: the pump failed.\n\nBen: when?\n\nAnn: Today, at noon.\n"


@pytest.mark.parametrize(
    ("said", "stays"),
    [
        ("他就是说过这个话。", "他就是说过这个话。"),
        ("就是说服他们不容易。", "就是说服他们不容易。"),
        ("也就是说，不行。", "也就是说，不行。"),
        ("这个，那个，都要。", "这个，那个，都要。"),
        ("这个，我说两句。", "我说两句。"),
        ("我要这个，不要那个。", "我要这个，不要那个。"),
        ("嗯不同意。", "不同意。"),
        ("没有啊，一分钱没有。", "没有，一分钱没有。"),
        ("打呃逆。", "打呃逆。"),
        ("I know, you know that.", "I know, you know that."),
        ("They err, umpires too.", "They err, umpires too."),
        ("Uh, no. Not 3, um, 4.", "no. Not 3, 4."),
    ],
)
def test_what_is_said_stays(said, stays):
    assert "".join(said[one.start : one.end] for one in without_fillers(said)) == stays


@settings(max_examples=80, deadline=None)
@given(st.text(st.sampled_from("嗯啊呃，。、 哈那个这就是说不3umh,.you know娃（笑）")))
def test_what_is_left_out_of_an_utterance_is_never_a_number_or_a_negation(text):
    kept = without_fillers(text)
    left = "".join(text[one.start : one.end] for one in kept)
    for sign in "3不":
        assert left.count(sign) == text.count(sign)
    assert all(one.end <= two.start for one, two in pairwise(kept))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["甲 00:01", "[00:12] 乙：嗯", "00:00:01 --> 00:00:02", "第7条", "不", "", "# 题", "1"]))
)
def test_no_number_of_what_was_said_is_lost(lines):
    made = transcript_of("\n".join(lines))
    if made:
        assert made.text.count("第7条") == lines.count("第7条")
        assert made.text.count("不") == lines.count("不")
