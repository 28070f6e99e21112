"""The graph for LangGraph Studio and other hosts (`langgraph.json`): they bring the checkpointer, we the ports."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

from langgraph.config import get_config

from kaozheng.api import book_of
from kaozheng.ports import Ports
from kaozheng.settings import load_settings
from kaozheng.wiring import studio_ports
from kaozheng.workflows.write.graph import build


async def write_graph() -> Any:
    """`write`, compiled. Give it {"input_mode": "notes", "source_path": …} or {"input_mode": "text", "context": …}.

    `configurable.model_name` chooses another model for a run ("" for the offline twins).

    Async because reading settings and books blocks, which the host's event loop forbids. All runs of the host keep
    their texts in one folder: they are kept by their content.
    """
    return await asyncio.to_thread(_compiled)


def _compiled() -> Any:
    settings = load_settings()
    folder = settings.runs_folder / "studio"

    @cache
    def ports_of(model: str) -> Ports:
        return studio_ports(settings.model_copy(update={"model": model}), folder)

    def host() -> Ports:
        named = get_config().get("configurable", {}).get("model_name")
        return ports_of(settings.model if named is None else str(named))

    ports_of(settings.model)  # made here, outside of the host's event loop
    return build(book_of(settings), host).compile()
