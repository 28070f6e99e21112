"""A LangChain chat model as our Model: the one adapter for the vendors whose protocol is not OpenAI's.

Only what streams is used of LangChain. Its retries are off (`models.retrying` is the only layer), its callbacks and
its tracing are off as well: prompts must not travel to a tracing service because a variable is set, and what a run
shows comes from our own events. The vendor's class is imported and made in a thread at the first call, because that
takes up to two seconds and some of them ask the network.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from kaozheng.errors import KaozhengError, ModelError, ModelRefusedError, ModelUnavailableError
from kaozheng.models.messages import Call, Completion, Delta, Finish, Message
from kaozheng.models.model import OnDelta
from kaozheng.models.reply import whole_characters
from kaozheng.models.usage import Usage
from kaozheng.providers.models.refusals import Refusal, error_of, redactor, retry_after_s, shortened, untrusted
from kaozheng.providers.models.streamed import Streamed

if TYPE_CHECKING:
    from kaozheng.providers.models.choosing import Endpoint

_STATUS_IN_TEXT = re.compile(r"^\[(\d{3})\]")
_LINKS: Final = 4  # how far a vendor's error is followed to its cause


class Chat(Protocol):
    """What is used of LangChain's BaseChatModel."""

    def astream(self, input: Any, config: Any = None, **asked: Any) -> AsyncGenerator[Any, None]:
        """The pieces of an answer."""
        ...

    def bind_tools(self, tools: Any) -> Chat:
        """The same model with tools on offer."""
        ...


@dataclass(frozen=True, slots=True)
class Vendor:
    """What differs between vendors: how the chat model is made, and the parameters of a call in the
    vendor's words (one that is None takes a default of the class away)."""

    build: Callable[[], Chat]
    asked: Callable[[Call], dict[str, Any]]


class LangChainModel:
    """A vendor's chat model. Answers are always streamed; a stream that ends without a finish reason is
    ModelUnavailableError, because a cut answer looks like a short one. The key appears in no text, repr or log."""

    def __init__(self, chosen: Endpoint, vendor: Vendor) -> None:
        self._name = chosen.name
        self._host = chosen.where
        self._vendor = vendor
        self._redact = redactor(chosen.secret())
        self._chat: Chat | None = None
        self._making = asyncio.Lock()
        self._fixed_temperature = False

    def __repr__(self) -> str:
        return f"LangChainModel({self._name!r}, {self._host!r})"

    @property
    def name(self) -> str:
        return self._name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        chat = await self._made()
        while True:
            asked = self._vendor.asked(call)
            if self._fixed_temperature:
                asked.pop("temperature", None)
            outcome = await self._attempt(chat, call, asked, on_delta)
            if isinstance(outcome, Completion):
                return outcome
            if outcome is not None:
                # Raised here and not in the handler: a chained vendor's error would carry the request with the key.
                raise outcome

    async def _made(self) -> Chat:
        async with self._making:
            if self._chat is None:
                made = await asyncio.to_thread(self._make)
                if isinstance(made, KaozhengError):
                    raise made
                self._chat = made
        return self._chat

    def _make(self) -> Chat | KaozhengError:
        try:
            return self._vendor.build()
        except Exception as error:  # noqa: BLE001 - as below
            if _status(error) is None and not _is_connection(error):
                return ModelRefusedError(f"{self._name} cannot be set up: {self._said(error)}")
            return self._translated(error)

    async def _attempt(
        self, chat: Chat, call: Call, asked: dict[str, Any], on_delta: OnDelta | None
    ) -> Completion | ModelError | None:
        """An answer, our error, or None when the vendor wants the request without a temperature."""
        from langsmith import tracing_context

        answer = _Answer()
        with tracing_context(enabled=False):
            offering = chat.bind_tools([one.as_function() for one in call.tools]) if call.tools else chat
            async with aclosing(offering.astream(_spoken(call), {"callbacks": []}, **asked)) as stream:
                while not answer.is_over():
                    try:
                        chunk = await anext(stream, None)
                    except Exception as error:  # noqa: BLE001 - vendors raise even bare Exception; nothing of ours is in here
                        return None if self._learned(error, asked) else self._translated(error)
                    if chunk is None:
                        break
                    if (delta := answer.heard(chunk)) and on_delta:
                        on_delta(delta)
        if answer.finish is Finish.CUT:
            said = f"{self._host} ended the stream before the answer was complete ({call.purpose})"
            return ModelUnavailableError(said, kind="cut stream")
        return answer.finished(call, self._name)

    def _learned(self, error: Exception, asked: dict[str, Any]) -> bool:
        """Whether the request is worth sending again without its temperature: some models take none. Once only."""
        if _status(error) not in (400, 422) or "temperature" not in asked or "temperature" not in str(error).lower():
            return False
        self._fixed_temperature = True
        return True

    def _translated(self, error: Exception) -> ModelError:
        status = _status(error)
        if status is not None:
            said = " ".join(f"{one} {getattr(one, 'body', '')}" for one in _links(error))
            refusal = Refusal(status, said, self._said(error), _asked_wait_s(error))
            return error_of(refusal, self._name, self._host)
        if isinstance(error, TimeoutError) or "timeout" in type(error).__name__.lower():
            return ModelUnavailableError(f"{self._host} did not answer in time", kind="time-out")
        if refused := untrusted(error, self._host):
            return refused
        if _is_connection(error):
            return ModelUnavailableError(
                f"the connection to {self._host} failed ({type(error).__name__})", kind="no connection"
            )
        return ModelUnavailableError(f"{self._host} broke the answer off: {self._said(error)}", kind="broken stream")

    def _said(self, error: Exception) -> str:
        return shortened(self._redact(f"{type(error).__name__}: {error}"))


class _Answer(Streamed):
    """What a stream of LangChain's chunks has brought so far."""

    def heard(self, chunk: Any) -> Delta | None:
        """What one chunk brings; None when that is nothing to listen to."""
        called = getattr(chunk, "tool_call_chunks", None) or ()
        tool = "".join(map(self._of_call, called))
        if counted := getattr(chunk, "usage_metadata", None):
            self.usage = (self.usage or Usage(calls=1)) + _usage(counted)
        told = getattr(chunk, "response_metadata", None) or {}
        self.model = str(told.get("model_name") or told.get("model") or self.model)
        self.ends(told.get("stop_reason") or told.get("finish_reason"))
        return self.take(*_parts(chunk), tool)

    def _of_call(self, one: Mapping[str, Any]) -> str:
        return self.take_call(one.get("index"), one.get("id") or "", one.get("name") or "", one.get("args") or "")

    def finished(self, call: Call, name: str) -> Completion:
        """The whole answer; figures without a prompt are those of an endpoint that counts half of it."""
        if self.usage and not self.usage.input_tokens:
            self.usage = None
        return self.completion(call, name)


def _spoken(call: Call) -> list[dict[str, Any]]:
    """The messages as LangChain reads them. Blank ones are left out: some vendors refuse the whole request for one."""
    return [
        _turn(message) for message in call.messages if message.content.strip() or message.tool_calls or message.answers
    ]


def _turn(message: Message) -> dict[str, Any]:
    turn: dict[str, Any] = {"role": message.role, "content": whole_characters(message.content)}
    if message.answers:
        return {**turn, "tool_call_id": message.answers}
    if message.tool_calls:
        turn["tool_calls"] = [one.as_function() for one in message.tool_calls]
    return turn


def _parts(chunk: Any) -> tuple[str, str]:
    """Text and reasoning of a piece: content is a string or a list of typed blocks."""
    content = chunk.content
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    text, reasoning = [], []
    for block in blocks:
        if isinstance(block, str):
            text.append(block)
        elif block.get("type") == "text":
            text.append(block.get("text") or "")
        elif block.get("type") in ("thinking", "reasoning"):
            reasoning.append(block.get("thinking") or block.get("reasoning") or block.get("text") or "")
    more = getattr(chunk, "additional_kwargs", None) or {}
    reasoning.append(more.get("reasoning_content") or "")
    return "".join(text), "".join(reasoning)


def _usage(counted: Any) -> Usage:
    """LangChain's figures of one piece; those of all pieces add up."""
    cached = (counted.get("input_token_details") or {}).get("cache_read") or 0
    return Usage(counted.get("input_tokens") or 0, counted.get("output_tokens") or 0, cached)


def _links(error: BaseException) -> Iterator[BaseException]:
    """The error and what caused it, nearest first."""
    link: BaseException | None = error
    for _ in range(_LINKS):
        if link is None:
            return
        yield link
        link = link.__cause__ or link.__context__


def _status(error: BaseException) -> int | None:
    """The HTTP status, wherever the vendor keeps it; None when there was no answer at all."""
    for one in _links(error):
        for value in (getattr(one, name, None) for name in ("status_code", "code", "status")):
            if isinstance(value, int) and 100 <= value < 600:
                return value
        if found := _STATUS_IN_TEXT.match(str(one)):
            return int(found[1])
    return None


def _asked_wait_s(error: BaseException) -> float | None:
    for one in _links(error):
        headers = getattr(getattr(one, "response", None), "headers", None)
        if headers is not None and (said := headers.get("retry-after")):
            return retry_after_s(str(said))
    return None


def _is_connection(error: BaseException) -> bool:
    """No answer, or one that was broken off: a socket's error or an HTTP client's."""
    return any(
        isinstance(one, OSError) or type(one).__module__.partition(".")[0] in ("httpx", "httpx2", "aiohttp", "requests")
        for one in _links(error)
    )
