"""What `ask` remembers between its steps. No checkpoint is written of it (decision 0049), so it holds objects."""

from __future__ import annotations

from dataclasses import dataclass

from kaozheng.evidence.bundle import EvidenceBundle
from kaozheng.evidence.grounding import GroundingReport
from kaozheng.models.answer import Answer
from kaozheng.roles.planner import TaskRequest
from kaozheng.sessions import Memory, Turn
from kaozheng.workflows.ask.request import AskRequest
from kaozheng.workflows.ask.result import AskResult, Status
from kaozheng.workflows.ask.table_parts import TablePart
from kaozheng.workflows.retrieve.state import RetrieveState


@dataclass(frozen=True, slots=True)
class Direct:
    """An answer that code gives without generating one."""

    status: Status
    code: str
    text: str


class AskState(RetrieveState, total=False):
    """The loop's state with that of `ask` around it; every field is optional. `request` is what was asked."""

    request: AskRequest
    bases: list[str]
    """Where to search: bases that exist and that the owner may see."""
    earlier: tuple[Turn, ...]
    """The latest turns of the session, oldest first; none when it is new."""
    known: Memory
    """What is remembered of the session."""
    task: TaskRequest
    planned: Answer[TaskRequest]
    """The task, and who made it."""
    evidence: EvidenceBundle
    """What the answer is made from."""
    searched: list[str]
    """The queries that were made, in their order."""
    enough: bool
    """Whether code, or the grader, thinks that the evidence answers."""
    doubt: str
    """Why not."""
    table_parts: tuple[TablePart, ...]
    """Tables that the question is about as a whole, and of which only some rows are evidence."""
    direct: Direct | None
    """Given where nothing is to be generated."""
    drafted: Answer[str]
    """What was generated, revised where that was called for."""
    revised: bool
    report: GroundingReport | None
    final: str
    """The answer as it goes out."""
    code: str
    result: AskResult
