"""A question begins: nothing of the one before is left but the conversation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from kaozheng.documents.document import language_of
from kaozheng.errors import InputError
from kaozheng.roles.planner import PlanTask, offline
from kaozheng.sessions import Turn
from kaozheng.workflows.retrieve.state import RetrieveState, history_of, last_said


def opening(state: RetrieveState) -> dict[str, Any]:
    """What changes when a question is seen for the first time; nothing while it is being worked on. The question is
    what the host has resolved, else what the user said last, with what it points back to named by rule. InputError:
    there is none."""
    asked = state.get("resolved", "").strip() or last_said(state)
    mark = f"{len(state.get('messages', ()))} {last_said(state)}"
    if not asked:
        raise InputError("there is no question: give messages, the last of them a user's")
    if state.get("opened") == mark and not state.get("resolved"):
        return {}
    # In a later turn the language of the one before may still stand there.
    given = state.get("language") if state.get("resolved") or "opened" not in state else None
    language = given or language_of(asked) or "en"
    question = asked if state.get("resolved") else _alone(asked, language, state)
    fresh = {"queries", "calls", "turns", "fresh", "notes", "grades"}
    return {
        **{name: [] for name in fresh},
        "opened": mark,
        "resolved": "",
        "question": question,
        "query": "",
        "language": language,
        "bundle": "",
        "idf": {},
        "retry_count": 0,
        "exhausted": False,
        "answer": "",
        "answered": {},
    }


def _alone(asked: str, language: Literal["zh", "en"], state: RetrieveState) -> str:
    """The question in words that stand alone."""
    turns: list[Turn] = []
    for said in history_of(state):
        if said.role == "user":
            turns.append(Turn(said.content, ""))
        elif turns:
            turns[-1] = replace(turns[-1], answer=said.content)
    return offline.plan(PlanTask(asked, language, tuple(turns))).goal or asked if turns else asked
