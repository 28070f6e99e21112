"""A desk of knowledge in memory, for the tests of `ask`: documents, models, sessions, and all that was told."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from kaozheng.models.metered import Metered
from kaozheng.ports import Ports
from kaozheng.runs.asking import answer
from kaozheng.runs.knowledge_desk import KnowledgeDesk
from kaozheng.sources.chunks import chunks_of
from kaozheng.sources.index import Entry, Labels
from kaozheng.sources.source import Source
from kaozheng.testing.memory_index import MemoryIndex
from kaozheng.testing.memory_ports import memory_ports
from kaozheng.testing.memory_sessions import MemorySessions
from kaozheng.testing.scripted_model import ScriptedModel
from kaozheng.workflows.ask.request import AskRequest
from kaozheng.workflows.ask.telling import AskEvent

DOCUMENTS = {
    "水泵手册.md": "# X200 水泵手册\n\n## 参数\n\nX200 型水泵的流量为每小时 35 立方米，扬程为 50 米。\n\n"
    "## 保修\n\nX200 型水泵的保修期为 24 个月，自验收之日起计算。\n\n## 安装\n\n安装前须检查底座是否水平。\n",
    "风机手册.md": "# F90 风机手册\n\n## 参数\n\nF90 型风机的风量为每小时 9000 立方米。\n\n"
    "## 保修\n\nF90 型风机的保修期为 36 个月。\n",
    "统计公报.md": "# 青川县统计公报\n\n## 综合\n\n2023 年青川县地区生产总值为 62.1 亿元，比上年增长 6.3%。\n\n"
    "2022 年青川县地区生产总值为 58.4 亿元。\n\n"
    "## 生态\n\n青川县森林覆盖率为 73.6%。\n",
    "backup.md": "# Backup guide\n\n## Schedule\n\nThe backup runs every night at 02:00. "
    "Backups are kept for 30 days.\n",
}


async def memory_index(documents: dict[str, str] | None = None, base: str = "库") -> MemoryIndex:
    index = MemoryIndex()
    for name, text in (DOCUMENTS if documents is None else documents).items():
        source = Source.of(text, name)
        await index.put(Entry(base, name, source.sha256, source.title, Labels()), chunks_of(source))
    return index


class Script:
    """A model that answers each role by its line, its list of lines, or a function of the call. What is not said is
    answered sensibly: a plan by rule, a search for the question, a grade of yes."""

    def __init__(self, **said: Any) -> None:
        self.model = ScriptedModel(self._line)
        self._said = {role: list(line) if isinstance(line, list) else line for role, line in said.items()}

    @property
    def asked(self) -> list[str]:
        return [call.purpose for call in self.model.calls]

    def calls(self, role: str) -> list[Any]:
        return [call for call in self.model.calls if call.role == role]

    def _line(self, call: Any) -> Any:
        if call.role not in self._said:
            return _sensible(call)
        said = self._said[call.role]
        if isinstance(said, list):
            said = said.pop(0) if len(said) > 1 else said[0]
        return said(call) if callable(said) else said


def _sensible(call: Any) -> str:
    if call.role == "planner":
        return "no object here"
    if call.role == "grader":
        return '{"binary_score": "yes"}'
    if call.role == "memory_keeper":
        return '{"summary": "用户在了解设备。", "subjects": ["X200"]}'
    return "(no search)"


class Room:
    """An open desk and what was told at it."""

    def __init__(self, desk: KnowledgeDesk, sessions: MemorySessions) -> None:
        self.desk = desk
        self.sessions = sessions
        self.events: list[AskEvent] = []

    async def ask(self, question: str, **given: Any):
        self.events = []
        given.setdefault("bases", ("库",) if "库" in self.desk.index.kept else ())
        return await answer(self.desk, AskRequest(question, **given), self.events.append)

    @property
    def kinds(self) -> list[str]:
        return [event.kind for event in self.events if event.kind != "progress"]

    @property
    def text(self) -> str:
        """The text as a client puts it together."""
        shown = ""
        for event in self.events:
            if event.kind == "replace":
                shown = event.data["text"]
            elif event.kind == "delta":
                shown += event.data["text"]
        return shown

    @property
    def steps(self) -> list[str]:
        return [
            one.data["step"] for one in self.events if one.kind == "progress" and one.data.get("state") == "started"
        ]

    def warned(self) -> list[str]:
        return [event.data["code"] for event in self.events if event.kind == "warning"]

    def check_order(self) -> None:
        """What `AskEvent` promises of the order, whatever happened."""
        kinds = self.kinds
        assert [event.seq for event in self.events] == list(range(1, len(self.events) + 1))
        assert sum(kind in ("done", "error") for kind in kinds) == 1
        assert kinds[-1] in ("done", "error")
        assert kinds.count("start") <= 1
        if "delta" in kinds:
            assert kinds.index("start") == kinds.index("delta") - 1
        if kinds[-1] == "done":
            assert kinds.count("ready") == 1
            after = kinds[kinds.index("ready") + 1 :]
            assert [kind for kind in after if kind not in ("start", "delta", "replace")] == [
                *(["warning"] * kinds.count("warning")),
                "done",
            ]
        json.dumps([event.data for event in self.events], ensure_ascii=False)


@asynccontextmanager
async def room(script: Script | None = None, sessions: MemorySessions | None = None, **ports: Any):
    index = ports.pop("index", None)
    index = await memory_index() if index is None else index
    kept = sessions or MemorySessions()

    def ports_for(emit: Callable[[str, dict[str, Any]], None], budget: Any, sensitivity: Any) -> Ports:
        model = None
        if script is not None:
            model = Metered(script.model, lambda report: emit("call_finished", _reported(report)))
        return memory_ports(index=index, model=model, emit=emit, **ports)

    desk = KnowledgeDesk(index, _no_files, ports_for, lambda: datetime.now(UTC), "memory", kept)
    try:
        yield Room(desk, kept)
    finally:
        await desk.background.settle()


def _reported(report: Any) -> dict[str, Any]:
    usage = report.usage
    said = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens, "calls": usage.calls}
    return {"role": report.role, "purpose": report.purpose, "usage": said}


def _no_files() -> Any:
    raise AssertionError("no question reads files")
