"""What leads nowhere is noticed, what was wasted is counted."""

from __future__ import annotations

from kaozheng.models.tool_call import ToolCall
from kaozheng.tools.breaker import BACK_AND_FORTH, NO_GAIN, SAME, Breaker, Tally
from kaozheng.tools.result import ToolResult


def done(key, text=None):
    return ToolResult(ToolCall("id", "t", "{}"), "done", f"<tool_result>\n{text or key}\n</tool_result>", key)


def other(status, key="k"):
    return ToolResult(ToolCall("id", "t", "{}"), status, "told", key)


def why_of(*rounds):
    breaker = Breaker()
    return [breaker.close_round(results) for results in rounds]


def test_rounds_that_bring_something_new_go_on():
    assert why_of([done("a")], [done("b")], [done("c"), other("failed")]) == ["", "", ""]


def test_the_same_again_is_stopped():
    assert why_of([done("a")], [other("stopped", "a")], [other("stopped", "a")]) == ["", "", SAME]


def test_going_back_and_forth_is_stopped():
    again = [other("stopped", "a")], [other("stopped", "b")]
    assert why_of([done("a")], [done("b")], *again) == ["", "", "", BACK_AND_FORTH]


def test_new_calls_that_bring_nothing_new_are_stopped():
    assert why_of([other("empty", "a")], [other("failed", "b")]) == ["", NO_GAIN]
    assert why_of([done("a", "one\ntwo")], [done("b", "two")], [done("c", "one")]) == ["", "", NO_GAIN]
    assert why_of([other("bad_arguments", "a")], [other("unknown", "b")]) == ["", NO_GAIN]


def test_one_idle_round_is_forgiven():
    assert why_of([other("empty")], [done("a")], [other("empty")], [done("b")]) == ["", "", "", ""]


def test_a_repeat_is_one_only_while_its_result_stands():
    breaker = Breaker()
    breaker.close_round([done("a"), other("failed", "f"), other("empty", "e")])
    assert [breaker.is_repeat(key) for key in "aefx"] == [True, True, False, False]
    breaker.forget(["a"])
    assert not breaker.is_repeat("a")


def test_each_wasted_call_counts_once():
    breaker = Breaker()
    breaker.close_round([done("a"), other("stopped"), other("unknown"), other("bad_arguments"), other("empty")])
    breaker.close_round([done("b", "a"), done("c"), other("failed")])
    assert breaker.tally == Tally(rounds=2, calls=8, stopped=1, bad_arguments=2, no_gain=3)
    assert breaker.tally.wasted == 6 / 8
    assert Tally().wasted == 0
