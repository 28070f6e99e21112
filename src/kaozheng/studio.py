"""The graphs for LangGraph Studio and other hosts (`langgraph.json`): they bring the checkpointer, we the ports."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from langgraph.config import get_config

from kaozheng.api import book_of, run_sync
from kaozheng.ports import Ports
from kaozheng.settings import Settings, load_settings
from kaozheng.wiring import studio_knowledge_ports, studio_ports
from kaozheng.workflows.retrieve.graph import build_retrieval_graph
from kaozheng.workflows.step import Host
from kaozheng.workflows.summarize.graph import build as build_summary
from kaozheng.workflows.write.graph import build


async def write_graph() -> Any:
    """`write`, compiled. Give it {"input_mode": "notes", "source_path": …} or {"input_mode": "text", "context": …}.

    `configurable.model_name` chooses another model for a run ("" for the offline twins).

    Async because reading settings and books blocks, which the host's event loop forbids. All runs of the host keep
    their texts in one folder: they are kept by their content.
    """
    return await asyncio.to_thread(_compiled)


async def summarize_graph() -> Any:
    """`summarize`, compiled. Give it {"original_text": …}, or {"source_path": …} for a file or folder; `focus`,
    `ratio`, `wanted_sections`, `citations` and `language` are optional. `final_output` of the state is the summary.
    `configurable.model_name` as with `write_graph`."""
    return await asyncio.to_thread(_summarizing)


class GenerationWorkflow:
    """`summarize` for callers without an event loop: `invoke({"original_text": …})["final_output"]`."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph

    def invoke(self, given: dict[str, Any], config: dict[str, Any] | None = None) -> dict[str, Any]:
        """The state at the end."""
        return run_sync(self.ainvoke(given, config))

    async def ainvoke(self, given: dict[str, Any], config: dict[str, Any] | None = None) -> dict[str, Any]:
        """The async twin of `invoke`."""
        ended: dict[str, Any] = await self.graph.ainvoke(given, config)
        return ended


def create_generation_workflow() -> GenerationWorkflow:
    """The graph of `summarize_graph`, to be invoked without an event loop."""
    return GenerationWorkflow(_summarizing())


async def retrieve_graph() -> Any:
    """The self-correcting loop over the knowledge bases, compiled. Give it {"messages": [{"role": "user", "content":
    …}]}; "within" {"bases": […]} narrows where it searches, by default in all bases. `configurable.model_name` as with
    `write_graph`; a further question is a further message of the same thread."""
    return await asyncio.to_thread(_retrieving)


def _compiled() -> Any:
    settings = load_settings()
    return build(book_of(settings), _host(settings, studio_ports)).compile()


def _summarizing() -> Any:
    return build_summary(_host(load_settings(), studio_ports)).compile()


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
