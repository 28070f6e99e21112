"""What a finished run hands over: the document, its trace and a report of what was checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from kaozheng.artifacts import ArtifactStore
from kaozheng.documents.document import Document
from kaozheng.evidence.contradictions import find_contradictions
from kaozheng.rules.engine import inspect
from kaozheng.rules.rule import RuleBook
from kaozheng.rules.violation import Violation
from kaozheng.sources.material import Material
from kaozheng.workflows.review.judging import restored
from kaozheng.workflows.write.assembling import with_contents
from kaozheng.workflows.write.citing import without_marks
from kaozheng.workflows.write.report import as_markdown
from kaozheng.workflows.write.state import DocState
from kaozheng.workflows.write.tracing import inputs, trace

DOCUMENT, TRACE, REPORT = "document.md", "trace.json", "report.json"
_DEFINITION = re.compile(r"^\[\^[A-Za-z0-9-]+\]:.*\n?", re.MULTILINE)


async def deliver(state: DocState, artifacts: ArtifactStore, book: RuleBook, citations: str) -> dict[str, Any]:
    """Write document.md, trace.json, report.json and report.md; returns the report. Again gives the same files."""
    material = Material.from_json(await artifacts.get(state["context"]))
    draft = with_contents(await artifacts.get(state["current_draft"]))
    table = json.loads(await artifacts.get(state["marks"]))
    document = Document(draft)
    traced = trace(document, table, material)
    final = draft if citations == "footnote" else _bare(draft)
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
        "gaps": sorted(int(index) + 1 for index, one in state["sections"].items() if one["status"] == "gap"),
        "review": state.get("reviews", {}),
        "violations_left": [one.as_dict() for one in left],
        "repairs": repairs,
        "statements": len(traced.statements),
        "budget": _budget(state, repairs),
        "unsupported": [{"lines": [one.lines.start, one.lines.end], "text": one.text} for one in traced.unsupported()],
    }
    await artifacts.put(DOCUMENT, final)
    await artifacts.put(TRACE, json.dumps([one.as_dict() for one in traced.statements], ensure_ascii=False, indent=1))
    await artifacts.put("report.md", as_markdown(report, material.language))
    await artifacts.put(REPORT, json.dumps(report, ensure_ascii=False, indent=1))
    return report


def _bare(draft: str) -> str:
    """The draft without footnotes; the trace keeps what they said."""
    return without_marks(_DEFINITION.sub("", draft)).rstrip("\n") + "\n"


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
    return [*(f"section {number}" for number in sections), *reviews, *dict.fromkeys(repaired)]


def _section(state: DocState, index: int) -> Mapping[str, object]:
    one = state["sections"].get(str(index), {})
    return {
        "title": one.get("title", ""),
        "status": one.get("status", "gap"),
        "by": one.get("by", ""),
        "reason": one.get("reason", ""),
    }
