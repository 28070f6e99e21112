"""What is told of an answer keeps its order, and always adds up to the answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.runs.telling import Teller


def told(pieces, answer, progress=True):
    events = []
    teller = Teller(events.append, lambda: 1.0, progress)
    for piece in pieces:
        teller.delta(piece)
    teller.ready({"answer": answer}, [])
    teller.rest(answer)
    teller.end("done", {})
    return events


def text_of(events):
    shown = ""
    for event in events:
        shown = event.data["text"] if event.kind == "replace" else shown + event.data.get("text", "")
    return shown


@given(st.lists(st.text(max_size=8), max_size=6), st.text(max_size=30))
def test_the_deltas_after_the_last_replace_are_the_answer(pieces, answer):
    events = told(pieces, answer)
    assert text_of(events) == answer
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    kinds = [event.kind for event in events]
    assert kinds[-1] == "done"
    assert kinds.count("start") <= 1
    assert kinds.count("replace") <= 1


@given(st.text(min_size=1, max_size=30), st.integers(0, 30))
def test_a_beginning_is_completed_and_never_replaced(answer, cut):
    kinds = [event.kind for event in told([answer[:cut]], answer)]
    assert "replace" not in kinds


def test_no_frame_repeats_what_was_said():
    # rag-56
    events = told(["如何", "对应", "使用"], "如何对应使用")
    assert [event.data["text"] for event in events if event.kind == "delta"] == ["如何", "对应", "使用"]


def test_nothing_is_told_behind_the_end():
    events = []
    teller = Teller(events.append, lambda: 0.0, True)
    teller.end("error", {"code": "x", "message": "y"})
    teller.warning("late", "late")
    teller.end("done", {})
    assert [event.kind for event in events] == ["error"]


def test_only_done_and_error_end_an_answer():
    with pytest.raises(ValueError, match="delta"):
        Teller(None, lambda: 0.0, True).end("delta", {})


def test_without_live_progress_none_is_told():
    events = []
    teller = Teller(events.append, lambda: 0.0, False)
    teller.progress({"step": "plan"})
    assert events == []


def test_what_is_told_is_a_copy():
    events, data = [], {"step": "plan", "more": [1]}
    Teller(events.append, lambda: 0.0, True).progress(data)
    data["more"].append(2)
    assert events[0].data["more"] == [1]
