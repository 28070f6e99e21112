"""Two hundred blocks of a text against a server that takes half a second a call, eight calls at once; and what the plan
said before the first call, held against what the server counted."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.process import scripted_server
from bench.row import Row
from bench.summary_run import Summarised, summarised
from kaozheng.settings import Settings

BLOCKS, DELAY_S, AT_ONCE = 200, 0.5, 8
MOST_S = 15


def measure() -> Iterator[Row]:
    made, plan, called, used = asyncio.run(_run())
    took, bare = made.seconds["level 0"], BLOCKS * DELAY_S / AT_ONCE
    blocks = plan["levels"][0]["stage"]["blocks"]
    what = f"level 0: {blocks} blocks, {DELAY_S} s a call, {AT_ONCE} at once"
    yield Row(what, f"{took:.1f} s", f"bare sum {bare:.1f} s", f"{took / bare:.2f}", f"at most {MOST_S} s")
    for stage, planned in planned_calls(plan).items():
        yield Row(f"{stage}: calls", str(called[stage]), f"planned {planned}", "", "the same")
    for side, tokens in used.items():
        planned = plan["total"][f"{side}_tokens"]
        yield Row(f"tokens {side}, all stages", f"{tokens:,}", f"planned {planned:,}", f"{tokens / planned:.2f}")


async def _run() -> tuple[Summarised, dict[str, Any], Counter[str], dict[str, int]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "text.md"
        file.write_text(text_of(BLOCKS), encoding="utf-8")
        with scripted_server(DELAY_S) as url:  # a process of its own: its work is none of ours
            given = {"data": Path(folder), "model": "openai:scripted", "openai_base_url": url}
            made = await summarised(Settings(**given, at_once=AT_ONCE), file)
        plan = json.loads((Path(made.record.folder) / "sizes.json").read_text(encoding="utf-8"))
        usage = {side: made.record.usage[f"{side}_tokens"] for side in ("input", "output")}
    return made, plan, called_by_stage(made.purposes), usage


def text_of(chapters: int) -> str:
    """A text of as many chapters, each of which is one block."""
    return "# 河道年鉴\n\n" + "".join(
        f"## 第 {number} 段\n\n"
        + "".join(
            f"第 {number} 段第 {part} 处堤岸在第 {number * part % 50 + 1} 周完成加固，用石料 {number + 37 * part} 吨，"
            f"由第 {(number + part) % 9 + 1} 工程队负责，验收时没有发现裂缝。\n\n"
            for part in range(1, 31)
        )
        for number in range(1, chapters + 1)
    )


def planned_calls(plan: Mapping[str, Any]) -> dict[str, int]:
    """Stage -> its planned calls; `restoring` is not planned."""
    stages = {f"level {one['level']}": one["stage"] for one in plan["levels"]}
    stages |= {"planner": plan["planner"], "sections": plan["writing"]}
    return {name: stage["calls"] for name, stage in stages.items()}


def called_by_stage(purposes: Iterable[str]) -> Counter[str]:
    """Stage -> the calls that were made for it."""
    found: Counter[str] = Counter()
    for purpose in purposes:
        kind, _, rest = purpose.partition("/")
        found[f"level {rest.partition('/')[0]}" if kind == "block" else _STAGES.get(kind, kind)] += 1
    return found


_STAGES = {"tree": "planner", "plan": "planner", "section": "sections", "restore": "restoring"}
