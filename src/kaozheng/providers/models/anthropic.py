"""Claude, by LangChain's class (extra `anthropic`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from kaozheng.models.messages import Call
from kaozheng.providers.clients import shared_client
from kaozheng.providers.models.langchain_chat import Chat, LangChainModel, Vendor

if TYPE_CHECKING:
    from contextlib import AsyncExitStack

    from kaozheng.providers.models.choosing import Endpoint


def open_model(chosen: Endpoint, stack: AsyncExitStack) -> LangChainModel:
    """The maker, with a client of ours: the class shares one between event loops, which ends with the first loop."""
    client = shared_client(chosen, stack)

    def build() -> Chat:
        from anthropic import AsyncAnthropic
        from langchain_anthropic import ChatAnthropic

        made = cast("Any", ChatAnthropic)(
            model=chosen.name,
            api_key=chosen.key,
            base_url=chosen.base_url,
            max_retries=0,
            timeout=chosen.call_s,
            stream_usage=True,
        )
        sdk = AsyncAnthropic(
            api_key=chosen.secret(),
            base_url=chosen.base_url,
            http_client=client,
            timeout=client.timeout,
            max_retries=0,
        )
        made.__dict__["_async_client"] = sdk  # where its cached property keeps it; there is no parameter for it
        return cast("Chat", made)

    return LangChainModel(chosen, Vendor(build, _asked))


def _asked(call: Call) -> dict[str, Any]:
    """Without a limit of the call, the class's own for this model holds: the protocol demands one."""
    limit = {} if call.max_tokens is None else {"max_tokens": call.max_tokens}
    return {"temperature": call.temperature, **limit}
