"""The graphs for LangGraph Studio and other hosts (`langgraph.json`): they bring the checkpointer, we the ports."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from langgraph.config import get_config

from kaozheng.api import book_of
from kaozheng.ports import Ports
from kaozheng.settings import Settings, load_settings
from kaozheng.wiring import studio_knowledge_ports, studio_ports
from kaozheng.workflows.retrieve.graph import build_retrieval_graph
from kaozheng.workflows.step import Host
from kaozheng.workflows.write.graph import build


async def write_graph() -> Any:
    """`write`, compiled. Give it {"input_mode": "notes", "source_path": …} or {"input_mode": "text", "context": …}.

    `configurable.model_name` chooses another model for a run ("" for the offline twins).

    Async because reading settings and books blocks, which the host's event loop forbids. All runs of the host keep
    their texts in one folder: they are kept by their content.
    """
    return await asyncio.to_thread(_compiled)


async def retrieve_graph() -> Any:
    """The self-correcting loop over the knowledge bases, compiled. Give it {"messages": [{"role": "user", "content":
    …}]}; "within" {"bases": […]} narrows where it searches, by default in all bases. `configurable.model_name` as with
    `write_graph`; a further question is a further message of the same thread."""
    return await asyncio.to_thread(_retrieving)


def _compiled() -> Any:
    settings = load_settings()
    return build(book_of(settings), _host(settings, studio_ports)).compile()


def _retrieving() -> Any:
    host = _host(load_settings(), studio_knowledge_ports)
    return build_retrieval_graph(host, everywhere=True).compile()


def _host(settings: Settings, opened: Callable[[Settings, Path], Ports]) -> Host:
    """The ports of each run, by the model that it names; those of the settings' model are made at once, outside of the
    host's event loop."""
    folder = settings.runs_folder / "studio"

    @cache
    def ports_of(model: str) -> Ports:
        return opened(settings.model_copy(update={"model": model}), folder)

    def host() -> Ports:
        named = get_config().get("configurable", {}).get("model_name")
        return ports_of(settings.model if named is None else str(named))

    ports_of(settings.model)
    return host
