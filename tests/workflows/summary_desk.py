"""Runs of `summarize` for tests: in memory, and through the runner with its database; and what must hold of each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kaozheng.journal import RunRecord
from kaozheng.runs.runner import resume, start
from kaozheng.settings import Settings
from kaozheng.sources.source import normal_lines
from kaozheng.testing.memory import MemoryArtifacts
from kaozheng.testing.memory_ports import memory_ports
from kaozheng.testing.server import ScriptedServer
from kaozheng.wiring import open_desk
from kaozheng.workflows.summarize.delivering import deliver
from kaozheng.workflows.summarize.graph import build
from kaozheng.workflows.summarize.workflow import INPUT, SummarizeWorkflow


class Made(NamedTuple):
    """A finished summary. `record` is None when it was made in memory."""

    text: str
    report: dict[str, Any]
    trace: list[dict[str, Any]]
    events: list[tuple[str, dict[str, Any]]]
    record: RunRecord | None = None

    @property
    def notes(self) -> list[dict[str, Any]]:
        return [data for kind, data in self.events if kind == "note"]

    @property
    def sentences(self) -> list[str]:
        return [one["text"] for one in self.trace]


async def in_memory(text: str, model: Any = None, **state: Any) -> Made:
    """A summary of a text with ports that touch no disk."""
    events: list[tuple[str, dict[str, Any]]] = []
    artifacts = MemoryArtifacts()
    ports = memory_ports(artifacts=artifacts, model=model, emit=lambda kind, data: events.append((kind, data)))
    given = {"original_text": text, **state}
    end = await build().compile().ainvoke(given, {"recursion_limit": 1000}, context=ports)
    report = await deliver(end, artifacts)
    return Made(end["final_output"], report, json.loads(await artifacts.get(end["trace"])), events)


def pointed(settings: Settings, server: ScriptedServer) -> Settings:
    return settings.model_copy(update={"model": "openai:scripted", "openai_base_url": server.base_url})


async def through_the_runner(settings: Settings, source: Path | str, **request: Any) -> Made:
    """A run with its folder and its rows. `source`: a path, or a text. `budget` is one of the request."""
    events: list[Any] = []
    asked = {
        "source": str(source) if isinstance(source, Path) else "",
        "date": "2026-11-30",
        "model": settings.model,
        "sensitivity": settings.sensitivity,
        "budget": {},
        **request,
    }

    def prepare(folder: Path) -> None:
        if isinstance(source, str):
            (folder / INPUT).write_text(source, encoding="utf-8")

    async with open_desk(settings) as desk:
        record = await start(desk, SummarizeWorkflow(), asked, "摘要", prepare, events.append)
    return _read(record, events)


async def resumed(settings: Settings, run: str, **budget: float) -> Made:
    """The run after it went on."""
    events: list[Any] = []
    async with open_desk(settings) as desk:
        record = await resume(desk, run, lambda _: SummarizeWorkflow(), events.append, dict(budget))
    return _read(record, events)


def _read(record: RunRecord, events: list[Any]) -> Made:
    folder = Path(record.folder)
    text, report, trace = ((folder / name).read_text(encoding="utf-8") for name in _FILES)
    return Made(text, json.loads(report), json.loads(trace), [(str(one.kind), one.data) for one in events], record)


_FILES = ("summary.md", "report.json", "trace.json")


def check_trace(made: Made, sources: Mapping[str, str]) -> None:
    """Every sentence has evidence whose quote stands at its offset, and stands itself in the line that it says.

    Offsets count the characters of a source as it is read: with `\\n` line ends and no byte order mark."""
    lines = made.text.split("\n")
    for one in made.trace:
        assert one["evidence"], one["text"]
        for place in one["evidence"]:
            source = sources[place["path"]] if place["path"] in sources else next(iter(sources.values()))
            assert normal_lines(source)[slice(*place["span"])] == place["quote"], one["text"]
        assert one["text"] in "\n".join(lines[one["lines"][0] - 1 : one["lines"][1]])
