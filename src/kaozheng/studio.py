"""The graph for LangGraph Studio and other hosts (`langgraph.json`): they bring the checkpointer, we the ports."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from kaozheng.api import book_of
from kaozheng.settings import load_settings
from kaozheng.wiring import studio_ports
from kaozheng.workflows.write.graph import build


def write_graph() -> Any:
    """`write`, compiled. Give it {"input_mode": "notes", "source_path": …} or {"input_mode": "text", "context": …}."""
    settings = load_settings()
    folder = settings.runs_folder / f"studio_{datetime.now(UTC):%Y%m%d_%H%M%S}"
    return build(book_of(settings), studio_ports(settings, folder)).compile()
