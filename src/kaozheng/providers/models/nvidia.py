"""NVIDIA's endpoints, by LangChain's class (extra `nvidia`); GLM thinks aloud there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from kaozheng.models.messages import Call
from kaozheng.providers.models.langchain_chat import Chat, LangChainModel, Vendor

if TYPE_CHECKING:
    from contextlib import AsyncExitStack

    from kaozheng.providers.models.choosing import Endpoint


def open_model(chosen: Endpoint, stack: AsyncExitStack) -> LangChainModel:
    """The maker. The class opens a connection for each call, so nothing is left to close."""
    thinking: dict[str, Any] = {}
    if "glm" in chosen.name.lower():
        thinking["chat_template_kwargs"] = {"enable_thinking": True, "clear_thinking": False}

    def build() -> Chat:
        from langchain_nvidia_ai_endpoints import ChatNVIDIA

        made = cast("Any", ChatNVIDIA)(
            model=chosen.name,
            # "" would be looked up in the environment; local endpoints read nothing from the header.
            api_key=chosen.secret() or "none",
            base_url=chosen.base_url,
            timeout=chosen.call_s,
            usage_telemetry_enabled=False,  # on by default: it reports each call's figures to NVIDIA
        )
        return cast("Chat", made)

    def asked(call: Call) -> dict[str, Any]:
        return {
            "temperature": call.temperature,
            "max_tokens": call.max_tokens,  # None takes away the class's 1,024, which would cut sections
            **thinking,
        }

    return LangChainModel(chosen, Vendor(build, asked))
