"""What a finished run hands over: the summary, its trace and a report of what was kept, lost and left out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from kaozheng.artifacts import ArtifactStore
from kaozheng.documents.tokens import estimate_tokens
from kaozheng.evidence.file_places import place_told
from kaozheng.models.budget import limits_in
from kaozheng.sources.material import Material
from kaozheng.sources.text_blocks import TextBlock
from kaozheng.workflows.summarize.missing import Part, missing
from kaozheng.workflows.summarize.parsed import parsed
from kaozheng.workflows.summarize.report import as_markdown
from kaozheng.workflows.summarize.splitting import blocks_of, sizes_of
from kaozheng.workflows.summarize.state import SummaryState
from kaozheng.workflows.summarize.writing import earlier_sections

SUMMARY, REPORT = "summary.md", "report.json"


async def deliver(state: SummaryState, artifacts: ArtifactStore) -> dict[str, Any]:
    """Write summary.md, report.json and report.md; returns the report. Again gives the same files."""
    material = await parsed(artifacts, state["context"], Material.from_json)
    blocks = await parsed(artifacts, state["chunks"], blocks_of)
    sizes = await parsed(artifacts, state["sizes"], sizes_of)
    sections = await earlier_sections(state, artifacts)
    remarks = [json.loads(await artifacts.get(ref)) for ref in state["not_by_model"]]
    losses = json.loads(await artifacts.get(state["losses"]))
    trace = json.loads(await artifacts.get(state["trace"]))
    parts = missing(state, remarks)
    said = sum(estimate_tokens(one.text) for section in sections.values() for one in section.sentences)
    report = {
        "title": state["topic"],
        "focus": state.get("focus", ""),
        "length": {"text": sizes.text_tokens, "target": sizes.target_tokens, "summary": said},
        "plan": sizes.as_dict()["total"],
        "inputs": _inputs(material, trace),
        "levels": [_level(one, blocks, material) for one in remarks],
        "sections": [_section(state, index) for index in range(state["section_count"])],
        "sections_wanted": state.get("wanted_sections"),
        "sections_made": state["planned"].get("sections", state["section_count"]),
        "statements": len(trace),
        "contradictions": json.loads(await artifacts.get(state["conflicts"])),
        "loss": _loss(state, losses),
        "removed": [
            {"section": index + 1, **asdict(one)} for index, section in sections.items() for one in section.removed
        ],
        "missing": [asdict(one) for one in parts],
        "gaps": [_name(one) for one in parts if one.status == "gap"],
        "budget": [_name(one) for one in parts if one.budget],
        "limits": limits_in(one.reason for one in parts if one.budget),
    }
    await artifacts.put(SUMMARY, state["final_output"])
    await artifacts.put("report.md", as_markdown(report, material.language))
    await artifacts.put(REPORT, json.dumps(report, ensure_ascii=False, indent=1))
    return report


def _inputs(material: Material, trace: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Which sources the summary rests on, which it says nothing of, and which were not read."""
    cited = {evidence["source"] for one in trace for evidence in one["evidence"]}
    held = {passage.source for passage in material.passages}
    used = [{"path": one.path} for one in material.sources if one.id in cited]
    unused = [
        {"path": one.path, "why": "nothing of it was taken up" if one.id in held else "holds no text"}
        for one in material.sources
        if one.id not in cited
    ]
    return {"used": used, "unused": unused, "skipped": [{"path": one.path, "why": one.why} for one in material.skipped]}


def _level(remarks: Mapping[str, Any], blocks: Sequence[TextBlock], material: Material) -> dict[str, Any]:
    """How a level went, without the facts that were listed for its blocks. `empty`: where those begin that have no
    sentence; there are some at level 0 alone."""
    firsts = [material.passage(blocks[number - 1].passages[0]) for number in remarks["empty"]]
    return {
        "level": remarks["level"],
        "compressed": remarks["compressed"],
        "cut": remarks["cut"],
        "facts": sum(map(len, remarks["facts"].values())),
        "without_model": remarks["rest"],
        "empty": [place_told(material.source(one.source), one, material.language) for one in firsts],
    }


def _section(state: SummaryState, index: int) -> dict[str, Any]:
    one = state["sections"].get(str(index), {})
    named = {name: one.get(name, "") for name in ("title", "by", "reason")}
    return {"status": one.get("status", "gap"), **named}


def _loss(state: SummaryState, losses: Mapping[str, Any]) -> dict[str, Any]:
    """What was watched over, what went back, what stays out (heaviest first)."""
    restored = state.get("restored", {}).values()
    return {
        "statements": losses["statements"],
        "watched": losses["watched"],
        "rounds": state["rounds"] - 1,
        "restored": sum(one["count"] for one in restored),
        "left_out": sorted(losses["lost"], key=lambda one: -one["weight"]),
    }


def _name(part: Part) -> str:
    return f"{part.kind} {part.number}" if part.number else part.kind


def failed_of(state: SummaryState) -> list[str]:
    """The purposes that a done run can be reopened for: gaps, and calls that a model failed or the budget refused."""
    found = list(state.get("failed_blocks", ()))
    if state.get("planned", {}).get("by") == "fallback":
        found.append("tree")
    for at, one in sorted(state.get("sections", {}).items(), key=lambda item: int(item[0])):
        if one["status"] == "gap" or one.get("failed"):
            found.append(f"section/{at}")
    found += [f"restore/{at}" for at, one in sorted(state.get("restored", {}).items()) if one["failed"]]
    return found
