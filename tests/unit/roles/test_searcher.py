from __future__ import annotations

import json
from typing import Any

import pytest

from kaozheng.errors import CredentialsError, ModelUnavailableError, ToolsRefusedError
from kaozheng.models import Completion, Finish, Usage
from kaozheng.models.messages import Message
from kaozheng.models.tool_call import ToolCall
from kaozheng.roles.searcher import SearchTask, Sought, search_or_respond
from kaozheng.testing.scripted_model import Line, ScriptedModel
from kaozheng.tools.search_knowledge import search_offer

ASKED = (Message("user", "犬误食巧克力怎么办"), Message("assistant", "尽快送医。[E1]"))


def task(question: str = "年假有几天？", **given: Any) -> SearchTask:
    return SearchTask(question, **{"language": "zh", "offers": (search_offer("zh"),), **given})


def completion(text: str = "", finish: Finish = Finish.STOP, *queries: str) -> Completion:
    calls = tuple(ToolCall(f"c{n}", "search_knowledge", json.dumps({"query": one})) for n, one in enumerate(queries))
    return Completion(text, finish, Usage(1, 1, calls=1), "scripted", tool_calls=calls)


def queries(sought: Sought) -> list[str]:
    return [json.loads(call.arguments)["query"] for call in sought.calls]


@pytest.mark.parametrize(
    ("question", "given", "wanted"),
    [
        ("年假有几天？", {}, ["年假有几天？"]),
        ("年假有几天？病假工资怎么算？", {}, ["年假有几天？", "病假工资怎么算？"]),
        ("比较年假和病假的天数", {"targets": ("年假", "病假")}, ["年假 天数", "病假 天数"]),
        ("年假和病假有什么区别", {"targets": ("年假", "病假")}, ["年假", "病假"]),
        ("年假", {"query": "带薪年休假"}, ["带薪年休假"]),
    ],
)
async def test_offline_the_question_itself_is_looked_for(question: str, given: Any, wanted: list[str]) -> None:
    sought = (await search_or_respond(None, task(question, **given))).value
    assert queries(sought) == wanted


async def test_the_model_s_calls_are_taken_all_of_them() -> None:
    model = ScriptedModel([completion("", Finish.TOOL_CALLS, "年假", "病假")])
    answer = await search_or_respond(model, task())
    assert (queries(answer.value), answer.by) == (["年假", "病假"], "model")
    assert [tool.name for tool in model.calls[0].tools] == ["search_knowledge"]


async def test_a_reply_counts_in_the_first_round_only_and_where_it_is_allowed() -> None:
    free = await search_or_respond(ScriptedModel(["你好！"]), task("你好"))
    assert (free.value.reply, free.value.calls) == ("你好！", ())
    bound = await search_or_respond(ScriptedModel(["有5天。"]), task(searching=True))
    assert (queries(bound.value), bound.by) == (["年假有几天？"], "fallback")
    later = await search_or_respond(ScriptedModel(["没有找到。"]), task(query="带薪年休假", round=2))
    assert queries(later.value) == ["带薪年休假"]


@pytest.mark.parametrize(
    "line",
    [
        "",
        completion("你", Finish.LENGTH),
        completion("", Finish.LENGTH, "年"),
        completion("", Finish.FILTER),
        ModelUnavailableError("down"),
        ToolsRefusedError("no tools"),
    ],
)
async def test_whatever_goes_wrong_the_question_is_looked_for(line: Line) -> None:
    answer = await search_or_respond(ScriptedModel([line]), task())
    assert (queries(answer.value), answer.by) == (["年假有几天？"], "fallback")
    assert answer.reason


async def test_a_refused_key_is_raised() -> None:
    with pytest.raises(CredentialsError):
        await search_or_respond(ScriptedModel([CredentialsError("k")]), task())


async def test_the_model_sees_the_conversation_its_own_calls_and_what_to_search_for_next() -> None:
    model = ScriptedModel([completion("", Finish.TOOL_CALLS, "x")])
    turns = (Message("assistant", "", (ToolCall("a", "search_knowledge", "{}"),)), Message("tool", "没有", answers="a"))
    await search_or_respond(model, task(history=ASKED, turns=turns, query="带薪年休假", round=2))
    roles = [message.role for message in model.calls[0].messages]
    assert roles == ["system", "user", "assistant", "user", "assistant", "tool", "user"]
    assert "带薪年休假" in model.calls[0].messages[-1].content
