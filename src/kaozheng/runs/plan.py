"""What runs ask of a workflow: a graph, an opening state, and what to hand over at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from kaozheng.errors import InputError
from kaozheng.journal.outcome import Outcome, Reopening
from kaozheng.journal.run import RunRecord

__all__ = ["Outcome", "Reopening", "Workflow", "ensure_version"]

if TYPE_CHECKING:
    from langgraph.graph import StateGraph


class Workflow(Protocol):
    """One kind of run. `version` changes when a run that is under way could not go on with the new graph.

    Runs call these methods again on every resume, so none of them may have effects except `deliver`.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def graph(self, record: RunRecord) -> StateGraph[Any, Any, Any, Any]:
        """The graph, not compiled."""
        ...

    def opening(self, record: RunRecord) -> dict[str, Any]:
        """The state that the run begins with, made from `record.request` alone."""
        ...

    async def deliver(self, state: Mapping[str, Any], ports: Any, record: RunRecord) -> Outcome:
        """Write what the run hands over. Called after the graph's end and again if that call was cut: idempotent."""
        ...

    def reopening(self, state: Mapping[str, Any]) -> Reopening | None:
        """How the gaps of a done run are sent out again; None when nothing can be done about them."""
        ...


def ensure_version(workflow: Workflow, record: RunRecord) -> None:
    """InputError when the run was started with another version of the workflow: its state does not fit the graph."""
    if record.version != workflow.version:
        raise InputError(
            f"run {record.id} was started with {record.workflow} {record.version or '(no version)'}, this is "
            f"{workflow.version}: resume it with the Kaozheng that started it, or start a new run"
        )
