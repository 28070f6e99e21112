"""The OpenAI provider against every fault of the scripted server."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx2
import pytest

from kaozheng.errors import (
    CredentialsError,
    ModelError,
    ModelRefusedError,
    ModelUnavailableError,
    UnknownModelError,
)
from kaozheng.models import Call, Finish, Message
from kaozheng.models.retrying import Retrying
from kaozheng.models.timed import Timed
from kaozheng.models.tool_call import ToolCall
from kaozheng.providers.clients import host_of, is_loopback, operator_client
from kaozheng.providers.models import streamed
from kaozheng.providers.models.openai_compatible import OpenAIModel
from kaozheng.testing.chat import Reply
from kaozheng.testing.faults import Fault
from kaozheng.testing.server import ScriptedServer

KEY = "sk-verysecret0123456789"
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
CALL = Call("审稿人/judge", "revise/命名/1.2", (Message("user", "hi"),), max_tokens=100)


@asynccontextmanager
async def served(*faults: Fault, answer=lambda _: "an answer of some length", **settings) -> AsyncIterator[tuple]:
    serving = ScriptedServer(answer, faults=faults, **settings)
    async with serving as server, operator_client(server.base_url, total_s=2.0) as client:
        yield OpenAIModel("m", server.base_url, KEY, client), server


async def until(happened) -> None:
    for _ in range(400):
        if happened():
            return
        await asyncio.sleep(0.005)
    pytest.fail("did not happen in 2 s")


async def no_wait(_: float) -> None:
    pass


async def test_of_two_choices_only_the_first_is_the_answer():
    async with served(Fault("choices")) as (model, _):
        assert (await model.complete(CALL)).text == "an answer of some length"


async def test_thinking_without_text_is_an_empty_answer_with_reasoning():
    async with served(Fault("reasoning")) as (model, _):
        completion = await model.complete(CALL)
    assert (completion.text, completion.reasoning) == ("", "an answer of some length")


@pytest.mark.parametrize("fault", [Fault("stall", delay_s=5), Fault("drip", delay_s=5)])
async def test_silence_in_the_middle_of_an_answer_is_given_up(fault):
    async with served(fault) as (model, _):
        with pytest.raises(ModelUnavailableError) as caught:
            await Timed(model, 0.2, 0.2).complete(CALL)
    assert caught.value.kind == "time-out"


BROKEN = ["html", "status", "drop", "cut_stream", "no_finish", "broken_stream", "error_event"]


@pytest.mark.parametrize("kind", BROKEN)
async def test_what_may_pass_is_retried_and_counted_once(kind):
    async with served(Fault(kind, status=503)) as (model, server):
        with pytest.raises(ModelUnavailableError):
            await model.complete(CALL)
        assert len(server.requests) == 1  # no second retry layer below ours
        assert (await Retrying(model, sleep=no_wait).complete(CALL)).finish is Finish.STOP


@pytest.mark.parametrize("kind", ["cut_stream", "no_finish"])
async def test_a_cut_stream_is_not_a_short_answer_and_the_reader_is_told(kind):
    heard = []
    async with served(Fault(kind)) as (model, _):
        completion = await Retrying(model, sleep=no_wait).complete(CALL, heard.append)
    assert completion.text == "an answer of some length"
    restart = [delta.restart for delta in heard].index(True)
    assert "".join(delta.text for delta in heard[restart:]) == completion.text


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault("unauthorized"), CredentialsError),
        (Fault("status", status=403), CredentialsError),
        (Fault("status", status=402), CredentialsError),
        (Fault("status", status=429, text="insufficient_quota: check your plan"), CredentialsError),
        (Fault("no_model"), UnknownModelError),
        (Fault("status", status=400, text="Model m does not exist."), UnknownModelError),
        (Fault("status", status=400, text="Unknown model: m"), UnknownModelError),
        (Fault("status", status=408), ModelUnavailableError),
        (Fault("status", status=409), ModelUnavailableError),
        (Fault("status", status=429), ModelUnavailableError),
        (Fault("status", status=500), ModelUnavailableError),
        (Fault("status", status=504), ModelUnavailableError),
        (Fault("status", status=400, text="something else"), ModelRefusedError),
        (Fault("status", status=413), ModelRefusedError),
        (Fault("status", status=307), ModelRefusedError),
        (Fault("status", status=400, text="maximum context length is 8192 tokens"), ModelError),
        (Fault("status", status=400, text="request (9 tokens) exceeds the available context size (8)"), ModelError),
        (Fault("status", status=400, text="data_inspection_failed"), ModelError),
    ],
    ids=lambda value: f"{value.kind} {value.status} {value.text}" if isinstance(value, Fault) else value.__name__,
)
async def test_each_refusal_is_the_error_that_says_what_to_do(fault, error):
    async with served(replace(fault, count=None)) as (model, _):
        with pytest.raises(ModelError) as caught:
            await model.complete(CALL)
    assert type(caught.value) is error
    assert caught.value.retryable is (error is ModelUnavailableError)


@pytest.mark.parametrize(("after", "waited_s"), [(2.5, 2.5), (0.0, 0.0), (None, None)])
async def test_retry_after_is_read(after, waited_s):
    async with served(Fault("status", status=429, retry_after_s=after)) as (model, _):
        with pytest.raises(ModelUnavailableError) as caught:
            await model.complete(CALL)
    assert caught.value.retry_after_s == waited_s


async def test_retry_after_may_be_a_date():
    past = (("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT"),)
    far = (("Retry-After", "Wed, 21 Oct 2115 07:28:00 GMT"),)
    replies = iter([Reply("busy", status=503, headers=past), Reply("busy", status=503, headers=far)])
    async with served(answer=lambda _: next(replies)) as (model, _):
        seconds = []
        for _ in range(2):
            with pytest.raises(ModelUnavailableError) as caught:
                await model.complete(CALL)
            seconds.append(caught.value.retry_after_s)
    assert seconds[0] == 0
    assert seconds[1] > 1e9


@pytest.mark.parametrize(
    ("kind", "text", "finish"),
    [("empty", "", Finish.STOP), ("length", "an answer of", Finish.LENGTH), ("filter", "an answer of", Finish.FILTER)],
)
async def test_odd_answers_arrive_as_they_are(kind, text, finish):
    async with served(Fault(kind)) as (model, _):
        completion = await model.complete(CALL)
    assert (completion.text, completion.finish) == (text, finish)


async def test_pings_do_not_keep_a_silent_model_alive():
    async with served(Fault("ping", delay_s=5.0)) as (model, server):
        with pytest.raises(ModelUnavailableError, match="said nothing"):
            await Timed(model, first_s=0.08).complete(CALL)
        assert (await model.complete(CALL)).text  # the connection that was left behind harms nobody
        assert len(server.requests) == 2


async def test_a_hard_stall_ends_by_the_clients_time_out():
    async with ScriptedServer(delay_s=5.0) as server, operator_client(server.base_url, total_s=0.05) as client:
        with pytest.raises(ModelUnavailableError, match="in time"):
            await OpenAIModel("m", server.base_url, KEY, client).complete(CALL)


async def test_nobody_listening_is_unavailable_and_names_the_host():
    async with ScriptedServer() as server:
        base_url = server.base_url
    async with operator_client(base_url) as client:
        with pytest.raises(ModelUnavailableError, match=host_of(base_url)):
            await OpenAIModel("m", base_url, KEY, client).complete(CALL)


async def test_a_cancelled_call_lets_go_of_its_connection():
    async with served(Fault("ping", delay_s=5.0)) as (model, server):
        task = asyncio.create_task(model.complete(CALL))
        await until(lambda: server.requests)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await until(lambda: server.log)
        assert [entry.received for entry in server.log] == [False]  # the server saw the hang-up, long before 5 s


@pytest.mark.parametrize(
    ("parameter", "forms"),
    [
        ("response_format", ["json_schema", "json_object", None]),
        ("stream_options", None),
        ("temperature", None),
        ("max_tokens", None),
    ],
)
async def test_a_refused_parameter_is_given_up_once_and_remembered(parameter, forms):
    asked = replace(CALL, schema=SCHEMA)
    async with served(Fault("refuse", count=None, text=parameter)) as (model, server):
        assert (await model.complete(asked)).finish is Finish.STOP
        tried = len(server.requests)
        assert (await model.complete(asked)).usage.estimated is (parameter == "stream_options")
        assert len(server.requests) == tried + 1
        if forms:
            sent = [body.get("response_format", {}).get("type") for body in server.requests]
            assert sent == [*forms, forms[-1]]
        if parameter == "max_tokens":
            assert server.requests[-1]["max_completion_tokens"] == 100


async def test_effort_is_asked_for_and_a_value_that_is_refused_is_given_up_once():
    async with served(Fault("refuse", count=1, text="reasoning_effort")) as (model, server):
        for effort in ("none", "none", "low", ""):
            assert (await model.complete(replace(CALL, effort=effort))).finish is Finish.STOP
    assert [body.get("reasoning_effort") for body in server.requests] == ["none", None, None, "low", None]


async def test_parallel_calls_learn_a_refusal_together():
    asked = replace(CALL, schema=SCHEMA)
    async with served(Fault("refuse", count=None, text="response_format"), delay_s=0.01) as (model, server):
        answers = await asyncio.gather(*(model.complete(asked) for _ in range(5)))
    assert len(answers) == 5
    assert len(server.requests) <= 15


async def test_the_request_says_what_was_asked():
    async with served() as (model, server):
        await model.complete(replace(CALL, schema=SCHEMA))
    (body,) = server.requests
    assert body["response_format"]["json_schema"] == {"name": "____judge", "schema": SCHEMA, "strict": False}
    assert (body["max_tokens"], body["temperature"], body["stream"]) == (100, 0.2, True)
    assert "user" not in body
    assert server.log[0].purpose == CALL.purpose


async def test_the_purpose_is_told_to_loopback_only(monkeypatch):
    seen = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(dict(request.headers))
        return httpx2.Response(500)

    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another-account")
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
        with pytest.raises(ModelUnavailableError):
            await OpenAIModel("m", "https://models.example.org/v1", KEY, client).complete(CALL)
    assert "x-kaozheng-purpose" not in seen[0]
    assert "openai-organization" not in seen[0]


async def test_half_characters_are_replaced_on_the_way_out_and_in():
    async with served(answer=lambda body: "got " + body["messages"][0]["content"] + "\ud83d") as (model, _):
        completion = await model.complete(replace(CALL, messages=(Message("user", "中\ud83d"),)))
    assert completion.text == "got 中\ufffd\ufffd"


async def test_an_endless_answer_is_cut_as_too_long(monkeypatch):
    monkeypatch.setattr(streamed, "MAX_ANSWER_CHARS", 1000)
    async with served(answer=lambda _: "again " * 5000) as (model, _):
        completion = await model.complete(CALL)
    assert completion.finish is Finish.LENGTH
    assert len(completion.text) < 2000


@pytest.mark.parametrize(
    "fault",
    [
        Fault("unauthorized"),
        Fault("status", status=400, text=f"bad request with Bearer {KEY}"),
        Fault("status", status=429, text=f"key {KEY} is over its limit"),
        Fault("status", status=404, text=f"{KEY}"),
        Fault("drop"),
        Fault("error_event"),
        Fault("delay"),
    ],
    ids=lambda fault: f"{fault.kind} {fault.status}",
)
async def test_the_key_is_in_no_error_repr_traceback_or_log(fault, caplog):
    caplog.set_level(logging.DEBUG)
    async with served(fault) as (model, server):
        (outcome,) = await asyncio.gather(model.complete(CALL), return_exceptions=True)
        said = [repr(model), str(model), repr(model._sdk), repr(outcome), *map(repr, server.log)]
    if isinstance(outcome, BaseException):
        said += [str(outcome), "".join(traceback.format_exception(outcome)), repr(vars(outcome))]
        assert (outcome.__cause__, outcome.__context__) == (None, None)
    said += [record.getMessage() for record in caplog.records]
    assert caplog.records
    assert not [text for text in said if KEY in text or KEY[3:] in text]


async def test_a_key_that_does_not_look_like_one_is_hidden_too():
    key = "7f3e9c0d11aa4b52"
    faults = [Fault("status", status=400, text=f"no access with {key} today")]
    async with ScriptedServer(faults=faults) as server, operator_client(server.base_url) as client:
        with pytest.raises(ModelRefusedError, match=r"no access with \*\*\* today") as caught:
            await OpenAIModel("m", server.base_url, key, client).complete(CALL)
    assert key not in repr(caught.value)


async def test_openai_itself_needs_a_key_and_a_local_server_does_not():
    async with httpx2.AsyncClient(trust_env=False) as client:
        with pytest.raises(CredentialsError, match="no key"):
            OpenAIModel("m", None, None, client)
    async with ScriptedServer() as server, operator_client(server.base_url) as client:
        assert (await OpenAIModel("m", server.base_url, None, client).complete(CALL)).text


def test_neither_provider_nor_clients_load_the_sdk_on_import():
    program = (
        "import sys, kaozheng.providers.clients, kaozheng.providers.models.openai_compatible\n"
        "print([m for m in ('openai', 'httpx2') if m in sys.modules])"
    )
    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://127.9.9.9", True),
        ("http://[::1]:8000/v1", True),
        ("http://LOCALHOST:11434", True),
        ("https://api.openai.com/v1", False),
        ("http://localhost.example.org", False),
        ("http://127.0.0.1.example.org", False),
        ("http://192.168.0.2", False),
        ("", False),
    ],
)
async def test_loopback_is_told_apart_and_uses_no_proxy(url, loopback):
    assert is_loopback(url) is loopback
    async with operator_client(url) as client:
        assert client.trust_env is not loopback
        assert client.follow_redirects is False


def test_a_host_is_named_without_what_may_be_secret():
    assert host_of("https://user:pw@models.example.org:8443/v1?key=1") == "models.example.org:8443"


def an_event(delta: object, **more: object) -> str:
    return json.dumps({"id": "x", "choices": [{"index": 0, "delta": delta, "finish_reason": None}], **more})


UNREADABLE = {
    "list": "[1, 2]",
    "number": "5",
    "null": "null",
    "text": '"hello"',
    "tool calls are text": an_event({"tool_calls": "list_tree"}),
    "tool calls are an object": an_event({"tool_calls": {"name": "list_tree"}}),
    "a tool call is null": an_event({"tool_calls": [None]}),
    "nested too deeply": "[" * 100_000 + "]" * 100_000,
}


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
async def test_an_event_of_no_known_shape_is_a_broken_stream_that_is_asked_again(data):
    async with served(Fault("event", text=data)) as (model, server):
        retries = []
        answer = await Retrying(model, sleep=no_wait, on_retry=retries.append).complete(CALL)
    assert answer.text == "an answer of some length"
    assert [retry.error for retry in retries] == ["broken stream"]
    assert len(server.requests) == 2


READABLE = {
    "delta is null": an_event(None),
    "choices are text": '{"choices": "hi"}',
    "choices are null": '{"choices": null}',
    "content is a list": an_event({"content": [{"type": "text", "text": "no"}]}),
    "reasoning is an object": an_event({"reasoning_content": {"a": 1}}),
    "usage is no number": '{"choices": [], "usage": {"prompt_tokens": NaN, "completion_tokens": Infinity}}',
    "usage is a list": '{"choices": [], "usage": [1]}',
    "usage is huge": '{"choices": [], "usage": {"prompt_tokens": 1e300, "completion_tokens": -5}}',
    "cached is text": an_event(
        {}, usage={"prompt_tokens": 1, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": "x"}}
    ),
    "model is a number": an_event({}, model=5),
}


@pytest.mark.parametrize("data", READABLE.values(), ids=READABLE)
async def test_an_odd_event_takes_nothing_from_the_answer(data):
    async with served(Fault("event", text=data)) as (model, server):
        answer = await model.complete(CALL)
    assert (answer.text, answer.finish) == ("an answer of some length", Finish.STOP)
    assert answer.usage.input_tokens > 0
    assert len(server.requests) == 1


async def test_arguments_that_come_as_an_object_are_arguments():
    called = {"tool_calls": [{"index": 0, "id": 7, "function": {"name": "list_tree", "arguments": {"depth": 2}}}]}
    async with served(Fault("event", text=an_event(called)), answer=lambda _: "") as (model, _):
        answer = await model.complete(CALL)
    assert answer.tool_calls == (ToolCall("7", "list_tree", '{"depth": 2}'),)
    assert answer.finish is Finish.TOOL_CALLS
