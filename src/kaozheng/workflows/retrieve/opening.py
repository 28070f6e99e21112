"""A question begins: nothing of the one before is left but the conversation."""

from __future__ import annotations

from typing import Any

from kaozheng.documents.document import language_of
from kaozheng.errors import InputError
from kaozheng.workflows.retrieve.state import RetrieveState, last_said


def opening(state: RetrieveState) -> dict[str, Any]:
    """What changes when a question is seen for the first time; nothing while it is being worked on. The question is
    what the host has resolved, else what the user said last. InputError: there is none."""
    asked = state.get("resolved", "").strip() or last_said(state)
    mark = f"{len(state.get('messages', ()))} {last_said(state)}"
    if not asked:
        raise InputError("there is no question: give messages, the last of them a user's")
    if state.get("opened") == mark and not state.get("resolved"):
        return {}
    # In a later turn the language of the one before may still stand there.
    given = state.get("language") if state.get("resolved") or "opened" not in state else None
    fresh = {"queries", "calls", "turns", "fresh", "notes", "grades"}
    return {
        **{name: [] for name in fresh},
        "opened": mark,
        "resolved": "",
        "question": asked,
        "query": "",
        "language": given or language_of(asked) or "en",
        "bundle": "",
        "idf": {},
        "retry_count": 0,
        "exhausted": False,
        "answer": "",
        "answered": {},
    }
