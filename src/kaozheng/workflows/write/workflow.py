"""`write` as runs see it: its graph, how it opens, what it delivers and how its gaps are sent out again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from langgraph.graph import StateGraph

from kaozheng.artifacts import made_by
from kaozheng.journal.outcome import Outcome, Reopening
from kaozheng.journal.run import RunRecord
from kaozheng.ports import Ports
from kaozheng.rules.rule import RuleBook
from kaozheng.workflows.write.delivering import DOCUMENT, REPORT, deliver
from kaozheng.workflows.write.graph import build
from kaozheng.workflows.write.state import DocState

INPUT = "input.md"
"""Where the door leaves a text that came without a path."""


@dataclass(frozen=True, slots=True)
class WriteWorkflow:
    """`book` is the copy that the run started with: on resume the graph must be the same."""

    book: RuleBook
    name: str = "write"
    version: str = "1"

    def graph(self, record: RunRecord) -> StateGraph[Any, Any, Any, Any]:
        return build(self.book)

    def opening(self, record: RunRecord) -> dict[str, Any]:
        """The state at the start, from the request alone."""
        request = record.request
        state = DocState(
            input_mode=request["mode"],
            topic=request.get("topic", ""),
            source_path=request["source"] or str(Path(record.folder) / INPUT),
            strict=request.get("strict", False),
            date=request["date"],
            cache_dir=record.folder,
        )
        if request.get("language"):
            state["language"] = request["language"]
        return cast("dict[str, Any]", state)

    async def deliver(self, state: Mapping[str, Any], ports: Ports, record: RunRecord) -> Outcome:
        """The files of the run, and the exit code: 1 when violations or gaps are left, or a model did not answer."""
        citations = record.request.get("citations", "footnote")
        with made_by("deliver"):
            report = await deliver(cast("DocState", state), ports.artifacts, ports.code, self.book, citations)
        left = len(report["violations_left"])
        # The record stays small: the report itself is a file of the run.
        result = {
            "document": str(Path(record.folder) / DOCUMENT),
            "report": str(Path(record.folder) / REPORT),
            "gaps": report["gaps"],
            "failed": failed(cast("DocState", state)),
            "limits": report["limits"],
            "violations_left": left,
        }
        doubts = len(report["code"]["doubts"]) if report["code"] else 0
        exit_code = 1 if left or doubts or report["gaps"] or report["budget"] or report["fallbacks"] else 0
        counted = (f"{len(report['sections'])} sections", f"{left} violations left")
        unsupported = f"{len(report['unsupported'])} sentences without evidence"
        doubted = [f"{doubts} places or names that do not hold"] if doubts else []
        return Outcome(result, exit_code, ", ".join((*counted, unsupported, *doubted)))

    def reopening(self, state: Mapping[str, Any]) -> Reopening | None:
        """Go on as if the plan had just been made: the fan-out sends out what is not written, or in vain was asked of a
        model; what a model has answered is not asked again."""
        again = failed(cast("DocState", state))
        if not again:
            return None
        return Reopening({"is_valid": False, "again": again, "attempt": state.get("attempt", 0) + 1}, "plan")


def failed(state: DocState) -> list[str]:
    """The purposes that a done run can be reopened for: gaps, and calls that a model failed or the budget refused.

    What the twin wrote by choice, or because no sentence of the model had evidence, is none: it would come out again.
    """
    sections = sorted(state.get("sections", {}).items(), key=lambda item: int(item[0]))
    wanted = [f"section/{index}" for index, one in sections if one["status"] == "gap" or one.get("failed")]
    return [*wanted, *(name for one in state.get("reviews", {}).values() for name in one.get("failed", ()))]
