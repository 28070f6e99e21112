from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from kaozheng.errors import (
    BudgetReachedError,
    CredentialsError,
    ModelUnavailableError,
    ShapeError,
    TooSlowError,
)
from kaozheng.models import Call, Completion, Delta, Finish, Message, Usage
from kaozheng.models.budget import Budget, Budgeted
from kaozheng.models.ledger import Ledgered
from kaozheng.models.limits import Lanes, Limited
from kaozheng.models.metered import Metered
from kaozheng.models.prices import Price, Prices
from kaozheng.models.retrying import LONGEST_WAIT_S, Retry, Retrying
from kaozheng.models.timed import Timed
from kaozheng.models.tool_call import ToolCall
from kaozheng.testing.memory import FrozenClock, MemoryLedger
from kaozheng.testing.scripted_model import ScriptedModel


def call(purpose: str = "p", text: str = "hi") -> Call:
    return Call("role", purpose, (Message("user", text),))


def done(text: str = "ok", finish: Finish = Finish.STOP) -> Completion:
    return Completion(text, finish, Usage(10, 5, calls=1), "scripted")


class Waits:
    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def retrying(script, draw=1.0, **settings):
    waits, model = Waits(), ScriptedModel(script)
    return Retrying(model, sleep=waits, random=lambda: draw, **settings), model, waits


async def test_retries_until_an_answer_comes():
    model, inner, waits = retrying([ModelUnavailableError("a"), ModelUnavailableError("b"), "ok"])
    assert (await model.complete(call())).text == "ok"
    assert len(inner.calls) == 3
    assert waits.seconds == [1.0, 2.0]


async def test_waits_double_up_to_the_cap_and_the_last_error_is_raised():
    model, _, waits = retrying([ModelUnavailableError(str(n)) for n in range(6)], attempts=6, cap_s=5)
    with pytest.raises(ModelUnavailableError, match="5"):
        await model.complete(call())
    assert waits.seconds == [1, 2, 4, 5, 5]


async def test_jitter_goes_down_to_no_wait_but_never_below_retry_after():
    model, _, waits = retrying([ModelUnavailableError("a"), ModelUnavailableError("b", 7.0), "ok"], draw=0.0)
    await model.complete(call())
    assert waits.seconds == [0.0, 7.0]


async def test_a_provider_that_wants_too_much_patience_is_given_up_at_once():
    model, inner, waits = retrying([ModelUnavailableError("busy", LONGEST_WAIT_S + 1), "ok"])
    with pytest.raises(ModelUnavailableError):
        await model.complete(call())
    assert (len(inner.calls), waits.seconds) == (1, [])


@pytest.mark.parametrize("error", [CredentialsError("x"), ShapeError("x"), BudgetReachedError("x"), ValueError("x")])
async def test_what_will_not_change_is_not_tried_again(error):
    model, inner, _ = retrying([error, "ok"])
    with pytest.raises(type(error)):
        await model.complete(call())
    assert len(inner.calls) == 1


async def test_a_restart_is_told_only_when_something_was_seen():
    class Breaks:
        name = "breaks"

        def __init__(self) -> None:
            self.turn = 0

        async def complete(self, call, on_delta=None):
            self.turn += 1
            if self.turn == 2:
                on_delta(Delta("half"))
            if self.turn < 3:
                raise ModelUnavailableError("gone")
            on_delta(Delta("whole"))
            return done("whole")

    heard: list[Delta] = []
    await Retrying(Breaks(), sleep=Waits(), random=lambda: 0.0).complete(call(), heard.append)
    assert heard == [Delta("half"), Delta("", restart=True), Delta("whole")]


async def test_limited_model_runs_at_most_so_many_at_once():
    running, peak = 0, 0

    class Slow:
        name = "slow"

        async def complete(self, call, on_delta=None):
            nonlocal running, peak
            running += 1
            peak = max(peak, running)
            await asyncio.sleep(0.001)
            running -= 1
            return done()

    model = Limited(Slow(), 3)
    await asyncio.gather(*(model.complete(call(str(n))) for n in range(20)))
    assert peak == 3


async def test_a_lane_is_shared_by_name_and_keeps_its_width():
    lanes = Lanes()
    assert lanes.of("sections", 4) is lanes.of("sections", 4)
    assert lanes.of("sections", 4) is not lanes.of("judges", 4)
    with pytest.raises(ValueError, match="4 wide"):
        lanes.of("sections", 5)
    with pytest.raises(ValueError, match="at least 1"):
        lanes.of("none", 0)


class Pinging:
    """Feeds `deltas` one every `gap_s` seconds, then answers after `end_s`."""

    name = "pinging"

    def __init__(self, deltas: list[Delta], gap_s: float, end_s: float = 0.0) -> None:
        self.deltas, self.gap_s, self.end_s = deltas, gap_s, end_s

    async def complete(self, call, on_delta=None):
        for delta in self.deltas:
            await asyncio.sleep(self.gap_s)
            on_delta(delta)
        await asyncio.sleep(self.end_s)
        return done()


async def test_a_model_that_says_nothing_is_given_up_although_it_pings():
    with pytest.raises(ModelUnavailableError, match="said nothing"):
        await Timed(Pinging([Delta("")] * 50, 0.005), first_s=0.03).complete(call())


async def test_a_model_that_falls_silent_is_given_up():
    with pytest.raises(ModelUnavailableError, match="fell silent"):
        await Timed(Pinging([Delta("a")], 0.0, end_s=5.0), first_s=5.0, between_s=0.02).complete(call())


async def test_a_slow_but_talking_model_may_take_longer_than_either_time():
    talks = Pinging([Delta("", reasoning="hm")] * 8, 0.03)
    assert (await Timed(talks, first_s=0.2, between_s=0.2).complete(call())).text == "ok"


async def test_an_answer_that_drips_for_ever_ends_at_the_whole_time_and_is_not_asked_again():
    drips, waits = Pinging([Delta("a")] * 500, 0.005), Waits()
    began = asyncio.get_running_loop().time()
    with pytest.raises(TooSlowError, match="did not finish"):
        await Retrying(Timed(drips, first_s=5, between_s=5, whole_s=0.06), sleep=waits).complete(call())
    assert 0.06 <= asyncio.get_running_loop().time() - began < 1.0
    assert waits.seconds == []


async def test_the_whole_time_also_bounds_the_wait_for_the_first_words():
    with pytest.raises(TooSlowError):
        await Timed(Pinging([], 0.0, end_s=5.0), first_s=5, whole_s=0.02).complete(call())


async def test_a_time_out_of_the_caller_stays_a_time_out():
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await Timed(Pinging([], 0.0, end_s=5.0)).complete(call())


@pytest.mark.parametrize(
    ("budget", "allowed", "said"),
    [
        (Budget(calls=3), 3, "3 of 3 calls"),
        (Budget(tokens=31), 3, "45 of 31 tokens"),
        (Budget(seconds=2.5), 3, "3 of 2.5 seconds"),
        (Budget(calls=0), 0, "0 of 0 calls"),
    ],
)
async def test_budget_stops_before_the_call_that_may_not_start(budget, allowed, said):
    clock = FrozenClock()
    inner = ScriptedModel(lambda _: done())
    model = Budgeted(inner, budget, clock)
    for _ in range(allowed):
        await model.complete(call())
        clock.pass_s(1.0)
    with pytest.raises(BudgetReachedError, match=said):
        await model.complete(call())
    assert len(inner.calls) == allowed


async def test_parallel_calls_do_not_pass_the_call_limit_together():
    gate = asyncio.Event()

    class Waiting:
        name = "waiting"

        async def complete(self, call, on_delta=None):
            await gate.wait()
            return done()

    model = Budgeted(Waiting(), Budget(calls=2), FrozenClock())
    tasks = [asyncio.create_task(model.complete(call(str(n)))) for n in range(5)]
    await asyncio.sleep(0)
    gate.set()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [isinstance(outcome, BudgetReachedError) for outcome in outcomes] == [False] * 2 + [True] * 3


async def test_a_resumed_run_starts_from_what_it_had_spent_and_models_share_one_budget():
    light = Budgeted(ScriptedModel(lambda _: done()), Budget(tokens=100), FrozenClock(), Usage(80, 0, calls=4))
    deep = light.also(ScriptedModel(lambda _: done(), name="deep"))
    await light.complete(call())
    await deep.complete(call())
    assert deep.name == "deep"
    assert light.spent == deep.spent == Usage(100, 10, calls=6)
    with pytest.raises(BudgetReachedError):
        await light.complete(call())


class Talking:
    """Says `text` every `gap_s` seconds, `times` times."""

    name = "gpt-4.1"

    def __init__(self, text: str, times: int, gap_s: float = 0.0) -> None:
        self.text, self.times, self.gap_s, self.said = text, times, gap_s, 0

    async def complete(self, call, on_delta=None):
        for _ in range(self.times):
            await asyncio.sleep(self.gap_s)
            self.said += 1
            on_delta(Delta(self.text))
        return done(self.text * self.times)


async def test_a_runaway_answer_is_stopped_in_the_middle_and_counted_as_estimated():
    reached, talks = [], Talking("word " * 10, 10_000)
    model = Budgeted(talks, Budget(tokens=500), FrozenClock(), on_reached=lambda *said: reached.append(said))
    for _ in range(2):
        with pytest.raises(BudgetReachedError, match="of 500 tokens"):
            await model.complete(call())
    assert talks.said < 60
    assert 500 < model.spent.tokens < 600
    assert model.spent.estimated
    assert [purpose for purpose, _ in reached] == ["p"]  # told once


async def test_answers_that_stream_side_by_side_are_weighed_together():
    model = Budgeted(Talking("word " * 20, 40, 0.001), Budget(tokens=2000), FrozenClock())
    outcomes = await asyncio.gather(*(model.complete(call(str(n))) for n in range(4)), return_exceptions=True)
    assert any(isinstance(outcome, BudgetReachedError) for outcome in outcomes)
    assert model.spent.tokens < 2400


async def test_what_comes_back_replaces_the_estimate():
    model = Budgeted(Talking("word " * 10, 100), Budget(tokens=5000), FrozenClock())
    await model.complete(call())
    assert model.spent == Usage(10, 5, calls=1)
    assert model._account.streaming.tokens == 0


async def test_when_the_time_is_up_the_answer_is_broken_off_at_once():
    model = Budgeted(Talking("a", 10_000, 0.005), Budget(seconds=0.05))
    began = asyncio.get_running_loop().time()
    with pytest.raises(BudgetReachedError, match="stopped in mid-answer"):
        await model.complete(call())
    assert asyncio.get_running_loop().time() - began < 1.0


async def test_money_is_counted_by_the_price_of_the_model_and_stops_an_answer():
    prices = Prices("USD", {"gpt-4.1": Price(2.0, 8.0, 0.5)})
    spent = Usage(1_000_000, 100_000, 400_000, calls=9)
    model = Budgeted(Talking("word " * 10, 10_000), Budget(money=2.21), FrozenClock(), spent, prices)
    assert model.money == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 0.1 * 8)
    with pytest.raises(BudgetReachedError, match=r"of 2.21 USD are used; p was stopped"):
        await model.complete(call())
    assert 2.21 < model.money < 2.22
    with pytest.raises(BudgetReachedError, match="was not asked"):
        await model.complete(call())


async def test_a_retry_is_told_before_its_wait():
    told, model = [], ScriptedModel([ModelUnavailableError("busy", 2.0, "429"), "ok"])
    await Retrying(model, sleep=Waits(), random=lambda: 0.5, on_retry=told.append).complete(call())
    assert told == [Retry("p", 2, 2.5, "429")]


async def test_what_a_failed_call_had_said_is_reported_as_estimated_usage():
    reports = []
    with pytest.raises(ModelUnavailableError):
        await Metered(Timed(Pinging([Delta("a" * 40)], 0.0, 5.0), 5, 0.02), reports.append).complete(call())
    assert reports[0].usage == Usage(1, 10, calls=1, estimated=True)
    assert reports[0].failure == "fallback"


async def test_every_call_is_reported_failed_ones_with_their_reason():
    reports = []
    model = Metered(ScriptedModel([done(), ModelUnavailableError("gone")]), reports.append, FrozenClock())
    await model.complete(call("a"))
    with pytest.raises(ModelUnavailableError):
        await model.complete(call("b"))
    assert [(r.purpose, r.finish, r.error, r.usage.calls) for r in reports] == [
        ("a", Finish.STOP, None, 1),
        ("b", None, "ModelUnavailableError: gone", 0),
    ]


async def test_a_cancelled_call_is_reported_and_stays_cancelled():
    reports = []
    model = Metered(Pinging([], 0.0, end_s=5.0), reports.append)
    task = asyncio.create_task(model.complete(call()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert reports[0].error == "CancelledError"


async def test_a_finished_call_is_answered_from_the_ledger_and_marked():
    ledger, heard, reports = MemoryLedger(), [], []
    first = ScriptedModel(["answer"])
    await Ledgered(first, ledger, "run").complete(call())
    again = Metered(Ledgered(ScriptedModel([]), ledger, "run"), reports.append)
    completion = await again.complete(call(), heard.append)
    assert (completion.text, completion.replayed) == ("answer", True)
    assert heard == [Delta("answer")]
    assert reports[0].replayed


async def test_other_runs_and_other_questions_are_asked_anew():
    ledger, inner = MemoryLedger(), ScriptedModel(["one", "two", "three"])
    await Ledgered(inner, ledger, "run").complete(call())
    assert (await Ledgered(inner, ledger, "other").complete(call())).text == "two"
    assert (await Ledgered(inner, ledger, "run").complete(call(text="else"))).text == "three"


async def test_a_call_that_nobody_answered_does_not_ask_the_ledger():
    ledger = MemoryLedger()
    model = Ledgered(ScriptedModel(["one", "two", "three"]), ledger, "run")
    await asyncio.gather(model.complete(call("a")), model.complete(call("b")))
    assert (await model.complete(call("a"))).replayed
    assert not (await model.complete(call("c"))).replayed
    assert ledger.asked == 1


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (done(), True),
        (done(finish=Finish.LENGTH), True),
        (replace(done("", Finish.TOOL_CALLS), tool_calls=(ToolCall("1", "look_up", "{}"),)), True),
        (done("", Finish.TOOL_CALLS), False),
        (done(finish=Finish.CUT), False),
        (done(finish=Finish.FILTER), False),
        (done(" \n"), False),
    ],
)
async def test_only_answers_that_a_step_can_use_are_kept(answer, kept):
    ledger = MemoryLedger()
    await Ledgered(ScriptedModel([answer]), ledger, "run").complete(call())
    assert bool(ledger.kept) is kept


async def test_a_failed_call_leaves_no_trace_in_the_ledger():
    ledger = MemoryLedger()
    with pytest.raises(ModelUnavailableError):
        await Ledgered(ScriptedModel([ModelUnavailableError("x")]), ledger, "run").complete(call())
    assert not ledger.kept


async def test_the_whole_stack_is_still_a_model():
    ledger, reports = MemoryLedger(), []
    provider = ScriptedModel([ModelUnavailableError("x"), "ok"])

    def stack(model):
        inner = Retrying(Limited(Timed(model), 2), sleep=Waits())
        return Metered(Ledgered(Budgeted(inner, Budget(calls=1)), ledger, "run"), reports.append)

    assert stack(provider).name == "scripted"
    assert (await stack(provider).complete(call())).text == "ok"
    model = stack(provider)
    assert (await model.complete(call())).replayed
    assert [r.replayed for r in reports] == [False, True]
