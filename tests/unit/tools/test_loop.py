"""A conversation with tools ends by itself, whatever the model does, and its history is always one that can be sent."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.errors import BudgetReachedError, CredentialsError, ModelUnavailableError
from kaozheng.models.budget import Budget, Budgeted
from kaozheng.models.ledger import Ledgered
from kaozheng.models.messages import Call, Completion, Finish, Message
from kaozheng.models.tool_call import ToolCall
from kaozheng.models.trimming import is_paired
from kaozheng.models.usage import Usage
from kaozheng.testing.memory import MemoryLedger
from kaozheng.testing.scripted_model import ScriptedModel
from kaozheng.tools.exploring import exploring_tools
from kaozheng.tools.gateway import Gateway
from kaozheng.tools.loop import LoopLimits, converse
from kaozheng.tools.tool import Arguments, Tool

from .conftest import SmallShelf

QUESTION = Call("explorer", "explore", (Message("system", "Look."), Message("user", "What is it?")))


def gateway_over(shelf=None):
    tools = exploring_tools(shelf or SmallShelf(), lambda: datetime(2026, 1, 1, tzinfo=UTC))
    return Gateway(tools, [one.name for one in tools])


def calling(*calls, text="", finish=Finish.TOOL_CALLS, ids=None):
    """A turn that calls: `("read_file", {...})`, the arguments as an object or as raw text."""
    made = tuple(
        ToolCall(ids[place] if ids else f"c{place}", name, given if isinstance(given, str) else json.dumps(given))
        for place, (name, given) in enumerate(calls)
    )
    return Completion(text, finish, Usage(10, 5, calls=1), "scripted", tool_calls=made)


def reading(start, path="src/long.py"):
    return ("read_file", {"path": path, "start": start, "end": start})


async def told(script, gateway=None, limits=None):
    model = ScriptedModel(script)
    conversation = await converse(model, QUESTION, gateway or gateway_over(), limits)
    for call in model.calls:
        assert is_paired(call.messages)
    assert is_paired(conversation.messages)
    return conversation, model


async def test_results_go_back_until_the_model_has_enough():
    conversation, model = await told(
        [
            calling(("list_tree", {}), ("search_keyword", {"query": "stop"}), text="I look."),
            calling(reading(3)),
            "Done.",
        ]
    )
    assert (conversation.ended, conversation.why, conversation.text) == ("answered", "", "Done.")
    assert [call.purpose for call in model.calls] == [f"explore/round{n}" for n in (1, 2, 3)]
    first, second = model.calls[1].messages[-2:]
    assert "src/" in first.content
    assert "src/app.py#L9" in second.content
    assert [first.answers, second.answers] == [one.id for one in model.calls[1].messages[-3].tool_calls]
    assert conversation.tally.calls == 3
    assert conversation.tally.wasted == 0
    assert "value_3 = 3" in conversation.findings()
    assert 'read_file {"path": "src/long.py", "start": 3, "end": 3}' in conversation.findings()


async def test_endless_calls_end_with_the_last_round():
    conversation, model = await told([calling(reading(n)) for n in range(1, 50)])
    assert (conversation.ended, conversation.why) == ("rounds", "6 rounds of calls")
    assert len(model.calls) == 6
    assert conversation.tally.wasted == 0


async def test_the_same_call_again_is_not_run_and_ends_it():
    ran = []
    gateway = counting(ran)
    conversation, model = await told([calling(("count", '{"n": 1}'))] + [calling(("count", '{ "n":1 }'))] * 9, gateway)
    assert (conversation.ended, conversation.why) == ("breaker", "the same calls again")
    assert ran == [1]
    assert len(model.calls) == 3
    assert "asked before" in model.calls[2].messages[-1].content
    assert conversation.tally.wasted == 2 / 3


async def test_ping_pong_ends_it():
    ran = []
    turns = [calling(("count", {"n": n % 2})) for n in range(9)]
    conversation, _ = await told(turns, counting(ran))
    assert (conversation.ended, conversation.why) == ("breaker", "calls that go back and forth")
    assert ran == [0, 1]
    assert conversation.tally.wasted == 2 / 4


async def test_varied_calls_without_gain_end_it():
    conversation, model = await told([calling(("search_keyword", {"query": f"no such {n}"})) for n in range(9)])
    assert (conversation.ended, conversation.why) == ("breaker", "nothing new")
    assert len(model.calls) == 2


async def test_unknown_tools_and_bad_arguments_are_told_and_corrected():
    conversation, model = await told(
        [
            calling(("open_file", {"path": "src/app.py"}), ("read_file", '{"path": '), reading(1)),
            calling(("read_file", {"path": "src/app.py"})),
            "Done.",
        ]
    )
    said = [message.content[:30] for message in model.calls[1].messages[-3:]]
    assert said[0].startswith("error: there is no tool")
    assert said[1].startswith("error: the arguments are no")
    assert conversation.ended == "answered"
    assert conversation.tally.bad_arguments == 2
    assert conversation.tally.wasted == 2 / 4


async def test_what_endpoints_refuse_in_a_history_is_mended():
    huge = '{"path": "%s"}' % ("x" * 2_000_000)
    _, model = await told(
        [
            calling(("a tool/with signs" * 9, "{}"), ("", ""), ("read_file", huge), ("read_file", "[1"), reading(1)),
            "Done.",
        ]
    )
    for call in model.calls[1].messages[2].tool_calls:
        assert isinstance(json.loads(call.arguments), dict)
        assert len(call.arguments) < 1_500
        assert 0 < len(call.name) <= 64
        assert call.name.isascii()
        assert " " not in call.name


async def test_two_hundred_calls_in_one_turn_are_cut_to_a_few():
    conversation, model = await told([calling(*[reading(n) for n in range(1, 201)]), "Done."])
    turn, *results = model.calls[1].messages[2:]
    assert len(turn.tool_calls) == len(results) == 8
    assert "192 more calls of this turn were dropped" in results[-1].content
    assert (conversation.tally.calls, conversation.tally.stopped) == (200, 192)
    assert conversation.tally.wasted == 192 / 200


async def test_a_turn_cut_by_length_runs_nothing():
    ran = []
    cut = calling(("count", {"n": 1}), ("count", '{"n": 2'), finish=Finish.LENGTH)
    conversation, model = await told([cut, calling(("count", {"n": 3})), "Done."], counting(ran))
    assert ran == [3]
    assert "cut off before its end" in model.calls[1].messages[-1].content
    assert conversation.tally.stopped == 2


async def test_ids_that_come_again_are_told_apart():
    conversation, _ = await told(
        [calling(reading(n), reading(n + 50), ids=["call_0", "call_0"]) for n in (1, 2)] + ["Done."]
    )
    ids = [call.id for message in conversation.messages for call in message.tool_calls]
    assert len(ids) == len(set(ids)) == 4


async def test_the_same_call_twice_in_one_turn_is_run_once():
    ran = []
    await told([calling(("count", {"n": 1}), ("count", {"n": 1})), "Done."], counting(ran))
    assert ran == [1]


async def test_a_huge_turn_beside_calls_is_not_sent_back_whole():
    _, model = await told([calling(reading(1), text="word " * 500_000), "Done."])
    assert len(model.calls[1].prompt()) < 10_000


@pytest.mark.parametrize(
    ("finish", "ended"), [(Finish.LENGTH, "length"), (Finish.FILTER, "filtered"), (Finish.STOP, "answered")]
)
async def test_an_answer_without_calls_ends_it_with_its_reason(finish, ended):
    last = Completion("<think>hm</think>Half", finish, Usage(1, 1, calls=1), "scripted")
    conversation, _ = await told([calling(reading(1)), last])
    assert (conversation.ended, conversation.text) == (ended, "Half")
    assert bool(conversation.why) is (ended != "answered")


@pytest.mark.parametrize(
    ("error", "ended"), [(ModelUnavailableError("503"), "failed"), (BudgetReachedError("9 of 9 calls"), "budget")]
)
async def test_a_model_that_fails_leaves_what_was_found(error, ended):
    conversation, _ = await told([calling(reading(7)), error])
    assert (conversation.ended, conversation.why) == (ended, str(error))
    assert "value_7 = 7" in conversation.findings()


async def test_a_refusal_is_raised():
    with pytest.raises(CredentialsError):
        await told([calling(reading(7)), CredentialsError("no key")])


async def test_a_reached_budget_ends_it():
    model = Budgeted(ScriptedModel([calling(reading(n)) for n in range(1, 9)]), Budget(calls=2))
    conversation = await converse(model, QUESTION, gateway_over())
    assert conversation.ended == "budget"
    assert "2 of 2 calls are used" in conversation.why
    assert conversation.tally.calls == 2


async def test_calls_of_a_turn_run_side_by_side_in_a_lane():
    under_way, most = 0, 0

    async def wait(asked):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.01)
        under_way -= 1
        return f"waited {asked.n}"

    gateway = Gateway([counter(wait)], ["count"])
    conversation, _ = await told([calling(*[("count", {"n": n}) for n in range(8)]), "Done."], gateway)
    assert most == 4
    assert [f"waited {n}" in conversation.messages[3 + n].content for n in range(8)] == [True] * 8


async def test_a_long_conversation_is_trimmed_and_what_went_may_be_asked_again():
    def whole(start):
        return calling(("read_file", {"path": "src/long.py", "start": start, "end": start + 150}))

    turns = [whole(1), whole(200), whole(400), whole(1), "Done."]
    conversation, model = await told(turns, limits=LoopLimits(history_tokens=2_500))
    assert len(model.calls) == 5
    assert max(len(call.prompt()) for call in model.calls) < 4 * 2_700
    assert "value_1 = 1" in model.calls[4].messages[-1].content  # not refused as a repeat
    assert conversation.tally.stopped == 0


async def test_a_resumed_run_gets_its_turns_back_and_pays_nothing():
    ledger = MemoryLedger()
    script = [calling(("list_tree", {})), calling(reading(3)), "Done."]
    first = await converse(Ledgered(ScriptedModel(script), ledger, "run"), QUESTION, gateway_over())
    again = await converse(Ledgered(ScriptedModel([]), ledger, "run"), QUESTION, gateway_over())
    assert again == first


async def test_a_repository_that_changed_meanwhile_is_asked_about_anew():
    ledger = MemoryLedger()
    script = [calling(("list_tree", {})), calling(reading(3)), "Done."]
    await converse(Ledgered(ScriptedModel(script), ledger, "run"), QUESTION, gateway_over())
    changed = SmallShelf({"src/long.py": "a\nb\nchanged\n"})
    model = ScriptedModel([calling(reading(3)), "Now done."])
    conversation = await converse(Ledgered(model, ledger, "run"), QUESTION, gateway_over(changed))
    assert [call.purpose for call in model.calls] == ["explore/round2", "explore/round3"]
    assert conversation.text == "Now done."
    assert "0003: changed" in conversation.findings()


class Number(Arguments):
    n: int


def counter(run):
    return Tool("count", {"en": "Count.", "zh": "数。"}, Number, run)


def counting(ran):
    async def run(asked):
        ran.append(asked.n)
        return f"number {asked.n}"

    return Gateway([counter(run)], ["count"])


WILD_CALL = st.tuples(
    st.sampled_from(["read_file", "list_tree", "search_keyword", "read_more", "nothing", ""]),
    st.sampled_from(
        ["{}", "", "null", "[", '{"path": "src/app.py"}', '{"path": "src/long.py"}', '{"query": "e"}', '"x"']
    ),
)
WILD_TURN = st.builds(
    lambda calls, text, finish: calling(*calls, text=text, finish=finish, ids=["same"] * len(calls)),
    st.lists(WILD_CALL, min_size=1, max_size=12),
    st.sampled_from(["", "Let me see.", "字" * 300]),
    st.sampled_from([Finish.TOOL_CALLS, Finish.TOOL_CALLS, Finish.LENGTH, Finish.STOP]),
)


@given(st.lists(WILD_TURN, max_size=8), st.integers(100, 4_000))
@settings(max_examples=60, deadline=None)
async def test_any_model_ends_in_time_with_a_history_that_can_be_sent(turns, history):
    conversation, model = await told([*turns, "Done."], limits=LoopLimits(history_tokens=history))
    assert len(model.calls) <= 6
    assert 0 <= conversation.tally.wasted <= 1
    assert conversation.findings() is not None
