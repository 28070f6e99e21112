"""A trimmed conversation is smaller, and every call in it still has its result."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.models.messages import Message
from kaozheng.models.tool_call import ToolCall
from kaozheng.models.trimming import TAKEN_AWAY, is_paired, trimmed


def talk(*exchanges: list[str], head: str = "question") -> list[Message]:
    messages = [Message("system", "be brief"), Message("user", head)]
    for turn, results in enumerate(exchanges):
        ids = [f"{turn}.{place}" for place in range(len(results))]
        calls = tuple(ToolCall(id, "look", f'{{"n": {turn}}}') for id in ids)
        messages.append(Message("assistant", f"turn {turn}", calls))
        messages += [Message("tool", text, answers=id) for id, text in zip(ids, results, strict=True)]
    return messages


def tokens(messages) -> int:
    return sum(estimate_tokens(message.said()) for message in messages)


def test_what_fits_stays_the_same():
    whole = talk(["a" * 400], ["b" * 400])
    assert trimmed(whole, 1_000) == tuple(whole)


def test_the_oldest_results_go_first_and_say_so():
    whole = talk(["a" * 4_000, "short"], ["b" * 4_000], ["c" * 4_000])
    kept = trimmed(whole, 2_300)
    assert [message.content[:1] for message in kept if message.role == "tool"] == ["(", "s", "b", "c"]
    assert kept[3].content == TAKEN_AWAY
    assert len(kept) == len(whole)


def test_then_whole_exchanges_go():
    whole = talk(*[["a" * 4_000] for _ in range(6)])
    kept = trimmed(whole, 1_035)
    assert is_paired(kept)
    assert len(kept) < len(whole)
    assert kept[:2] == tuple(whole[:2])
    assert kept[-1] == whole[-1]


def test_the_newest_results_share_what_room_there_is():
    whole = talk(["short", "b" * 40_000, "c" * 8_000])
    kept = trimmed(whole, 3_000)
    assert tokens(kept) <= 3_000
    assert kept[3].content == "short"
    assert [len(message.content) > 4_000 for message in kept[4:]] == [True, True]
    assert all(message.content.endswith(TAKEN_AWAY) for message in kept[4:])


def test_a_beginning_that_is_too_long_alone_stays():
    whole = talk(["a" * 400], head="q" * 40_000)
    kept = trimmed(whole, 100)
    assert kept[1] == whole[1]
    assert is_paired(kept)


RESULTS = st.lists(st.text(st.sampled_from("ab 字\n"), max_size=2_000), min_size=1, max_size=4)


@given(st.lists(RESULTS, max_size=6), st.integers(0, 3_000))
def test_no_call_is_ever_parted_from_its_result(exchanges, most):
    whole = talk(*exchanges)
    kept = trimmed(whole, most)
    assert is_paired(whole)
    assert is_paired(kept)
    assert tokens(kept) <= tokens(whole)
    least = tokens(talk(*([["x"] * len(exchanges[-1])] if exchanges else []))) + 30 * len(
        exchanges[-1] if exchanges else []
    )
    assert tokens(kept) <= max(most, least)


def test_parted_ones_are_noticed():
    whole = talk(["a", "b"])
    assert not is_paired(whole[:-1])
    assert not is_paired([*whole[:2], *whole[3:]])
    assert not is_paired([*whole[:3], Message("user", "and?"), *whole[3:]])
