"""TaskRequest: what a question wants done, with all that it referred to named in it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from kaozheng.roles.answerer import Kind
from kaozheng.sessions import Memory, Turn
from kaozheng.sources.comparing import without_comparing

Target = Literal["article", "topic", "entity"]


@dataclass(frozen=True, slots=True)
class TaskRequest:
    """`kind` says what is done (chat: nothing is searched), `target` what it is done to: the open article, a topic, or
    things with names. `targets` are the phrases that are searched, of a comparison the things compared; `goal` is the
    question as it stands alone. `clarification` is what the user must be asked first, "" when all is clear.
    `new_session`: what was said before does not count any more."""

    kind: Kind
    target: Target
    goal: str
    targets: tuple[str, ...] = ()
    clarification: str = ""
    new_session: bool = False

    @property
    def queries(self) -> tuple[tuple[str, str], ...]:
        """What is searched, each with the thing compared that it is for ("" in other tasks): the goal; of a comparison
        each thing with what it is compared by."""
        if self.kind == "compare" and self.targets:
            by = without_comparing(self.goal, self.targets)
            return tuple((target, f"{target} {by}".strip()) for target in self.targets)
        return (("", self.goal),)

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values only."""
        return {**asdict(self), "targets": list(self.targets)}


@dataclass(frozen=True, slots=True)
class PlanTask:
    """A question with what it may refer to: the latest turns, oldest first, what is remembered of the session, and
    whether the user has an article open."""

    question: str
    language: Literal["zh", "en"]
    turns: tuple[Turn, ...] = ()
    memory: Memory = field(default_factory=Memory)
    article: bool = False
