"""A comparison: each thing is searched for on its own, and two at least must have evidence."""

from __future__ import annotations

from kaozheng.roles.planner import TaskRequest
from kaozheng.sources.source import Source
from kaozheng.workflows.ask import wording
from kaozheng.workflows.ask.article import passages_about
from kaozheng.workflows.ask.handlers.handler import Handler, Judged, Preparation, speaks_of
from kaozheng.workflows.ask.handlers.missing import FAILED, nothing_found
from kaozheng.workflows.ask.state import Direct

MISSING = "targets_missing"


def prepare(task: TaskRequest, article: Source | None) -> Preparation:
    """A query for each thing that is compared."""
    if task.target == "article" and article is not None:
        return Preparation(items=passages_about(article, task.goal))
    return Preparation(task.queries)


def too_little(judged: Judged) -> Direct | None:
    """Fewer than two things with evidence: nothing is compared with nothing. What a search finds for a thing must speak
    of it: a search always finds something."""
    if judged.bundle.state == "error":
        return nothing_found(judged)
    items = judged.bundle.items
    missing = [thing for thing in judged.task.targets if not any(speaks_of(item, thing) for item in items)]
    if len(judged.task.targets) - len(missing) >= 2:
        return None
    said = wording.one_sided(judged.language, missing or judged.task.targets, judged.searched, judged.bases)
    return Direct("refused", FAILED if judged.bundle.state == "partial" and not items else MISSING, said)


HANDLER = Handler(prepare, too_little, effort="medium", limit=5)
