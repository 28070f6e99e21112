"""The planner's twin: a task by rule, also what stands in where a model plans badly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from kaozheng.roles.planner.comparing import COMPARES, compared, enumerated, one_named
from kaozheng.roles.planner.cues import (
    ABOUT_US,
    ARTICLE,
    ENTITY,
    START_OVER,
    SUMMARY,
    summarised,
    without_greetings,
)
from kaozheng.roles.planner.references import is_vague, listed, points_back, resolved, subject
from kaozheng.roles.planner.request import PlanTask, TaskRequest
from kaozheng.sources.telling import without_asking

UNCLEAR: Final[Mapping[str, str]] = {
    "zh": "您指的是什么？请说明具体的对象或主题，例如文件、项目、产品或指标的名称。",
    "en": "What do you mean? Please name the thing or topic: a document, project, product or figure.",
}
WHICH_TWO: Final[Mapping[str, str]] = {
    "zh": "请问要把哪些对象放在一起比较？请至少说出两个。",
    "en": "Which things shall be compared? Please name at least two.",
}
WHICH_ARTICLE: Final[Mapping[str, str]] = {
    "zh": "当前没有打开的文章。请打开或粘贴文章，或者说出资料的名称。",
    "en": "No article is open. Please open or paste one, or name the document.",
}
_TARGET_CHARS = 120
_LONGEST = 1_000
"""Characters of a question that its words are read of; a longer one brings its own text, and is just asked."""


def plan(task: PlanTask) -> TaskRequest:
    """The task by rule: a fresh start, small talk, a comparison, a summary, or a question, in this order."""
    text = task.question.strip()
    fresh = START_OVER.match(text)
    if fresh:
        rest = text[fresh.end() :].strip(" ，,。.:：")
        begun = replace(task, question=rest, turns=())
        found = plan(begun) if rest else TaskRequest("chat", "topic", text)
        return replace(found, new_session=True)
    said = without_greetings(text)
    if not said or ABOUT_US.match(said):
        return TaskRequest("chat", "topic", text)
    if len(said) > _LONGEST:
        return TaskRequest("qa", "topic", said, (" ".join(said[:_TARGET_CHARS].split()),))
    goal = resolved(said, task.turns)
    if COMPARES.search(said) or (COMPARES.search(goal) and points_back(said)):
        return _comparison(task, said, goal)
    if ARTICLE.search(said) or (task.article and _means_article(said, task)):
        return _of_article(task, said, goal)
    if is_vague(said) and goal == said:
        return TaskRequest("qa", "topic", goal, clarification=UNCLEAR[task.language])
    if SUMMARY.search(said):
        return _summary(task, said, goal)
    return _question(said, goal)


def _comparison(task: PlanTask, said: str, goal: str) -> TaskRequest:
    things = compared(said) or compared(goal)
    if len(things) < 2:
        things = _with_what_was_said(task, said)
    if len(things) >= 2:
        named = goal if all(thing in goal for thing in things) else f"{'、'.join(things)}：{said}"
        return TaskRequest("compare", "entity", named, things)
    if task.article and ARTICLE.search(said):
        return TaskRequest("qa", "article", goal)
    return TaskRequest("compare", "entity", goal, things, WHICH_TWO[task.language])


def _with_what_was_said(task: PlanTask, said: str) -> tuple[str, ...]:
    """The one thing that is named beside what was spoken about; of "the two" what was named last."""
    if not task.turns:
        return ()
    last = task.turns[-1]
    if other := one_named(said):
        before = subject(resolved(last.question, task.turns[:-1]))
        return (before, other) if before and before != other else ()
    return compared(last.question) or enumerated(last.question) or tuple(listed(last.answer)[:2])


def _means_article(said: str, task: PlanTask) -> bool:
    """With an article open and nothing said before, what names nothing of its own is meant of the article."""
    clauses = re.split(r"[，,。；;!！]", said)
    unnamed = any(SUMMARY.search(clause) and not summarised(clause) for clause in clauses)
    return unnamed or (is_vague(said) and not task.turns)


def _of_article(task: PlanTask, said: str, goal: str) -> TaskRequest:
    asks_for_it = any(map(SUMMARY.search, (said, *re.split(r"[，,。；;!！]", said))))
    summary = asks_for_it or (is_vague(said) and bool(re.search(r"讲|说|写|内容|about", said)))
    if task.article:
        # The words for the article itself are no part of what is looked for in it.
        about = re.sub(r"^\s*(?:[里中内]的?|上的?|,)", "", ARTICLE.sub("", said)).strip()
        return TaskRequest("summary" if summary else "qa", "article", said if summary or not about else about)
    if not task.turns:
        # "The current document" of nothing: a name that stands beside it can still be searched.
        return TaskRequest("summary" if summary else "qa", "article", said, clarification=WHICH_ARTICLE[task.language])
    return _summary(task, said, goal) if summary else _question(said, goal)


def _summary(task: PlanTask, said: str, goal: str) -> TaskRequest:
    thing = summarised(said)
    if not thing:
        if not task.turns:
            return TaskRequest("summary", "topic", goal, clarification=UNCLEAR[task.language])
        thing = subject(goal) or without_asking(goal)
    return TaskRequest("summary", "topic", goal, (thing[:_TARGET_CHARS],))


def _question(said: str, goal: str) -> TaskRequest:
    if (found := ENTITY.match(goal)) and not points_back(goal):
        thing = next(one for one in found.groups() if one).strip()
        return TaskRequest("qa", "entity", goal, (thing,))
    return TaskRequest("qa", "topic", goal, (without_asking(goal)[:_TARGET_CHARS],))
