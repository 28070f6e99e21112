"""Every endpoint that speaks OpenAI's chat protocol (OpenAI, DashScope, Ark, DeepSeek, vLLM, Ollama, ...).

The SDK is used without its retries and its parsing: `models.retrying` and `models.structured` do both for every
provider alike. It is imported when the first model is made, because that costs most of a second.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import quote

from kaozheng.errors import CredentialsError, ModelError, ModelUnavailableError
from kaozheng.models.messages import Call, Completion, Delta, Finish
from kaozheng.models.model import OnDelta
from kaozheng.models.usage import Usage
from kaozheng.providers.clients import host_of, is_loopback, shared_client
from kaozheng.providers.models.dialect import Dialect
from kaozheng.providers.models.streamed import Streamed

if TYPE_CHECKING:
    from contextlib import AsyncExitStack

    import httpx2

    from kaozheng.providers.models.choosing import Endpoint

OPENAI_URL: Final = "https://api.openai.com/v1"
PURPOSE_HEADER: Final = "X-Kaozheng-Purpose"
_MOST_TOKENS: Final = 1e12
_NO_KEY = "none"  # local servers want a header but read nothing from it


def open_model(chosen: Endpoint, stack: AsyncExitStack) -> OpenAIModel:
    """The maker for every entry of the catalogue that speaks this protocol."""
    client = shared_client(chosen, stack)
    return OpenAIModel(chosen.name, chosen.base_url, chosen.secret(), client)


class OpenAIModel:
    """A model behind an OpenAI-compatible endpoint. Answers are always streamed; a stream that ends without a finish
    reason is ModelUnavailableError, because a cut answer looks like a short one. `base_url` None is OpenAI itself.
    Raises CredentialsError when OpenAI is asked without a key. The key appears in no text, repr or log."""

    def __init__(self, name: str, base_url: str | None, key: str | None, client: httpx2.AsyncClient) -> None:
        if not key and base_url is None:
            raise CredentialsError("no key is set for api.openai.com")
        from openai import AsyncOpenAI

        from kaozheng.providers.models import openai_errors

        url = base_url or OPENAI_URL
        self._name = name
        self._host = host_of(url)
        self._local = is_loopback(url)
        self._dialect = Dialect(name)
        self._errors = openai_errors
        self._redact = openai_errors.redactor(key or "")
        self._sdk = AsyncOpenAI(
            api_key=key or _NO_KEY, base_url=url, http_client=client, timeout=client.timeout, max_retries=0
        )
        # The SDK takes these from the environment, where they belong to another account than this endpoint's.
        self._sdk.organization = self._sdk.project = self._sdk.admin_api_key = self._sdk.webhook_secret = None

    def __repr__(self) -> str:
        return f"OpenAIModel({self._name!r}, {self._host!r})"

    @property
    def name(self) -> str:
        return self._name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        while True:
            request = self._dialect.request(call)
            outcome = await self._attempt(call, request, on_delta)
            if isinstance(outcome, Completion):
                return outcome
            if outcome is not None:
                # Raised here and not in the handler: a chained SDK error would carry the request with the key.
                raise outcome

    async def _attempt(
        self, call: Call, request: dict[str, Any], on_delta: OnDelta | None
    ) -> Completion | ModelError | None:
        """One request: an answer, our error, or None when the dialect has learned and another form may succeed."""
        import openai

        try:
            return await self._stream(call, request, on_delta)
        except openai.APIStatusError as error:
            learned = error.status_code in (400, 422) and self._dialect.learn(request, self._errors.complaint(error))
            return None if learned else self._errors.translated(error, self._name, self._host, self._redact)
        except openai.OpenAIError as error:
            return self._errors.translated(error, self._name, self._host, self._redact)
        except _Misshapen as error:
            said = f"{self._host} sent a broken stream ({error})"
            return ModelUnavailableError(said, kind="broken stream")
        except ModelUnavailableError as error:
            return error

    async def _stream(self, call: Call, request: dict[str, Any], on_delta: OnDelta | None) -> Completion:
        from openai import APIConnectionError, AsyncStream

        headers = {PURPOSE_HEADER: quote(call.purpose)} if self._local else {}
        answer = _Answer()
        # By the SDK's way for requests of no type: making its objects of each event took half of an answer's time.
        body = {**request, **cast("dict[str, Any]", request.get("extra_body") or {})}
        body.pop("extra_body", None)
        stream: AsyncStream[object] = await self._sdk.post(
            "/chat/completions",
            cast_to=object,
            body=body,
            options={"headers": headers},
            stream=True,
            stream_cls=AsyncStream[object],
        )
        async with stream:
            try:
                await answer.read(stream, on_delta)
            except APIConnectionError:
                # A connection lost after the finish reason took nothing of the answer with it.
                if answer.finish is Finish.CUT:
                    raise
        if answer.finish is Finish.CUT:
            raise ModelUnavailableError(
                f"{self._host} ended the stream before the answer was complete ({call.purpose})", kind="cut stream"
            )
        return answer.completion(call, self._name)


_NO_CHUNK = (AttributeError, TypeError, ValueError, LookupError, RecursionError)
"""What reading an event raises that is no JSON, or not of the protocol's shape."""


class _Misshapen(Exception):  # noqa: N818 - it never leaves this module
    """An event from which nothing can be read; the argument is the class of what it led to."""


class _Answer(Streamed):
    """What a stream of chunks has brought so far."""

    async def read(self, stream: AsyncIterator[object], on_delta: OnDelta | None) -> None:
        """Raises _Misshapen for a stream from which nothing can be read, and what the SDK and the listener raise."""
        while not self.is_over():
            try:
                deltas = self._heard(await anext(stream))
            except StopAsyncIteration:
                return
            except _NO_CHUNK as error:
                raise _Misshapen(type(error).__name__) from error
            if on_delta:
                for delta in deltas:
                    on_delta(delta)

    def _heard(self, chunk: Any) -> list[Delta]:
        """What one event brings. Nothing is checked before: any field may be of any kind."""
        self.model = str(chunk.get("model") or self.model)
        self.usage = _usage(chunk.get("usage")) or self.usage
        # A second choice, which nobody asked for, is another answer.
        given = chunk.get("choices")
        choices = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
        heard = [self._of_choice(choice) for choice in choices if not choice.get("index")]
        return [delta for delta in heard if delta is not None]

    def _of_choice(self, choice: Any) -> Delta | None:
        said = delta if isinstance(delta := choice.get("delta"), dict) else {}
        refusal = said.get("refusal")
        text = said.get("content") or refusal or ""
        reasoning = said.get("reasoning_content") or said.get("reasoning") or ""
        tool = "".join(map(self._of_call, called)) if (called := said.get("tool_calls")) else ""
        if refusal:
            self.finish = Finish.FILTER
        else:
            self.ends(choice.get("finish_reason"))
        return self.take(text, reasoning, tool) if isinstance(text, str) and isinstance(reasoning, str) else None

    def _of_call(self, one: Any) -> str:
        function = one.get("function") or {}
        name, arguments = str(function.get("name") or ""), function.get("arguments") or ""
        if not isinstance(arguments, str):  # some endpoints send the object itself
            arguments = json.dumps(arguments, ensure_ascii=False)
        return self.take_call(one.get("index"), str(one.get("id") or ""), name, arguments)


def _usage(given: Any) -> Usage | None:
    """The endpoint's figures. Some send empty ones with every chunk: the last with tokens in it counts."""
    read, written = _count(given, "prompt_tokens"), _count(given, "completion_tokens")
    if not read and not written:
        return None
    details = given.get("prompt_tokens_details")
    cached = _count(details, "cached_tokens") or _count(given, "prompt_cache_hit_tokens")
    return Usage(read, written, cached, calls=1)


def _count(given: Any, name: str) -> int:
    """A figure of tokens; 0 for what is none, NaN included."""
    value = given.get(name) if isinstance(given, dict) else None
    return int(value) if isinstance(value, int | float) and 0 < value < _MOST_TOKENS else 0
