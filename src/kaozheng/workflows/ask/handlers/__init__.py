"""Handlers: one file a kind of task, all of them in one registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kaozheng.roles.answerer import Kind
from kaozheng.workflows.ask.handlers import chat, compare, qa, summary
from kaozheng.workflows.ask.handlers.handler import Handler, Judged, Preparation, speaks_of

__all__ = ["HANDLERS", "Handler", "Judged", "Preparation", "speaks_of"]

HANDLERS: Final[Mapping[Kind, Handler]] = {
    "qa": qa.HANDLER,
    "summary": summary.HANDLER,
    "compare": compare.HANDLER,
    "chat": chat.HANDLER,
}
