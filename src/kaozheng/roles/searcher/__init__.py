"""Decides what to look for in the knowledge base, or replies at once to what needs no looking."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kaozheng.documents.characters import without_controls
from kaozheng.errors import BudgetReachedError, ModelError, ModelRefusedError, ToolsRefusedError
from kaozheng.models.answer import Answer
from kaozheng.models.messages import Call, Completion, Finish, Message
from kaozheng.models.model import Model
from kaozheng.models.reply import without_thinking
from kaozheng.models.tool_call import ToolCall, ToolOffer
from kaozheng.roles.prompts import prompt, quoted, unfenced
from kaozheng.roles.searcher import offline
from kaozheng.tools.search_knowledge import MOST_CHARS, NAME

__all__ = ["CALLS", "SearchTask", "Sought", "calls_for", "search_or_respond"]

CALLS: Final = 4
"""Searches of one turn."""
_REASON_CHARS = 300
_SHOWN_TURN = 2_000
_UNSEARCHED = "it answered without a search"
_CUT = "its turn was cut off"
_EMPTY = "it said nothing"
_AGAIN = {
    "zh": "找到的内容不能回答问题。请再检索：{query}",
    "en": "What was found does not answer the question. Search again for: {query}",
}
_COMPARED = {
    "zh": "5. 要对比的是：{targets}。每一方至少单独查一次，查询中写出它的名称。",
    "en": "5. To be compared: {targets}. Search for each of them at least once, with its name in the query.",
}


@dataclass(frozen=True, slots=True)
class SearchTask:
    """`query` is what the question was rewritten to, "" in the first round. `history` are the earlier turns of the
    conversation, `turns` this question's own calls with their results. `searching`: a direct reply is not wanted.
    `round` counts from 1."""

    question: str
    language: Literal["zh", "en"]
    offers: tuple[ToolOffer, ...]
    query: str = ""
    history: tuple[Message, ...] = ()
    turns: tuple[Message, ...] = ()
    targets: tuple[str, ...] = ()
    memory: str = ""
    searching: bool = False
    round: int = 1
    purpose: str = "search"


@dataclass(frozen=True, slots=True)
class Sought:
    """The searches to be made, or the direct reply. `completion` is the model's turn, None when code made the calls."""

    calls: tuple[ToolCall, ...]
    reply: str = ""
    completion: Completion | None = None


async def search_or_respond(model: Model | None, task: SearchTask) -> Answer[Sought]:
    """The model's tool calls, or what it says instead of them.

    Offline, and where a model that must search does not, fails, or takes no tools: the question itself, one search
    for each part of it. A direct reply counts in the first round only: after a rewrite there is something to be looked
    for. Raises ModelRefusedError (key, unknown model).
    """
    if model is None:
        return Answer(_by_code(task), "offline")
    call = Call("searcher", task.purpose, _messages(task), tools=task.offers, temperature=0.0, weight="light")
    try:
        completion = await model.complete(call)
    except ToolsRefusedError as error:
        return _instead(model, task, str(error))
    except ModelRefusedError:
        raise
    except ModelError as error:
        return _instead(model, task, str(error), isinstance(error, BudgetReachedError))
    if completion.tool_calls:
        if completion.finish is not Finish.TOOL_CALLS:
            return _instead(model, task, _CUT)
        return Answer(Sought(completion.tool_calls, completion=completion), "model", model=model.name)
    reply = without_controls(without_thinking(completion.text)).strip()
    if task.searching or task.query:
        return _instead(model, task, _UNSEARCHED)
    if not reply or completion.finish is not Finish.STOP:
        return _instead(model, task, _EMPTY if not reply else _CUT)
    return Answer(Sought((), reply, completion), "model", model=model.name)


def calls_for(queries: Sequence[str], number: int) -> tuple[ToolCall, ...]:
    """Searches that code asks for in round `number`, as if a model had."""
    return tuple(
        ToolCall(f"code_{number}_{place}", NAME, json.dumps({"query": query[:MOST_CHARS]}, ensure_ascii=False))
        for place, query in enumerate(queries, start=1)
    )


def _by_code(task: SearchTask) -> Sought:
    queries = [task.query] if task.query else offline.queries(task.question, task.targets)
    return Sought(calls_for(queries[:CALLS], task.round))


def _instead(model: Model, task: SearchTask, reason: str, out_of_budget: bool = False) -> Answer[Sought]:
    return Answer(_by_code(task), "fallback", reason[:_REASON_CHARS], model.name, out_of_budget)


def _messages(task: SearchTask) -> tuple[Message, ...]:
    compared = _COMPARED[task.language].format(targets="; ".join(map(unfenced, task.targets))) if task.targets else ""
    system, asked = prompt(
        "searcher",
        task.language,
        calls=str(CALLS),
        compared=compared,
        context=quoted("material", task.memory) if task.memory else "",
        question=unfenced(task.question),
    )
    earlier = (Message(turn.role, unfenced(turn.content[:_SHOWN_TURN])) for turn in task.history if turn.content)
    again = (Message("user", _AGAIN[task.language].format(query=unfenced(task.query))),) if task.query else ()
    return (system, *earlier, asked, *task.turns, *again)
