"""The adapter around a chat model that is written here: what it hands on, what it keeps off, what it closes."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from kaozheng.errors import CredentialsError, ModelUnavailableError
from kaozheng.models import Call, Finish, Message
from kaozheng.providers.models.catalogue import PROVIDERS
from kaozheng.providers.models.choosing import Endpoint
from kaozheng.providers.models.langchain_chat import LangChainModel, Vendor

langsmith = pytest.importorskip("langsmith.utils")


def chunk(content, **more):
    return SimpleNamespace(content=content, **more)


class Chat:
    """Streams the given pieces; an exception among them is raised in its place."""

    def __init__(self, *pieces) -> None:
        self.pieces = pieces
        self.config: dict = {}
        self.traced: bool | None = None
        self.closed = False
        self.begun = asyncio.Event()

    async def astream(self, spoken, config=None, **asked):
        self.begun.set()
        self.config, self.traced = config, langsmith.tracing_is_enabled()
        try:
            for piece in self.pieces:
                await asyncio.sleep(0)
                if isinstance(piece, Exception):
                    raise piece
                yield piece
        finally:
            self.closed = True


def model(chat: Chat) -> LangChainModel:
    chosen = Endpoint(PROVIDERS["nvidia"], "named", "https://models.example/v1", None, False)
    return LangChainModel(chosen, Vendor(lambda: chat, lambda call: {"temperature": call.temperature}))


CALL = Call("writer", "section/3", (Message("user", "hi"),))
END = chunk("", response_metadata={"finish_reason": "stop"})


async def test_prompts_are_traced_nowhere(monkeypatch):
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    langsmith.get_env_var.cache_clear()
    chat = Chat(chunk("x"), END)
    try:
        assert langsmith.tracing_is_enabled()
        await model(chat).complete(CALL)
        assert langsmith.tracing_is_enabled(), "only our own calls are untraced"
    finally:
        langsmith.get_env_var.cache_clear()
    assert (chat.traced, chat.config) == (False, {"callbacks": []})


async def test_every_form_of_reasoning_is_kept_apart():
    pieces = (
        chunk([{"type": "thinking", "thinking": "a"}]),
        chunk([{"type": "reasoning", "reasoning": "b"}, "plain ", {"type": "text", "text": "text"}, {"type": "tool"}]),
        chunk("", additional_kwargs={"reasoning_content": "c"}),
    )
    completion = await model(Chat(*pieces, END)).complete(CALL)
    assert (completion.text, completion.reasoning) == ("plain text", "abc")


async def test_figures_of_all_pieces_add_up_and_missing_ones_are_estimated():
    counted = {"input_tokens": 10, "output_tokens": 2, "input_token_details": {"cache_read": 4}}
    usage = (
        await model(Chat(chunk("x", usage_metadata=counted), chunk("y", usage_metadata=counted), END)).complete(CALL)
    ).usage
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.calls) == (20, 4, 8, 1)
    assert (await model(Chat(chunk("x"), END)).complete(CALL)).usage.estimated


@pytest.mark.parametrize(
    ("code", "finish"),
    [
        ("end_turn", Finish.STOP),
        ("MAX_TOKENS", Finish.LENGTH),
        ("RECITATION", Finish.FILTER),
        ("refusal", Finish.FILTER),
    ],
)
async def test_finish_codes_of_all_vendors_are_read(code, finish):
    end = chunk("x", response_metadata={"stop_reason": code})
    assert (await model(Chat(end)).complete(CALL)).finish is finish


@pytest.mark.parametrize(
    ("error", "ours"),
    [
        (Exception("[401] Unauthorized\nbad key sk-abcdefghij"), CredentialsError),
        (Exception("[429] Too Many Requests"), ModelUnavailableError),
        (ValueError("No generation chunks were returned"), ModelUnavailableError),
        (TimeoutError(), ModelUnavailableError),
        (ConnectionResetError(), ModelUnavailableError),
    ],
)
async def test_whatever_a_vendor_raises_becomes_our_error(error, ours):
    chat = Chat(chunk("half"), error)
    with pytest.raises(ours) as raised:
        await model(chat).complete(CALL)
    assert type(raised.value) is ours
    assert "abcdefghij" not in str(raised.value)
    assert raised.value.__cause__ is None
    assert raised.value.__context__ is None


async def test_a_cancelled_call_closes_the_stream():
    chat = Chat(*[chunk("x")] * 100_000)
    task = asyncio.create_task(model(chat).complete(CALL))
    await chat.begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert chat.closed
