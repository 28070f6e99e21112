"""`summarize` as runs see it: its graph, how it opens, what it delivers and how its gaps are sent out again."""

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
from kaozheng.workflows.summarize.delivering import REPORT, SUMMARY, deliver, failed_of
from kaozheng.workflows.summarize.graph import build
from kaozheng.workflows.summarize.state import SummaryState, nothing_done

INPUT = "input.md"
"""Where the door leaves a text that came without a path."""


@dataclass(frozen=True, slots=True)
class SummarizeWorkflow:
    """A summary of anything long."""

    name: str = "summarize"
    version: str = "1"

    def graph(self, record: RunRecord) -> StateGraph[Any, Any, Any, Any]:
        return build()

    def opening(self, record: RunRecord) -> dict[str, Any]:
        """The state at the start, from the request alone."""
        request = record.request
        state = SummaryState(
            source_path=request["source"] or str(Path(record.folder) / INPUT),
            focus=request.get("focus", ""),
            citations=request.get("citations", "footnote"),
            date=request["date"],
            cache_dir=record.folder,
        )
        for name in ("language", "ratio", "wanted_sections"):
            if request.get(name):
                state[name] = request[name]
        return cast("dict[str, Any]", state)

    async def deliver(self, state: Mapping[str, Any], ports: Ports, record: RunRecord) -> Outcome:
        """The files of the run, and the exit code: 1 when parts are missing or a model did not answer."""
        with made_by("deliver"):
            report = await deliver(cast("SummaryState", state), ports.artifacts)
        folder = Path(record.folder)
        result = {
            "document": str(folder / SUMMARY),
            "report": str(folder / REPORT),
            "gaps": report["gaps"],
            "failed": failed_of(cast("SummaryState", state)),
            "limits": report["limits"],
        }
        left = f"{len(report['loss']['left_out'])} key statements left out"
        counted = f"{len(report['sections'])} sections, {report['statements']} sentences, {left}"
        return Outcome(result, 1 if report["missing"] else 0, counted)

    def reopening(self, state: Mapping[str, Any]) -> Reopening | None:
        """Go on as if the text had just been cut: answers that a model gave come from the ledger, the rest is asked
        anew."""
        again = failed_of(cast("SummaryState", state))
        if not again:
            return None
        values = nothing_done() | {"again": again, "attempt": state.get("attempt", 0) + 1}
        return Reopening(values, "split")
