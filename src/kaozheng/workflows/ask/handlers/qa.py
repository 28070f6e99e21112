"""A question: its goal is searched for; asked of the open article, that is the evidence."""

from __future__ import annotations

from kaozheng.roles.planner import TaskRequest
from kaozheng.sources.source import Source
from kaozheng.workflows.ask.article import passages_about
from kaozheng.workflows.ask.handlers.handler import Handler, Preparation
from kaozheng.workflows.ask.handlers.missing import nothing_found


def prepare(task: TaskRequest, article: Source | None) -> Preparation:
    """The article's passages about it, or the goal as the query."""
    if task.target == "article" and article is not None:
        return Preparation(items=passages_about(article, task.goal))
    return Preparation(task.queries)


HANDLER = Handler(prepare, nothing_found)
