"""Interaction: all that is written down about one question, answered or not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

Ended = Literal["answered", "refused", "clarify", "failed", "cancelled"]
WITHHELD = "…"


@dataclass(frozen=True, slots=True)
class Interaction:
    """One question from its intake to its end. `evidence` is the whole bundle of the answer, `grounding`
    the report on it; `usage` counts tokens and calls, `timings` are seconds by stage. `session` is "" when there is
    none. Plain JSON values throughout; `at` is ISO 8601 in UTC."""

    id: str
    owner: str
    at: str
    status: Ended
    session: str = ""
    code: str = ""
    question: str = ""
    answer: str = ""
    task: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, Any] = field(default_factory=dict)
    citations: tuple[dict[str, Any], ...] = ()
    grounding: dict[str, Any] = field(default_factory=dict)
    by: str = ""
    error: str = ""
    usage: dict[str, Any] = field(default_factory=dict)
    timings: dict[str, float] = field(default_factory=dict)

    def withheld(self) -> Interaction:
        """The record of a secret question: figures and what code says stay, words of people and documents do not."""
        return replace(
            self,
            question=WITHHELD,
            answer=WITHHELD if self.answer else "",
            task={"kind": self.task.get("kind", "")},
            evidence={"state": self.evidence.get("state", ""), "items": []},
            citations=(),
            grounding={"codes": self.grounding.get("codes", [])},
            error=self.error.partition(":")[0],
        )
