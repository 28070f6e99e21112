"""A summary: of the open article, of a document by its title, or of what is found about a topic."""

from __future__ import annotations

from kaozheng.roles.planner import TaskRequest
from kaozheng.sources.source import Source
from kaozheng.workflows.ask.article import passages_throughout
from kaozheng.workflows.ask.handlers.handler import Handler, Preparation
from kaozheng.workflows.ask.handlers.missing import nothing_found


def prepare(task: TaskRequest, article: Source | None) -> Preparation:
    """The article from beginning to end; else the document of that title, and the topic as query."""
    if task.target == "article" and article is not None:
        return Preparation(items=passages_throughout(article))
    wanted = task.targets[0] if task.targets else task.goal
    return Preparation((("", wanted),), document=wanted)


HANDLER = Handler(prepare, nothing_found, effort="low", limit=10)
