"""Session: a conversation of one owner; its turns are what later questions refer to."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from kaozheng.sessions.memory import Memory


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and what it was answered, with its own evidence: the marks of an answer lead into its `citations`
    and into no other turn's. `interaction` is "" when that record could not be kept; `at` is ISO 8601 in UTC."""

    question: str
    answer: str
    citations: tuple[dict[str, Any], ...] = ()
    interaction: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation from outside. `version` counts what was written to it: who writes memory later must still find the
    version that it was made from. Times are ISO 8601 in UTC."""

    id: str
    owner: str
    title: str
    created_at: str
    updated_at: str
    turns: int = 0
    version: int = 0
    memory: Memory = field(default_factory=Memory)


def new_id(kind: str) -> str:
    """An id that nobody can guess, for a session ("s") or an interaction ("i")."""
    return f"{kind}_{secrets.token_hex(12)}"
