"""The graph for LangGraph Studio and other hosts (`langgraph.json`): they bring the checkpointer, we the ports."""

from __future__ import annotations

import asyncio
from typing import Any

from kaozheng.api import book_of
from kaozheng.settings import load_settings
from kaozheng.wiring import studio_ports
from kaozheng.workflows.write.graph import build


async def write_graph() -> Any:
    """`write`, compiled. Give it {"input_mode": "notes", "source_path": …} or {"input_mode": "text", "context": …}.

    Async because reading settings and books blocks, which the host's event loop forbids. All runs of the host keep
    their texts in one folder: they are kept by their content.
    """
    return await asyncio.to_thread(_compiled)


def _compiled() -> Any:
    settings = load_settings()
    return build(book_of(settings), studio_ports(settings, settings.runs_folder / "studio")).compile()
