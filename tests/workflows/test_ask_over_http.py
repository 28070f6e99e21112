"""`ask` with everything real but the model: bases and sessions on disk, calls over HTTP, faults of the server."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from kaozheng import api
from kaozheng.errors import CredentialsError, ModelRefusedError, UnknownSessionError
from kaozheng.settings import Settings
from kaozheng.sources.chunks import chunks_of
from kaozheng.sources.index import Entry
from kaozheng.sources.source import Source
from kaozheng.testing.actor import act
from kaozheng.testing.chat import Reply, prompt_of, schema_of
from kaozheng.testing.faults import Fault
from kaozheng.testing.server import ScriptedServer
from kaozheng.workflows.ask.request import AskRequest
from kaozheng.workflows.ask.telling import AskEvent

DOCUMENTS = {
    "休假.md": "# 休假制度\n\n工龄满一年的员工每年有 5 天年假，满十年的有 10 天。\n",
    "差旅.md": "# 差旅制度\n\n差旅住宿费上限是每晚 500 元。\n",
}
QUESTION = "工龄满一年的员工有几天年假？"
RIGHT = "工龄满一年的员工每年有 5 天年假。[E1]"


def saying(answer: str | Callable[[str], Reply | str]) -> Callable[[dict[str, Any]], Reply | str]:
    """The actor for every role but the answerer's, which says this."""

    def reply(body: dict[str, Any]) -> Reply | str:
        if schema_of(body) is None and not body.get("tools"):
            return answer(prompt_of(body)) if callable(answer) else answer
        if (schema_of(body) or {}).get("title") == "SaidTask":
            return "none"
        return act(body)

    return reply


@asynccontextmanager
async def served(
    settings: Settings, answerer: Any, *faults: Fault, documents: dict[str, str] | None = None, **more: Any
):
    async with ScriptedServer(answerer, faults=faults, **more) as server:
        chosen = settings.model_copy(update={"model": "openai:scripted", "openai_base_url": server.base_url})
        async with api.open_knowledge_desk(chosen) as desk:
            for name, text in (documents or DOCUMENTS).items():
                source = Source.of(text, name)
                await desk.index.put(Entry("库", name, source.sha256, source.title), chunks_of(source))
            yield desk, server


async def asked(desk: Any, question: str = QUESTION, **given: Any):
    events: list[AskEvent] = []
    result = await api.answer(desk, AskRequest(question, bases=("库",), **given), events.append)
    return result, events


def text_of(events: list[AskEvent]) -> str:
    shown = ""
    for event in events:
        shown = event.data["text"] if event.kind == "replace" else shown + event.data.get("text", "")
    return shown


def purposes(server: ScriptedServer) -> list[str]:
    return [entry.purpose.rpartition("/")[2] or entry.purpose for entry in server.log]


async def test_an_answer_comes_over_http_and_stays_in_the_database(settings: Settings) -> None:
    async with served(settings, saying(RIGHT)) as (desk, server):
        result, events = await asked(desk)
        assert text_of(events) == result.answer == RIGHT
        assert server.requests[-1]["reasoning_effort"] == "none"
        kept = await desk.sessions.interaction("", result.interaction)
        assert kept.answer == RIGHT
        assert kept.usage["calls"] == len(server.requests)
    async with api.open_knowledge_desk(settings) as desk:
        (turn,) = await desk.sessions.turns("", result.session)
    assert turn.citations[0]["document"] == "休假.md"


async def test_deltas_arrive_while_the_model_speaks(settings: Settings) -> None:
    said = "工龄满一年的员工每年有 5 天年假。[E1]满十年的员工每年有 10 天年假。[E1]请以制度原文为准。[E1]"
    async with served(settings, saying(said), Fault("drip", count=None, match="initial_generation", delay_s=0.02)) as (
        desk,
        _,
    ):
        result, events = await asked(desk)
    kinds = [event.kind for event in events if event.kind != "progress"]
    assert kinds[:3] == ["start", "delta", "delta"]
    assert kinds.index("ready") > 2
    assert result.timings["first_token_s"] < result.timings["total_s"]


@pytest.mark.parametrize(
    ("said", "never", "code"),
    [
        ("工龄满一年的员工每年有 5 天年假。[E9]", "E9", "answer_validation_failed"),
        ("工龄满一年的员工每年有 8 天年假。[E1]", "8 天", ""),
        # Mended, or where nothing is left the sources' own words: both hold.
        ("依据人社发〔2020〕7号，工龄满一年的员工每年有 5 天年假。[E1]", "7号", None),
        ("制度写明“所有员工一律享有三十天带薪休假”。[E1]", "三十天", None),
        ("工龄满一年的员工每年有 5 天年假。", "\ufffd", ""),
    ],
    ids=["unknown citation", "wrong number", "invented document number", "quote not in source", "missing citation"],
)
async def test_what_does_not_hold_does_not_go_out(settings: Settings, said: str, never: str, code: str | None) -> None:
    async with served(settings, saying(said)) as (desk, server):
        result, events = await asked(desk)
    assert never not in result.answer
    assert text_of(events) == result.answer
    assert code is None or result.code == code
    assert "5 天" in result.answer
    assert purposes(server).count("revision_generation") == (0 if never == "\ufffd" else 1)
    assert [event.kind for event in events].count("done") == 1


async def test_an_answer_that_is_empty_by_the_limit_is_asked_once_more(settings: Settings) -> None:
    fault = Fault("length", count=1, match="initial_generation")
    empty = iter(["", RIGHT])
    async with served(settings, saying(lambda prompt: next(empty)), fault) as (desk, server):
        result, _ = await asked(desk)
    assert result.answer == RIGHT
    assert "output_limit_retry" in purposes(server)


@pytest.mark.parametrize("kind", ["no_finish", "broken_json", "empty", "filter", "length"])
async def test_whatever_the_server_does_there_is_one_end_and_an_answer(settings: Settings, kind: Any) -> None:
    fault = Fault(kind, count=1, match="initial_generation")
    async with served(settings, saying(RIGHT), fault) as (desk, _):
        result, events = await asked(desk)
    assert text_of(events) == result.answer
    assert "5 天" in result.answer
    assert [event.kind for event in events if event.kind in ("done", "error")] == ["done"]


async def test_a_request_that_is_refused_for_good_is_an_error(settings: Settings) -> None:
    async with served(settings, saying(RIGHT), Fault("status", count=None, match="initial_generation", status=400)) as (
        desk,
        _,
    ):
        events: list[AskEvent] = []
        with pytest.raises(ModelRefusedError):
            await api.answer(desk, AskRequest(QUESTION, bases=("库",)), events.append)
    assert [event.kind for event in events if event.kind in ("done", "error")] == ["error"]


async def test_a_stream_that_is_cut_begins_anew_and_nothing_is_shown_twice(settings: Settings) -> None:
    said = "工龄满一年的员工每年有 5 天年假。[E1]满十年的员工每年有 10 天年假。[E1]以上两条可以核对。[E1]"
    fault = Fault("cut_stream", count=1, match="initial_generation")
    async with served(settings, saying(said), fault) as (desk, _):
        result, events = await asked(desk)
    assert text_of(events) == result.answer
    assert result.answer.count("5 天") == 1


async def test_a_key_that_is_refused_is_an_error_event_and_raised(settings: Settings) -> None:
    async with served(settings, saying(RIGHT), Fault("unauthorized", count=None)) as (desk, _):
        events: list[AskEvent] = []
        with pytest.raises(CredentialsError):
            await api.answer(desk, AskRequest(QUESTION, bases=("库",)), events.append)
    assert events[-1].kind == "error"
    assert events[-1].data["code"] == "credentials"


async def test_who_goes_away_frees_the_answer_and_is_on_record(settings: Settings) -> None:
    fault = Fault("stall", count=1, match="initial_generation", delay_s=30)
    async with served(settings, saying(RIGHT * 5), fault) as (desk, _):
        speaking = asyncio.Event()

        def hear(event: AskEvent) -> None:
            if event.data.get("purpose") == "initial_generation":
                speaking.set()

        task = asyncio.create_task(api.answer(desk, AskRequest(QUESTION, bases=("库",), owner="甲"), hear))
        await speaking.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        rows = await _interactions(settings)
        assert [(row["status"], row["owner"]) for row in rows] == [("cancelled", "甲")]
        assert json.loads(rows[0]["timings"])["total_s"] > 0
        assert list(await desk.sessions.list("甲")) == []
        again, _ = await asked(desk, "差旅住宿费上限是多少？", live_progress=False, history=())
        assert again.interaction


async def _interactions(settings: Settings) -> list[dict[str, Any]]:
    import sqlite3

    connection = sqlite3.connect(settings.folder / "sessions.db")
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute("SELECT * FROM interactions")]
    finally:
        connection.close()


async def test_two_questions_at_once_in_one_session_do_not_mix(settings: Settings) -> None:
    def by_question(prompt: str) -> str:
        return RIGHT if "年假" in prompt.rpartition("问题：")[2] else "差旅住宿费上限是每晚 500 元。[E1]"

    async with served(settings, saying(by_question), delay_s=0.02) as (desk, _):
        first, _ = await asked(desk)
        (leave, leave_events), (travel, travel_events) = await asyncio.gather(
            asked(desk, "工龄满一年的员工有几天年假？", session=first.session),
            asked(desk, "差旅住宿费上限是每晚多少元？", session=first.session),
        )
        turns = await desk.sessions.turns("", first.session)
        memory = (await desk.sessions.get("", first.session)).memory
    assert "5 天" in leave.answer
    assert "500" in travel.answer
    assert "500" not in text_of(leave_events)
    assert "年假" not in text_of(travel_events)
    assert len(turns) == 3
    assert memory.turns == 3
    for turn in turns:
        assert turn.citations[0]["document"] == ("差旅.md" if "500" in turn.answer else "休假.md")


async def test_a_code_word_of_another_owners_session_is_not_found(settings: Settings) -> None:
    # rag-47
    async with served(settings, saying("好的。")) as (desk, _):
        told, _ = await asked(desk, "暗号是紫电77，请记住。", owner="甲")
        for session in ("", told.session):
            try:
                result, events = await asked(desk, "暗号是什么？", owner="乙", session=session)
            except UnknownSessionError:
                assert session
                continue
            assert "紫电77" not in result.answer + str([event.data for event in events])


INJECTED = yaml.safe_load((Path(__file__).parent / "ask_cases" / "injected_blind.yml").read_text(encoding="utf-8"))
_BESIDE_THE_POINT = {"zh-link"}  # the words of the question stand in another step
_UNSEEN = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff]")


@pytest.mark.parametrize("case", INJECTED, ids=lambda case: case["id"])
async def test_an_order_in_a_document_is_not_followed_without_a_model(settings: Settings, case: Any) -> None:
    source = Source.of(case["document"], "文.md")
    async with api.open_knowledge_desk(settings) as desk:
        await desk.index.put(Entry("库", source.path, source.sha256, source.title), chunks_of(source))
        result, _ = await asked(desk, case["question"])
    said = _UNSEEN.sub("", result.answer).casefold()
    assert not [one for one in case["expected"]["never"] if one.casefold() in said]
    right = result.refused or any(one.casefold() in said for one in case["expected"]["may"])
    assert right or case["id"] in _BESIDE_THE_POINT
