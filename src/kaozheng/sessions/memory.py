"""Memory: what a session is about, short enough to stand before every question.

It helps to understand a question and is never evidence: facts come from the knowledge bases alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

_MOST_SUBJECTS: Final = 8
_MOST_ASKED: Final = 6
_QUESTION_CHARS: Final = 80


@dataclass(frozen=True, slots=True)
class Memory:
    """`summary` says in a few sentences what the user wants, made in the background from all turns up to then; `asked`
    are the questions since, kept by rule, the latest last. `subjects` are what was asked about, the latest first.
    `turns` counts the turns that all this covers."""

    summary: str = ""
    subjects: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    turns: int = 0

    def __bool__(self) -> bool:
        return bool(self.summary or self.subjects or self.asked)

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values only."""
        return {
            "summary": self.summary,
            "subjects": list(self.subjects),
            "asked": list(self.asked),
            "turns": self.turns,
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Memory:
        """What `as_dict` gave; keys that are missing have their defaults."""
        subjects, asked = (tuple(map(str, given.get(name, ()))) for name in ("subjects", "asked"))
        return cls(str(given.get("summary", "")), subjects, asked, int(given.get("turns", 0)))


def remembered(memory: Memory, question: str, subjects: Sequence[str]) -> Memory:
    """The memory after one more turn, by rule: its subjects come first, its question last."""
    known = dict.fromkeys([*(one.strip() for one in subjects if one.strip()), *memory.subjects])
    asked = " ".join(question.split())
    asked = asked if len(asked) <= _QUESTION_CHARS else asked[: _QUESTION_CHARS - 1] + "…"
    return replace(
        memory,
        subjects=tuple(known)[:_MOST_SUBJECTS],
        asked=(*memory.asked, asked)[-_MOST_ASKED:],
        turns=memory.turns + 1,
    )
