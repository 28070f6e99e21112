"""Twelve sections against a server that takes one second a call: four workers, three waves."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from bench.process import kaozheng, scripted_server
from bench.row import Row

SECTIONS, DELAY_S, WAVES = 12, 1.0, 3


def measure() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder, scripted_server(DELAY_S) as url:
        notes = Path(folder) / "notes"
        notes.mkdir()
        for number in range(SECTIONS):
            text = f"# 第 {number + 1} 组\n\n第 {number + 1} 组有 {number + 3} 人，负责第 {number + 1} 号线。\n"
            (notes / f"{number:02d}.md").write_text(text, encoding="utf-8")
        data = Path(folder) / "data"
        process = kaozheng("write", "--notes", str(notes), "--model", "openai:scripted", "--json", data=data, url=url)
        run = json.loads(process.communicate(timeout=120)[0])["run"]
        events = json.loads(kaozheng("runs", "show", run, "--json", data=data).communicate(timeout=60)[0])["events"]
    sections = [event for event in events if event["data"].get("step") == "write_section"]
    took_s = _at(sections[-1]) - _at(sections[0])
    ideal = WAVES * DELAY_S
    count = sum(event["kind"] == "step_finished" for event in sections)
    yield Row(
        f"{count} sections, 1 s a call, 4 workers",
        f"{took_s:.2f} s",
        f"three waves {ideal:.1f} s",
        f"{took_s / ideal:.2f}",
        "<= 3.6 s",
    )


def _at(event: dict[str, str]) -> float:
    return datetime.fromisoformat(event["at"]).timestamp()
