"""Tool calls as they stream in, and what they change of a question's fingerprint."""

from __future__ import annotations

from dataclasses import replace

from kaozheng.models.messages import Call, Message
from kaozheng.models.tool_call import ToolCall, ToolCallPieces, ToolOffer

OFFER = ToolOffer("read_file", "Read lines.", {"type": "object", "properties": {}})


def taken(*pieces: tuple[object, str, str, str]) -> tuple[ToolCall, ...]:
    streamed = ToolCallPieces()
    for piece in pieces:
        streamed.take(*piece)
    return streamed.calls()


def test_pieces_are_told_apart_by_their_index():
    pieces = [(0, "a", "read_file", ""), (1, "b", "list_tree", ""), (0, "", "", '{"p'), (1, "", "", "{}")]
    calls = taken(*pieces, (0, "", "", 'ath": 1}'))
    assert calls == (ToolCall("a", "read_file", '{"path": 1}'), ToolCall("b", "list_tree", "{}"))


def test_a_name_that_comes_with_every_piece_is_one_name():
    assert taken((0, "a", "read_file", "{"), (0, "a", "read_file", "}")) == (ToolCall("a", "read_file", "{}"),)


def test_whole_calls_without_an_index_are_several_calls():
    calls = taken((None, "a", "read_file", "{}"), (None, "b", "read_file", "{}"))
    assert [call.id for call in calls] == ["a", "b"]


def test_a_piece_without_index_and_name_goes_on_with_the_last_call():
    assert taken((None, "a", "read_file", '{"x"'), (None, "", "", ": 1}")) == (ToolCall("a", "read_file", '{"x": 1}'),)


def test_missing_and_repeated_ids_are_replaced():
    calls = taken((0, "", "read_file", "{}"), (1, "a", "read_file", "{}"), (2, "a", "read_file", "{}"))
    assert [call.id for call in calls] == ["call_1", "a", "call_3"]


def test_arguments_without_a_name_are_a_call_of_nothing():
    assert taken((0, "a", "", "{}")) == (ToolCall("a", "", "{}"),)


def test_tools_and_calls_are_part_of_the_question():
    plain = Call("explorer", "look/1", (Message("user", "hi"),))
    asked = Message("assistant", "", (ToolCall("a", "read_file", "{}"),))
    result = Message("tool", "text", answers="a")
    questions = [
        plain,
        replace(plain, tools=(OFFER,)),
        replace(plain, messages=(*plain.messages, asked, result)),
        replace(plain, messages=(*plain.messages, asked, replace(result, answers="b"))),
    ]
    assert len({question.fingerprint() for question in questions}) == 4


def test_what_a_model_thought_is_no_part_of_the_question():
    asked = Message("assistant", "", (ToolCall("a", "read_file", "{}"),))
    call = Call("explorer", "look/1", (asked,))
    assert replace(call, messages=(replace(asked, reasoning="hm"),)).fingerprint() == call.fingerprint()


def test_the_prompt_counts_the_calls_of_earlier_turns():
    call = Call("explorer", "look/1", (Message("assistant", "", (ToolCall("a", "read_file", '{"path": "x.py"}'),)),))
    assert "x.py" in call.prompt()
