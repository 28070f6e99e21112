"""Plans a summary: a tree of sections over the memories of a text."""

from __future__ import annotations

from kaozheng.aside import aside
from kaozheng.documents.tokens import estimate_tokens, truncate_tokens
from kaozheng.errors import ShapeError
from kaozheng.models.answer import Answer, object_or
from kaozheng.models.messages import Call
from kaozheng.models.model import Model
from kaozheng.roles.prompts import prompt, quoted, unfenced
from kaozheng.roles.summary_planner import offline
from kaozheng.roles.summary_planner.tree import Planning, Subsection, Tree, TreeSection

__all__ = ["Planning", "Subsection", "Tree", "TreeSection", "plan_summary"]

_SHOWN_TOKENS = 12_000
_NONE = {"zh": "（无）", "en": "(none)"}
_NUMBER = {"zh": "恰好 {} 章", "en": "exactly {}"}
_RANGE = {"zh": "{} 到 {} 章", "en": "{} to {}"}


async def plan_summary(model: Model | None, task: Planning) -> Answer[Tree]:
    """Sections that hold every memory exactly once. Offline: by headings, or where the words change.

    The model groups and names; code makes the plan complete. Raises ShapeError when there are no memories,
    ModelRefusedError (key, unknown model).
    """
    if not task.memories:
        raise ShapeError("there is nothing to plan from")
    if model is None:
        return Answer(await aside(offline.plan, task), "offline")
    known = {name for name, _, _ in task.memories}
    call = await aside(_call, task)
    answer = await object_or(
        model, call, Tree, otherwise=lambda: offline.plan(task), check=lambda tree: _complaints(tree, known)
    )
    if answer.by != "model":
        return answer
    return answer.carrying(await aside(offline.complete, answer.value, task))


def _complaints(tree: Tree, known: set[str]) -> list[str]:
    """A plan that names no memory is a plan of something else."""
    if any(name in known for section in tree.sections for name in offline.named_ids(section)):
        return []
    return ["no section names a memory by its id; give the ids as they stand in the list"]


def _call(task: Planning) -> Call:
    language = "zh" if task.language == "zh" else "en"
    least, most = task.bounds
    messages = prompt(
        "summary_planner",
        language,
        number=_NUMBER[language].format(least) if least == most else _RANGE[language].format(least, most),
        title=unfenced(task.title) or _NONE[language],
        focus=unfenced(task.focus) or _NONE[language],
        material=quoted("material", _digest(task)),
    )
    return Call("summary_planner", task.purpose, messages, temperature=0.0)


def _digest(task: Planning) -> str:
    """A line a memory: id, headings, what it says; an equal share of each where all are too long together."""
    share = _SHOWN_TOKENS // len(task.memories)
    whole = sum(estimate_tokens(text) for _, _, text in task.memories) <= _SHOWN_TOKENS
    return "\n".join(
        f"{name} | {' > '.join(path)} | {' '.join((text if whole else truncate_tokens(text, share)).split())}"
        for name, path, text in task.memories
    )
