"""A run of `summarize` in this process, with the times at which its stages ended and what must hold of its trace."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kaozheng.journal import Event, RunRecord
from kaozheng.runs.runner import start
from kaozheng.settings import Settings
from kaozheng.wiring import open_desk
from kaozheng.workflows.summarize.workflow import SummarizeWorkflow

_ENDS = {"units": "read", "outline": "plan", "title": "sections", "lost": "loss check", "restored": "restoring"}
"""A key of a note -> the stage that ended with it."""


@dataclass(frozen=True, slots=True)
class Summarised:
    """`seconds`: of each stage, by name, in the order of the run. `purposes` of all calls."""

    record: RunRecord
    report: Mapping[str, Any]
    trace: list[dict[str, Any]]
    seconds: Mapping[str, float]
    purposes: list[str]


async def summarised(settings: Settings, source: Path, **request: Any) -> Summarised:
    """A summary of a file, by the model of the settings."""
    seconds: dict[str, float] = {}
    last = [time.perf_counter()]
    purposes: list[str] = []

    def hear(event: Event) -> None:
        if event.kind == "call_started":
            purposes.append(event.data["purpose"])
        if (stage := _ended(event)) is not None:
            now = time.perf_counter()
            seconds[stage] = seconds.get(stage, 0.0) + now - last[0]
            last[0] = now

    asked = {"source": str(source), "date": "2026-11-30", "model": settings.model, "budget": {}, **request}
    async with open_desk(settings) as desk:
        record = await start(desk, SummarizeWorkflow(), asked, "bench", None, hear)
    folder = Path(record.folder)
    report, trace = (json.loads((folder / name).read_text(encoding="utf-8")) for name in ("report.json", "trace.json"))
    return Summarised(record, report, trace, seconds, purposes)


def _ended(event: Event) -> str | None:
    if event.kind == "run_finished":
        return "delivery"
    if event.kind != "note":
        return None
    if "summarised" in event.data:
        return f"level {event.data['level']}"
    if "assembled" in event.data:
        return "finish"
    return next((stage for key, stage in _ENDS.items() if key in event.data), None)


def holding(trace: list[dict[str, Any]], source: str) -> int:
    """How many sentences have evidence, all of whose quotes stand at their offsets in the source."""
    return sum(
        bool(one["evidence"]) and all(source[slice(*at["span"])] == at["quote"] for at in one["evidence"])
        for one in trace
    )
