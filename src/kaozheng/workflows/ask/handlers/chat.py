"""Small talk: nothing is searched, nothing is checked against evidence."""

from __future__ import annotations

from kaozheng.roles.planner import TaskRequest
from kaozheng.sources.source import Source
from kaozheng.workflows.ask.handlers.handler import Handler, Judged, Preparation


def prepare(task: TaskRequest, article: Source | None) -> Preparation:
    """Nothing."""
    return Preparation()


def never(judged: Judged) -> None:
    """There is never too little."""


HANDLER = Handler(prepare, never, grounded=False)
