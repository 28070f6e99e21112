"""What every Model does, asked of the scripted model and of each provider over real HTTP on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import replace

import pytest
from pydantic import BaseModel, SecretStr

from kaozheng.models import Call, Completion, Finish, Message, Model, Usage
from kaozheng.models.ledger import Ledgered
from kaozheng.models.structured import ask_object, ask_text
from kaozheng.models.tool_call import ToolCall, ToolOffer
from kaozheng.providers.clients import operator_client
from kaozheng.providers.models.choosing import endpoint, open_endpoint
from kaozheng.providers.models.openai_compatible import OpenAIModel
from kaozheng.testing.chat import Reply
from kaozheng.testing.memory import MemoryLedger
from kaozheng.testing.scripted_model import ScriptedModel
from kaozheng.testing.server import ScriptedServer
from kaozheng.testing.vendors import VendorServer

# NVIDIA's class announces each time that it found <think> tags; what it does with them is tested below.
pytestmark = pytest.mark.filterwarnings("ignore:Reasoning content was parsed:UserWarning")

Says = Callable[[str], Reply]
Opened = AbstractAsyncContextManager[Model]


@asynccontextmanager
async def scripted(says: Says) -> AsyncIterator[Model]:
    def line(call: Call) -> Completion:
        reply = says(call.messages[-1].content)
        finish = Finish.TOOL_CALLS if reply.tool_calls else Finish.of(reply.finish)
        usage = Usage(5, 3, calls=1)
        return Completion(reply.text, finish, usage, "named", reply.reasoning, tool_calls=reply.tool_calls)

    yield ScriptedModel(line, name="named")


@asynccontextmanager
async def over_http(says: Says) -> AsyncIterator[Model]:
    serving = ScriptedServer(lambda body: says(body["messages"][-1]["content"]))
    async with serving as server, operator_client(server.base_url) as client:
        yield OpenAIModel("named", server.base_url, "sk-test", client)


@asynccontextmanager
async def opened(text: str, *, key: str, address: str, url: str) -> AsyncIterator[Model]:
    """A provider of the catalogue, as wiring opens it."""
    names = {key: SecretStr("sk-test"), address: SecretStr(url)}
    async with AsyncExitStack() as stack:
        yield open_endpoint(endpoint(text, names.get), stack)


@asynccontextmanager
async def anthropic(says: Says) -> AsyncIterator[Model]:
    pytest.importorskip("langchain_anthropic")
    async with VendorServer(says) as server:
        names = {"key": "ANTHROPIC_API_KEY", "address": "ANTHROPIC_BASE_URL"}
        async with opened("anthropic:named", **names, url=server.url) as model:
            yield model


@asynccontextmanager
async def google(says: Says) -> AsyncIterator[Model]:
    pytest.importorskip("langchain_google_genai")
    async with VendorServer(says) as server:
        names = {"key": "GOOGLE_API_KEY", "address": "GOOGLE_GEMINI_BASE_URL"}
        async with opened("google_genai:named", **names, url=server.url) as model:
            yield model


@asynccontextmanager
async def nvidia(says: Says) -> AsyncIterator[Model]:
    pytest.importorskip("langchain_nvidia_ai_endpoints")
    serving = ScriptedServer(lambda body: says(body["messages"][-1]["content"]), models=("named",))
    async with serving as server:
        names = {"key": "NVIDIA_API_KEY", "address": "NVIDIA_BASE_URL"}
        async with opened("nvidia:named", **names, url=server.base_url) as model:
            yield model


PROVIDERS = {"scripted": scripted, "openai": over_http, "anthropic": anthropic, "google": google, "nvidia": nvidia}


@pytest.fixture(params=PROVIDERS.values(), ids=PROVIDERS)
def open_model(request) -> Callable[[Says], Opened]:
    return request.param


def call(text: str = "hi", purpose: str = "section/3") -> Call:
    return Call("writer", purpose, (Message("system", "你是编辑"), Message("user", text)))


async def test_it_has_a_name_and_answers_whole(open_model):
    async with open_model(lambda prompt: Reply(f"答：{prompt}")) as model:
        completion = await model.complete(call("问"))
    assert model.name == completion.model == "named"
    assert (completion.text, completion.finish, completion.replayed) == ("答：问", Finish.STOP, False)


async def test_usage_is_counted_as_one_call(open_model):
    async with open_model(lambda _: Reply("x")) as model:
        usage = (await model.complete(call())).usage
    assert usage.calls == 1
    assert usage.input_tokens > 0
    assert usage.output_tokens > 0
    assert not usage.estimated


async def test_deltas_make_up_text_and_reasoning(open_model):
    heard = []
    async with open_model(lambda _: Reply("正文" * 50, reasoning="想" * 60)) as model:
        completion = await model.complete(call(), heard.append)
    assert "".join(delta.text for delta in heard) == completion.text == "正文" * 50
    assert "".join(delta.reasoning for delta in heard) == completion.reasoning == "想" * 60
    assert len(heard) > 2


@pytest.mark.parametrize(("code", "finish"), [("length", Finish.LENGTH), ("content_filter", Finish.FILTER)])
async def test_the_finish_reason_is_kept(open_model, code, finish):
    async with open_model(lambda _: Reply("half", finish=code)) as model:
        assert (await model.complete(call())).finish is finish


LOOK_UP = ToolOffer(
    "look_up",
    "Look a word up.",
    {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
)


async def test_tool_calls_arrive_whole_and_are_heard_while_they_stream(open_model):
    asked = (
        ToolCall("call_a", "look_up", '{"word": "%s"}' % ("考证" * 30)),
        ToolCall("call_b", "look_up", '{"word": "b"}'),
    )
    heard = []
    async with open_model(lambda _: Reply("I look.", tool_calls=asked)) as model:
        completion = await model.complete(replace(call(), tools=(LOOK_UP,)), heard.append)
    assert completion.finish is Finish.TOOL_CALLS
    assert completion.text == "I look."
    said = [(one.name, json.loads(one.arguments)) for one in completion.tool_calls]
    assert said == [(one.name, json.loads(one.arguments)) for one in asked]
    assert len({one.id for one in completion.tool_calls}) == 2
    assert any(delta.tool for delta in heard)


async def test_results_of_tools_go_back_to_the_model(open_model):
    asked = (ToolCall("call_a", "look_up", '{"word": "a"}'), ToolCall("call_b", "look_up", '{"word": "b"}'))

    def says(prompt: str) -> Reply:
        return Reply("It says forty-two.") if "forty-two" in prompt else Reply("", tool_calls=asked)

    async with open_model(says) as model:
        first = replace(call(), tools=(LOOK_UP,))
        turn = (await model.complete(first)).turn()
        results = [Message("tool", f"forty-two {one.id}", answers=one.id) for one in turn.tool_calls]
        completion = await model.complete(replace(first, messages=(*first.messages, turn, *results)))
    assert (completion.text, completion.finish, completion.tool_calls) == ("It says forty-two.", Finish.STOP, ())


async def test_an_empty_answer_is_an_answer(open_model):
    async with open_model(lambda _: Reply("")) as model:
        completion = await model.complete(call())
    assert (completion.text, completion.finish) == ("", Finish.STOP)


async def test_any_characters_go_both_ways(open_model):
    text = "中文 😀 \u0000 \u2028 \\n {\"a\": 'b'} data: [DONE]\n\nend"
    async with open_model(lambda prompt: Reply(prompt)) as model:
        assert (await model.complete(call(text))).text == text


async def test_a_huge_answer_arrives(open_model):
    async with open_model(lambda _: Reply("字" * 300_000)) as model:
        assert len((await model.complete(call())).text) == 300_000


async def test_parallel_calls_get_their_own_answers(open_model):
    async with open_model(lambda prompt: Reply(prompt * 20)) as model:
        answers = await asyncio.gather(*(model.complete(call(str(n))) for n in range(20)))
    assert [answer.text for answer in answers] == [str(n) * 20 for n in range(20)]


class Verdict(BaseModel):
    fine: bool
    why: str


MISBEHAVIOUR = {
    "prose": 'Of course! {"fine": true, "why": "x"} Hope it helps.',
    "fence": '```json\n{"fine": true, "why": "x"}\n```',
    "thinking": '<think>{"fine": false</think>{"fine": true, "why": "x"}',
    "trailing comma": '{"fine": true, "why": "x",}',
    "wrong types": '{"fine": "perhaps", "why": 3}',
    "empty": "",
    "huge": '{"fine": true, "why": "' + "x" * 2_100_000 + '"}',
    "cut": '{"fine": true, "why": "',
}
NEEDS_A_SECOND_TRY = {"trailing comma", "wrong types", "empty", "huge", "cut"}


@pytest.mark.parametrize("kind", MISBEHAVIOUR)
async def test_a_misbehaving_model_is_understood_or_told(open_model, kind):
    prompts: list[str] = []

    def says(prompt: str) -> Reply:
        prompts.append(prompt)
        return Reply(MISBEHAVIOUR[kind] if len(prompts) == 1 else '{"fine": true, "why": "x"}')

    async with open_model(says) as model:
        assert await ask_object(model, call(), Verdict) == Verdict(fine=True, why="x")
    assert len(prompts) == (2 if kind in NEEDS_A_SECOND_TRY else 1)


async def test_text_and_ledger_work_above_it(open_model):
    turns: list[str] = []

    def says(prompt: str) -> Reply:
        turns.append(prompt)
        return Reply(f"<think>hm</think>第 {len(turns)} 次")

    ledger = MemoryLedger()
    async with open_model(says) as model:
        first = await ask_text(Ledgered(model, ledger, "run"), call())
        again = await ask_text(Ledgered(model, ledger, "run"), call())
    assert first == again == "第 1 次"
    assert len(turns) == 1
