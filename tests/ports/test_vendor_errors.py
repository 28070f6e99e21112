"""What vendors refuse, as our errors; what is sent to them, and what never is. Over real HTTP on loopback."""

from __future__ import annotations

import traceback
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from pydantic import SecretStr

from kaozheng.errors import (
    CredentialsError,
    ModelError,
    ModelRefusedError,
    ModelUnavailableError,
    NotPrivateError,
    UnknownModelError,
)
from kaozheng.models import Call, Message, Model
from kaozheng.providers.models.catalogue import PROVIDERS
from kaozheng.providers.models.choosing import endpoint, open_endpoint
from kaozheng.testing.chat import Reply
from kaozheng.testing.server import ScriptedServer
from kaozheng.testing.vendors import VendorServer

KEY = "sk-never-to-be-seen-0042"
VENDORS = ("anthropic", "google_genai", "nvidia")


def call(text: str = "hi", **more) -> Call:
    return Call("writer", "section/3", (Message("system", "你是编辑"), Message("user", text)), **more)


@asynccontextmanager
async def opened(prefix: str, url: str, name: str = "named") -> AsyncIterator[Model]:
    provider = PROVIDERS[prefix]
    pytest.importorskip(provider.module)
    names = {provider.keys[0]: SecretStr(KEY), provider.addresses[0]: SecretStr(url)}
    async with AsyncExitStack() as stack:
        yield open_endpoint(endpoint(f"{prefix}:{name}", names.get), stack)


@asynccontextmanager
async def served(prefix: str, reply: Reply, name: str = "named") -> AsyncIterator[tuple[Model, list[dict]]]:
    if prefix == "nvidia":
        like_openai = ScriptedServer(lambda _: reply, models=(name,))
        async with like_openai as listening, opened(prefix, listening.base_url, name) as model:
            yield model, listening.requests
        return
    async with VendorServer(lambda _: reply) as server, opened(prefix, server.url, name) as model:
        yield model, server.requests


@pytest.mark.parametrize("prefix", VENDORS)
@pytest.mark.parametrize(
    ("status", "said", "error"),
    [
        (401, f"invalid x-api-key: {KEY}", CredentialsError),
        (403, f"forbidden for {KEY}", CredentialsError),
        (404, "model: named not found", UnknownModelError),
        (400, "prompt is too long: 300000 tokens", ModelError),
        (400, "some parameter is wrong", ModelRefusedError),
        (429, "slow down", ModelUnavailableError),
        (500, f"lost {KEY}", ModelUnavailableError),
        (503, "overloaded", ModelUnavailableError),
    ],
)
async def test_a_refusal_is_our_error_and_holds_no_key(prefix, status, said, error):
    async with served(prefix, Reply(said, status=status)) as (model, requests):
        with pytest.raises(ModelError) as raised:
            await model.complete(call())
    assert type(raised.value) is error, raised.value
    assert len(requests) == 1, "a vendor's own retries are off"
    assert KEY not in "".join(traceback.format_exception(raised.value))


@pytest.mark.parametrize("prefix", ["anthropic", "google_genai"])
async def test_the_wait_that_a_vendor_asks_for_is_kept(prefix):
    async with served(prefix, Reply("slow down", status=429, headers=(("Retry-After", "7"),))) as (model, _):
        with pytest.raises(ModelUnavailableError) as raised:
            await model.complete(call())
    assert raised.value.retry_after_s == 7


@pytest.mark.parametrize("prefix", VENDORS)
async def test_a_stream_without_a_finish_is_no_answer(prefix):
    async with served(prefix, Reply("half of it", finish=None)) as (model, _):
        with pytest.raises(ModelUnavailableError):
            await model.complete(call())


@pytest.mark.parametrize("prefix", VENDORS)
async def test_nobody_there_may_be_tried_again(prefix):
    async with opened(prefix, "http://127.0.0.1:9") as model:
        with pytest.raises(ModelUnavailableError):
            await model.complete(call())


@pytest.mark.parametrize("prefix", VENDORS)
async def test_a_secret_text_is_not_sent(prefix):
    async with served(prefix, Reply("x")) as (model, requests):
        with pytest.raises(NotPrivateError):
            await model.complete(call("canary-7f3a", sensitivity="secret"))
    assert requests == []


@pytest.mark.parametrize("prefix", VENDORS)
async def test_limits_are_sent_and_blank_messages_are_not(prefix):
    spoken = (Message("user", "ask"), Message("assistant", " "), Message("user", "again"))
    async with served(prefix, Reply("x")) as (model, requests):
        await model.complete(Call("writer", "p", spoken, max_tokens=77, temperature=0.5))
    (sent,) = requests
    config = sent.get("generationConfig", sent)
    assert 77 in (config.get("max_tokens"), config.get("maxOutputTokens"))
    assert config["temperature"] == 0.5
    said = sent.get("contents") or sent["messages"]
    assert "ask" in str(said)
    assert "again" in str(said)
    assert not [one for one in said if one["role"] in ("assistant", "model")]


async def test_a_model_that_takes_no_temperature_is_asked_without_it():
    def answer(_: str) -> Reply:
        if "temperature" in server.requests[-1]:
            return Reply("temperature is not supported by this model", status=400)
        return Reply("fine")

    async with VendorServer(answer) as server, opened("anthropic", server.url) as model:
        assert (await model.complete(call())).text == "fine"
        assert (await model.complete(call())).text == "fine"
    assert ["temperature" in sent for sent in server.requests] == [True, False, False]


@pytest.mark.parametrize(("name", "thinks"), [("z-ai/glm-4.6", True), ("meta/llama-3", False)])
async def test_glm_thinks_aloud_at_nvidia(name, thinks):
    async with served("nvidia", Reply("text", reasoning="thought"), name) as (model, requests):
        completion = await model.complete(call())
    assert (completion.text, completion.reasoning) == ("text", "thought")
    wanted = {"enable_thinking": True, "clear_thinking": False} if thinks else None
    assert requests[0].get("chat_template_kwargs") == wanted
    assert "max_tokens" not in requests[0]


async def test_a_class_that_cannot_be_made_refuses_for_good(monkeypatch):
    pytest.importorskip("langchain_anthropic")
    async with VendorServer(lambda _: Reply("x")) as server, opened("anthropic", server.url) as model:
        monkeypatch.setattr("langchain_anthropic.ChatAnthropic", lambda **_: 1 / 0)
        with pytest.raises(ModelRefusedError, match="ZeroDivisionError"):
            await model.complete(call())


async def test_the_listener_s_own_error_is_not_the_vendor_s():
    def broken(_: object) -> None:
        raise KeyError("mine")

    async with served("anthropic", Reply("text")) as (model, _):
        with pytest.raises(KeyError, match="mine"):
            await model.complete(call(), broken)
