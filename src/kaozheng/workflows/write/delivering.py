"""What a finished run hands over: the document, its trace and a report of what was checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kaozheng.artifacts import ArtifactStore
from kaozheng.documents.document import Document
from kaozheng.documents.links import moved_links
from kaozheng.evidence.contradictions import find_contradictions
from kaozheng.rules.engine import inspect
from kaozheng.rules.rule import RuleBook
from kaozheng.rules.violation import Violation
from kaozheng.sources.code.repository import CodeReader
from kaozheng.sources.material import Material
from kaozheng.workflows.review.judging import restored
from kaozheng.workflows.write.assembling import with_contents
from kaozheng.workflows.write.citing import without_marks
from kaozheng.workflows.write.report import as_markdown
from kaozheng.workflows.write.rereading import reread
from kaozheng.workflows.write.state import DocState
from kaozheng.workflows.write.tracing import inputs, trace

DOCUMENT, TRACE, REPORT = "document.md", "trace.json", "report.json"
_CAPTION = re.compile(r"^(?:来源：|Source:)[ \t]*$", re.MULTILINE)
_DEFINITION = re.compile(r"^\[\^[A-Za-z0-9-]+\]:.*\n?", re.MULTILINE)


async def deliver(
    state: DocState, artifacts: ArtifactStore, code: CodeReader, book: RuleBook, citations: str
) -> dict[str, Any]:
    """Write document.md, trace.json, report.json and report.md; returns the report. Again gives the same files, as long
    as the code base that the document is about stays the same."""
    material = Material.from_json(await artifacts.get(state["context"]))
    draft = with_contents(await artifacts.get(state["current_draft"]))
    table = json.loads(await artifacts.get(state["marks"]))
    document = Document(draft)
    traced = trace(document, table, material)
    final = _placed(draft if citations == "footnote" else _bare(draft), state)
    left = await _left(state, Document(final), book, artifacts)
    repairs = [json.loads(await artifacts.get(ref)) for ref in state.get("revision_log", [])]
    report = {
        "title": state["topic"],
        "rules": book.name,
        "inputs": inputs(material, traced.passages),
        "contradictions": [asdict(one) for one in find_contradictions(material.sources)],
        "sections": [_section(state, index) for index in range(state["section_count"])],
        "offline": [
            one["title"]
            for _, one in sorted(state["sections"].items(), key=lambda item: int(item[0]))
            if one["status"] == "written" and one["by"] != "model"
        ],
        "fallbacks": _fallbacks(state, repairs),
        "gaps": sorted(int(index) + 1 for index, one in state["sections"].items() if one["status"] == "gap"),
        "review": state.get("reviews", {}),
        "violations_left": [one.as_dict() for one in left],
        "repairs": repairs,
        "statements": len(traced.statements),
        "code": await reread(document, Path(state["source_path"]), code) if material.about_code else None,
        "budget": _budget(state, repairs),
        "unsupported": [{"lines": [one.lines.start, one.lines.end], "text": one.text} for one in traced.unsupported()],
    }
    await artifacts.put(DOCUMENT, final)
    await artifacts.put(TRACE, json.dumps([one.as_dict() for one in traced.statements], ensure_ascii=False, indent=1))
    await artifacts.put("report.md", as_markdown(report, material.language))
    await artifacts.put(REPORT, json.dumps(report, ensure_ascii=False, indent=1))
    return report


def _placed(text: str, state: DocState) -> str:
    """Links that led from the notes' folder lead from the run's folder, where the document lies."""
    source, folder = Path(state.get("source_path", "")), Path(state.get("cache_dir", ""))
    root = source.parent if source.suffix else source
    return moved_links(text, root, folder) if source.is_absolute() and folder.is_absolute() else text


def _bare(draft: str) -> str:
    """The draft without footnotes; the trace keeps what they said, and its line numbers stay true."""
    return _CAPTION.sub("", without_marks(_DEFINITION.sub("", draft))).rstrip("\n") + "\n"


async def _left(state: DocState, final: Document, book: RuleBook, artifacts: ArtifactStore) -> list[Violation]:
    """What breaks the rules in the finished document: by the checks, and what a model found and nobody repaired."""
    left = inspect(final, book.rules, state.get("language"))
    known = await artifacts.names()
    for key, review in state.get("reviews", {}).items():
        if review.get("circuit") and f"judged_{key}.json" in known:
            left.extend(restored(await artifacts.get(known[f"judged_{key}.json"]), final))
    return left


def _budget(state: DocState, repairs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Which parts had to do without the model because the budget was used up."""
    sections = sorted(int(index) + 1 for index, one in state["sections"].items() if one.get("out_of_budget"))
    reviews = [f"review {key}" for key, one in state.get("reviews", {}).items() if one.get("out_of_budget")]
    repaired = [f"revise {one['module']}" for one in repairs if any(part["out_of_budget"] for part in one["fallbacks"])]
    scanned = ["scan_code"] if state.get("explored", {}).get("out_of_budget") else []
    return [*scanned, *(f"section {number}" for number in sections), *reviews, *dict.fromkeys(repaired)]


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
    explored = state.get("explored", {})
    scanned = [f"scan_code: {explored['reason']}"] if explored.get("by") == "fallback" else []
    return [*scanned, *sections, *reviews, *dict.fromkeys(repaired)]


def _section(state: DocState, index: int) -> Mapping[str, object]:
    one = state["sections"].get(str(index), {})
    return {
        "title": one.get("title", ""),
        "status": one.get("status", "gap"),
        "by": one.get("by", ""),
        "reason": one.get("reason", ""),
    }
