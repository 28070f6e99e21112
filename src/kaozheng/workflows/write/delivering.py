"""What a finished run hands over: the document, its trace and a report of what was checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.documents.document import Document
from kaozheng.documents.links import moved_links
from kaozheng.evidence.disputes import conflicts
from kaozheng.models.budget import limits_in
from kaozheng.rules.engine import inspect
from kaozheng.rules.rule import RuleBook
from kaozheng.sources.code.repository import CodeReader
from kaozheng.sources.material import Material
from kaozheng.workflows.review.judging import restored
from kaozheng.workflows.write.assembling import with_contents
from kaozheng.workflows.write.citing import without_marks
from kaozheng.workflows.write.inputs import inputs
from kaozheng.workflows.write.report import as_markdown
from kaozheng.workflows.write.rereading import reread
from kaozheng.workflows.write.state import DocState
from kaozheng.workflows.write.tracing import trace

DOCUMENT, TRACE, REPORT = "document.md", "trace.json", "report.json"
_CAPTION = re.compile(r"^(?:来源：|Source:)[ \t]*$", re.MULTILINE)
_DEFINITION = re.compile(r"^\[\^[A-Za-z0-9-]+\]:.*\n?", re.MULTILINE)


async def deliver(
    state: DocState, artifacts: ArtifactStore, code: CodeReader, book: RuleBook, citations: str
) -> dict[str, Any]:
    """Write document.md, trace.json, report.json and report.md; returns the report. Again gives the same files, as long
    as the code base that the document is about stays the same."""
    material, draft, marks = [await artifacts.get(state[name]) for name in ("context", "current_draft", "marks")]
    kept = _Kept(
        material,
        draft,
        marks,
        # A run that an older version began has kept none.
        conflicts=await artifacts.get(state["conflicts"]) if "conflicts" in state else "",
        judged=await _judged(state, artifacts),
        repairs=[json.loads(await artifacts.get(ref)) for ref in state.get("revision_log", [])],
        code=await reread(draft, Path(state["source_path"]), code) if state.get("input_mode") == "code" else None,
    )
    made = await aside(_made, kept, state, book, citations)
    for name, text in made.files.items():
        await artifacts.put(name, text)
    return made.report


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the run has kept of itself, as texts and data; `code` is what reading the code base again has shown."""

    material: str
    draft: str
    marks: str
    conflicts: str
    judged: Sequence[str]
    repairs: Sequence[Mapping[str, Any]]
    code: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class _Made:
    """The report as data, and the files of the run by name."""

    report: dict[str, Any]
    files: dict[str, str]


def _made(kept: _Kept, state: DocState, book: RuleBook, citations: str) -> _Made:
    material = Material.from_json(kept.material)
    document = Document(with_contents(kept.draft))
    traced = trace(document, json.loads(kept.marks), material)
    final = _placed(document.text if citations == "footnote" else _bare(document.text), state)
    finished = document if final == document.text else Document(final)
    left = [*inspect(finished, book.rules, state.get("language"))]
    left += [violation for text in kept.judged for violation in restored(text, finished)]
    report = {
        "title": state["topic"],
        "rules": book.name,
        "inputs": inputs(material, traced.passages),
        "contradictions": json.loads(kept.conflicts) if kept.conflicts else conflicts(material),
        "sections": [_section(state, index) for index in range(state["section_count"])],
        "offline": [
            one["title"]
            for _, one in sorted(state["sections"].items(), key=lambda item: int(item[0]))
            if one["status"] == "written" and one["by"] != "model"
        ],
        "fallbacks": _fallbacks(state, kept.repairs),
        "gaps": sorted(int(index) + 1 for index, one in state["sections"].items() if one["status"] == "gap"),
        "review": state.get("reviews", {}),
        "violations_left": [one.as_dict() for one in left],
        "repairs": kept.repairs,
        "statements": len(traced.statements),
        "explored": state.get("explored"),
        "planned": state.get("planned"),
        "code": _checked(kept.code),
        "budget": _budget(state, kept.repairs),
        "limits": _limits(state, kept.repairs),
        "unsupported": [{"lines": [one.lines.start, one.lines.end], "text": one.text} for one in traced.unsupported()],
    }
    statements = [_with_lines(one.as_dict(), kept.code) for one in traced.statements]
    files = {
        DOCUMENT: final,
        TRACE: json.dumps(statements, ensure_ascii=False, indent=1),
        "report.md": as_markdown(report, material.language),
        REPORT: json.dumps(report, ensure_ascii=False, indent=1),
    }
    return _Made(report, files)


def _checked(code: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What reading the code again has shown, without the lines: those stand in the trace."""
    return {key: value for key, value in code.items() if key != "read"} if code else None


def _with_lines(statement: dict[str, Any], code: Mapping[str, Any] | None) -> dict[str, Any]:
    """The statement with what stood at the places of its evidence when they were read again."""
    for evidence in statement["evidence"] if code else ():
        read = code["read"] if code else {}
        evidence["places"] = [read.get(place, {"place": place}) for place in evidence.get("places", ())]
    return statement


def _placed(text: str, state: DocState) -> str:
    """Links that led from the notes' folder lead from the run's folder, where the document lies."""
    source, folder = Path(state.get("source_path", "")), Path(state.get("cache_dir", ""))
    root = source.parent if source.suffix else source
    return moved_links(text, root, folder) if source.is_absolute() and folder.is_absolute() else text


def _bare(draft: str) -> str:
    """The draft without footnotes; the trace keeps what they said, and its line numbers stay true."""
    return _CAPTION.sub("", without_marks(_DEFINITION.sub("", draft))).rstrip("\n") + "\n"


async def _judged(state: DocState, artifacts: ArtifactStore) -> list[str]:
    """What a model found and nobody repaired, a text a module that was let through."""
    known = await artifacts.names()
    names = [f"judged_{key}.json" for key, review in state.get("reviews", {}).items() if review.get("circuit")]
    return [await artifacts.get(known[name]) for name in names if name in known]


def _budget(state: DocState, repairs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Which parts had to do without the model because the budget was used up."""
    sections = sorted(int(index) + 1 for index, one in state["sections"].items() if one.get("out_of_budget"))
    reviews = [f"review {key}" for key, one in state.get("reviews", {}).items() if one.get("out_of_budget")]
    repaired = [f"revise {one['module']}" for one in repairs if any(part["out_of_budget"] for part in one["fallbacks"])]
    whole = [name for name, one in _of_the_whole(state) if one.get("out_of_budget")]
    return [*whole, *(f"section {number}" for number in sections), *reviews, *dict.fromkeys(repaired)]


def _limits(state: DocState, repairs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Which limits were reached: "calls", "tokens", "seconds", "money"."""
    parts = [*(one for _, one in _of_the_whole(state)), *state["sections"].values()]
    whys = [one["reason"] for one in parts if one.get("out_of_budget")]
    whys += [why for one in state.get("reviews", {}).values() if one.get("out_of_budget") for why in one["unjudged"]]
    whys += [part["reason"] for one in repairs for part in one["fallbacks"] if part["out_of_budget"]]
    return limits_in(whys)


def _of_the_whole(state: DocState) -> list[tuple[str, Mapping[str, Any]]]:
    """What is made once for the whole document, and who made it."""
    return [("scan_code", state.get("explored", {})), ("outline", state.get("planned", {}))]


def _fallbacks(state: DocState, repairs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Where a model was asked and did not answer, so that the twin stood in."""
    sections = [
        f"section {int(index) + 1}: {one['reason']}"
        for index, one in sorted(state["sections"].items(), key=lambda item: int(item[0]))
        if one.get("by") == "fallback"
    ]
    reviews = [
        f"review {key}: {one['unjudged'][0]}" for key, one in state.get("reviews", {}).items() if one.get("unjudged")
    ]
    repaired = [f"revise {one['module']}: {one['fallbacks'][0]['reason']}" for one in repairs if one["fallbacks"]]
    whole = [f"{name}: {one['reason']}" for name, one in _of_the_whole(state) if one.get("by") == "fallback"]
    return [*whole, *sections, *reviews, *dict.fromkeys(repaired)]


def _section(state: DocState, index: int) -> Mapping[str, object]:
    one = state["sections"].get(str(index), {})
    return {
        "title": one.get("title", ""),
        "status": one.get("status", "gap"),
        "by": one.get("by", ""),
        "reason": one.get("reason", ""),
    }
