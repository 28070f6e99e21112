"""A done run is tried again where its model failed it or the budget kept it from being asked; nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kaozheng import api
from kaozheng.errors import InputError
from kaozheng.settings import Settings
from kaozheng.testing.actor import act
from kaozheng.testing.faults import Fault
from kaozheng.testing.server import ScriptedServer


def pointed(settings: Settings, server: ScriptedServer) -> Settings:
    return settings.model_copy(update={"model": "openai:scripted", "openai_base_url": server.base_url})


def told(events: list[Any]) -> dict[int, str]:
    """Who wrote which section, by what was told while the run went on."""
    return {event.data["section"]: event.data["by"] for event in events if "by" in event.data and "of" in event.data}


async def test_only_the_section_that_the_model_failed_is_asked_again(settings: Settings, notes: Path) -> None:
    refuses = Fault("status", status=400, count=1, match="section/1", text="context length exceeded")
    async with ScriptedServer(act) as server:
        whole = await api.awrite(notes=notes, settings=pointed(settings, server), topic="题")
    async with ScriptedServer(act, faults=[refuses]) as server:
        chosen = pointed(settings, server)
        first = await api.awrite(notes=notes, settings=chosen, topic="题")
        assert first.report["fallbacks"][0].startswith("section 2: ")
        assert first.exit_code == 1
        before, events = len(server.log), []
        again = await api.aresume(first.run_id, events.append, chosen)
        asked = [entry.purpose for entry in server.log[before:]]
    assert told(events) == {2: "model"}
    assert [purpose for purpose in asked if purpose.startswith("section/")] == ["section/1/again1"]
    assert again.report["fallbacks"] == []
    assert again.document == whole.document
    assert again.exit_code == whole.exit_code
    with pytest.raises(InputError, match="done and complete"):
        await api.aresume(first.run_id, None, settings)


async def test_an_answer_in_no_shape_is_not_replayed_when_the_run_is_tried_again(
    settings: Settings, notes: Path
) -> None:
    broken = [True]

    def answer(request: dict[str, Any]) -> str:
        said = act(request)
        return "no object" if broken[0] and said == '{"violations": []}' else said

    async with ScriptedServer(answer) as server:
        chosen = pointed(settings, server)
        first = await api.awrite(notes=notes, settings=chosen, topic="题")
        assert any(one.startswith("review ") for one in first.report["fallbacks"])
        broken[0] = False
        before, events = len(server.log), []
        again = await api.aresume(first.run_id, events.append, chosen)
        asked = [entry.purpose for entry in server.log[before:]]
    assert again.report["fallbacks"] == []
    assert told(events) == {}  # all sections were the model's: they stay
    assert asked
    assert all(purpose.startswith("review/") and purpose.endswith("/again1") for purpose in asked), asked


async def test_a_used_up_budget_must_be_raised(settings: Settings, notes: Path) -> None:
    async with ScriptedServer(act) as server:
        chosen = pointed(settings, server)
        first = await api.awrite(notes=notes, settings=chosen, topic="题", max_calls=3)
        assert first.report["limits"] == ["calls"]
        with pytest.raises(InputError, match="used up its budget of 3 calls: resume it with --max-calls above that"):
            await api.aresume(first.run_id, None, chosen)
        with pytest.raises(InputError, match="--max-calls"):
            await api.aresume(first.run_id, None, chosen, max_calls=3, max_seconds=60)
        again = await api.aresume(first.run_id, None, chosen, max_calls=500)
    assert again.report["budget"] == []
    assert again.report["fallbacks"] == []
    assert {one["by"] for one in again.report["sections"]} == {"model"}


async def test_what_was_written_offline_by_choice_is_complete(settings: Settings, notes: Path) -> None:
    done = await api.awrite(notes=notes, settings=settings)
    with pytest.raises(InputError, match="done and complete"):
        await api.aresume(done.run_id, None, settings)


async def test_repairs_of_an_earlier_attempt_are_not_reported_twice(settings: Settings, notes: Path) -> None:
    refuses = Fault("status", status=400, count=1, match="section/1", text="context length exceeded")
    async with ScriptedServer(act, faults=[refuses]) as server:
        chosen = pointed(settings, server)
        first = await api.awrite(notes=notes, settings=chosen, topic="题")
        again = await api.aresume(first.run_id, None, chosen)
    tries = [(one["module"], one["try"]) for one in again.report["repairs"]]
    assert tries
    assert len(tries) == len(set(tries))
