from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.models.reply import MAX_REPLY_CHARS, objects_in, whole_characters, without_thinking

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(min_size=1, max_size=6), VALUES, min_size=1, max_size=4)
PROSE = st.text(st.characters(blacklist_characters="{}[]<>", blacklist_categories=("Cs",)), max_size=40)


@settings(deadline=None, max_examples=60)
@given(OBJECTS, PROSE, PROSE, st.booleans(), st.sampled_from(["", "json", "JSON"]), st.sampled_from([None, 2]))
def test_an_object_is_found_between_prose_and_fences(value, before, after, fenced, language, indent):
    written = json.dumps(value, ensure_ascii=False, indent=indent)
    reply = f"{before}\n```{language}\n{written}\n```\n{after}" if fenced else f"{before}{written}{after}"
    assert next(objects_in(reply)) == value


@settings(deadline=None, max_examples=60)
@given(OBJECTS, st.integers(1, 200))
def test_the_beginning_of_an_object_is_never_an_object(value, kept):
    written = json.dumps({"outer": [value, value]})
    assert not [found for found in objects_in(written[: min(kept, len(written) - 1)]) if isinstance(found, dict)]


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text):
    list(objects_in(text))
    without_thinking(text)


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(blacklist_characters="<"), max_size=200))
def test_text_without_tags_keeps_all_its_words(text):
    assert without_thinking(text) == text.strip()


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ('<think>a {"x": 1}</think>\n\nanswer', "answer"),
        ("\n<thinking>\na\nb</thinking>answer", "answer"),
        ("<think>a</think><think>b</think>answer", "answer"),
        ("<think>never ends", ""),
        ("let me see\n</think>\nanswer", "answer"),
        ("Models write `<think>a</think>` first.", "Models write `<think>a</think>` first."),
        ("Close it with </think> then.", "Close it with </think> then."),
        ("```\nx\n</think>\n```\nis a tag", "```\nx\n</think>\n```\nis a tag"),
    ],
)
def test_thinking_is_taken_off_but_not_writing_about_it(reply, text):
    assert without_thinking(reply) == text


@pytest.mark.parametrize(
    ("reply", "complaint"),
    [
        ('{"a": [1, 2,]}', "broken at line 1"),
        ('{"a": 1', "ends before"),
        ('[{"a": 1}, {"a": 2}]', "array"),
        ('{"a": "unclosed}', "ends before"),
    ],
)
def test_what_is_nearly_json_gets_a_complaint(reply, complaint):
    found = list(objects_in(reply))
    assert len(found) == 1
    assert complaint in str(found[0])


def test_placeholders_in_prose_are_no_objects():
    assert list(objects_in('Use {name} and {{x}}: {"a": {"b": "}"}}')) == [{"a": {"b": "}"}}]


def test_later_objects_are_offered_too():
    assert list(objects_in('For example {"a": 1}. Answer: {"a": 2}')) == [{"a": 1}, {"a": 2}]


def test_a_line_break_inside_a_string_is_forgiven():
    assert list(objects_in('{"a": "x\ny"}')) == [{"a": "x\ny"}]


@pytest.mark.parametrize(
    "reply",
    [
        '{"a":' * 200_000,
        "{" * 500_000,
        '{"a": "' + "x" * 1_000_000,
        '[{"' * 200_000,
        "<think>" * 100_000,
        '{"a":[' * 90_000 + "]}" * 90_000,
    ],
    ids=["nested", "braces", "long string", "arrays", "tags", "closed"],
)
def test_hostile_replies_are_read_in_linear_time(reply):
    began = time.process_time()
    assert not [found for found in objects_in(reply) if isinstance(found, dict)]
    assert time.process_time() - began < 4.0  # 20 times what the slowest takes; quadratic work takes minutes


def test_a_huge_reply_is_not_searched():
    (complaint,) = objects_in('{"a": 1}' + "x" * MAX_REPLY_CHARS)
    assert "characters" in str(complaint)


def test_a_number_too_long_to_read_is_a_complaint():
    (complaint,) = objects_in('{"a": ' + "9" * 5000 + "}")
    assert "number" in str(complaint)


def test_halves_of_characters_are_replaced_and_pairs_joined():
    assert whole_characters("中\ud83d\ude00文\ud83d") == "中😀文\ufffd"
