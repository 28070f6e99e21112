"""Gemini, by LangChain's class (extra `google-genai`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from kaozheng.models.messages import Call
from kaozheng.providers.clients import shared_client
from kaozheng.providers.models.langchain_chat import Chat, LangChainModel, Vendor

if TYPE_CHECKING:
    from contextlib import AsyncExitStack

    from kaozheng.providers.models.choosing import Endpoint


def open_model(chosen: Endpoint, stack: AsyncExitStack) -> LangChainModel:
    """The maker, with a client of ours: the SDK would take another HTTP library as soon as that is installed."""
    client = shared_client(chosen, stack)

    def build() -> Chat:
        from google.genai import Client
        from google.genai.types import HttpOptions, HttpRetryOptions
        from langchain_google_genai import ChatGoogleGenerativeAI

        once = HttpRetryOptions(attempts=1)
        options = cast("Any", HttpOptions)(base_url=chosen.base_url, httpx_async_client=client, retry_options=once)
        made = cast("Any", ChatGoogleGenerativeAI)(
            model=chosen.name,
            api_key=chosen.key,
            base_url=chosen.base_url,
            max_retries=1,  # the first attempt counts; 0 means Google's own default of several
            timeout=chosen.call_s,
            vertexai=False,
        )
        made.client = Client(api_key=chosen.secret(), vertexai=False, http_options=options)
        return cast("Chat", made)

    return LangChainModel(chosen, Vendor(build, _asked))


def _asked(call: Call) -> dict[str, Any]:
    asked: dict[str, Any] = {"temperature": call.temperature}
    if call.max_tokens is not None:
        asked["max_output_tokens"] = call.max_tokens
    if call.schema is not None:
        # The schema itself stands in the prompt: Gemini takes a part of JSON Schema only and refuses the rest.
        asked["response_mime_type"] = "application/json"
    return asked
