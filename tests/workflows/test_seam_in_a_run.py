"""What a run tells of the model seam while it goes on: retries, fallbacks, budgets; and answers that are asked on."""

from __future__ import annotations

from pathlib import Path

import pytest

from kaozheng import api
from kaozheng.cli.progress import told
from kaozheng.errors import SettingsError
from kaozheng.journal import EventKind, RunRecord
from kaozheng.journal.event import EVENT_DATA
from kaozheng.settings import Settings
from kaozheng.testing.actor import act
from kaozheng.testing.chat import Reply
from kaozheng.testing.faults import Fault
from kaozheng.testing.server import ScriptedServer
from kaozheng.wiring import open_desk
from kaozheng.workflows.write.progress import Progress


def pointed(settings: Settings, server: ScriptedServer) -> Settings:
    return settings.model_copy(update={"model": "openai:scripted", "openai_base_url": server.base_url})


async def test_retries_and_lost_answers_are_told_while_the_run_goes_on(settings: Settings, notes: Path) -> None:
    lines: list[str] = []
    faults = [Fault("status", status=429, retry_after_s=0.01, match="section/1"), Fault("filter", match="section/2")]
    faults.append(Fault("status", status=400, count=9, match="section/3", text="context length exceeded"))
    async with ScriptedServer(act, faults=faults) as server:
        await api.awrite(notes=notes, settings=pointed(settings, server), on_event=lambda e: lines.append(told(e)))
    assert [line for line in lines if line.startswith("retry 2 in ") and line.endswith(" s: 429 (section/1)")]
    assert [line for line in lines if line.startswith("no answer to section/3: ModelError: the prompt is longer")]


async def test_a_reached_budget_is_told_once(settings: Settings, notes: Path) -> None:
    events = []
    async with ScriptedServer(act) as server:
        await api.awrite(notes=notes, settings=pointed(settings, server), max_calls=3, on_event=events.append)
    reached = [event for event in events if event.kind == "budget"]
    assert len(reached) == 1
    assert told(reached[0]).startswith("budget reached: 3 of 3 calls are used")


async def test_events_carry_what_the_reference_says(settings: Settings, notes: Path) -> None:
    events = []
    too_long = Fault("status", status=400, count=9, match="section/1", text="context length exceeded")
    lost = [Fault("status", status=503, match="section/0"), too_long, Fault("no_model", count=9, match="section/2")]
    async with ScriptedServer(act, faults=lost) as server, ScriptedServer(act, faults=[too_long]) as spare:
        chosen = pointed(settings, server).model_copy(update={"model_fallback": "local:spare"})
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("LOCAL_BASE_URL", spare.base_url)
            result = await api.awrite(notes=notes, settings=chosen, max_calls=9, on_event=events.append)
    seen = {event.kind for event in events}
    others = {EventKind.RUN_RESUMED, EventKind.RUN_STOPPED, EventKind.RUN_FAILED, EventKind.TOOL}  # tested elsewhere
    assert seen == set(EventKind) - others
    for event in events:
        documented = EVENT_DATA[event.kind][1]
        if event.kind is not EventKind.NOTE:
            assert set(event.data) <= {name.removesuffix("?") for name in documented}, event
        assert {name for name in documented if name not in ("…",) and not name.endswith("?")} <= set(event.data), event
    tasks = {event.data["task"]: event.data["step"] for event in events if event.kind == "step_started"}
    asked = {event.data["purpose"]: event.data for event in events if event.kind == "call_started"}
    assert tasks[asked["outline"]["task"]] == "plan"
    assert tasks[asked["section/3"]["task"]] == "write_section"
    assert {event.data["asked"] for event in events if event.kind == "call_finished" and event.data["finish"]} == {
        "openai:scripted",
        "local:spare",
    }
    used = [event.data for event in events if event.kind == "tokens"]
    assert used[-1]["calls"] == 9
    assert used[-1]["input_tokens"] == result.usage["input_tokens"]


async def test_progress_grows_with_the_plan_and_ends_whole(settings: Settings, notes: Path) -> None:
    progress, shares = Progress(), []
    await api.awrite(notes=notes, settings=settings, on_event=lambda event: shares.append(progress.take(event)))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(set(shares)) > 10


async def test_money_needs_a_price_and_then_limits_the_run(settings: Settings, notes: Path, tmp_path: Path) -> None:
    own = tmp_path / "prices.toml"
    own.write_text('[models]\nscripted = { currency = "USD", input = 1000, output = 1000 }\n', encoding="utf-8")
    async with ScriptedServer(act) as server:
        chosen = pointed(settings, server)
        with pytest.raises(SettingsError, match="no price is known for 'scripted'"):
            await api.awrite(notes=notes, settings=chosen, max_money=1.0)
        assert not server.log
        priced = chosen.model_copy(update={"prices": str(own)})
        result = await api.awrite(notes=notes, settings=priced, max_money=1.5)
    assert result.report["budget"]
    assert result.exit_code == 1
    assert 1 <= result.usage["calls"] < 8


async def test_a_run_whose_price_is_gone_is_not_resumed_for_free(settings: Settings) -> None:
    request = {"model": "openai:scripted", "budget": {"money": 1.0}}
    record = RunRecord("r", "write", "t", str(settings.folder / "r"), "", "", request=request)
    local = settings.model_copy(update={"openai_base_url": "http://127.0.0.1:1/v1"})
    async with open_desk(local) as desk:
        with pytest.raises(SettingsError, match="no price is known"):
            desk.ports_for(record, lambda kind, data: None)


async def test_a_section_that_reached_the_length_limit_is_asked_on(settings: Settings, notes: Path) -> None:
    first: list[str] = []

    def answer(request):
        reply = act(request)
        last = request["messages"][-1]["content"]
        if "从最后一个字符之后接着写" in last or "Go on exactly after" in last:
            return first[0][len(request["messages"][-2]["content"]) - 5 :]
        if isinstance(reply, str) and "response_format" not in request and not first and len(reply) > 60:
            first.append(reply)
            return Reply(reply[:40], finish="length")
        return reply

    async with ScriptedServer(answer) as server:
        result = await api.awrite(notes=notes, settings=pointed(settings, server))
    assert first
    assert {one["by"] for one in result.report["sections"]} == {"model"}
    assert [entry.purpose for entry in server.log if entry.purpose.endswith("/more2")]


@pytest.mark.parametrize(("prompt", "made"), [("^outline$", "outline: "), ("^section/0$", "section 1: ")])
async def test_whatever_the_model_failed_at_is_marked_in_the_report(
    settings: Settings, notes: Path, prompt: str, made: str
) -> None:
    lost = Fault("status", status=400, text="the prompt is longer than the context size", match=prompt, count=None)
    async with ScriptedServer(act, faults=[lost]) as server:
        result = await api.awrite(notes=notes, settings=pointed(settings, server))
    assert [one for one in result.report["fallbacks"] if one.startswith(made)]
    assert result.exit_code == 1
    assert len(result.report["fallbacks"]) == 1
