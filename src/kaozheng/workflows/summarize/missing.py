"""What a summary misses, told in its head: parts that no model summarised, and parts that nothing summarised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from kaozheng.documents.code_span import code_span
from kaozheng.evidence.file_places import place_told
from kaozheng.sources.material import Material
from kaozheng.sources.ranking import terms, without_function_words
from kaozheng.sources.text_blocks import TextBlock
from kaozheng.workflows.reasons import in_chinese
from kaozheng.workflows.summarize.state import SummaryState

_MOST_RANGES: Final = 12
_WORDS: Final = {
    "budget": (
        "{reason}。{parts}未经模型概括，由离线规则摘录。",
        "The budget was used up: {reason}. Not summarised by the model but excerpted by rules: {parts}.",
    ),
    "fallback": (
        "{parts}未能由模型完成（{reason}），由离线规则摘录。",
        "The model failed for {parts} ({reason}); excerpted by rules instead.",
    ),
    "gap": (
        "【缺口】{parts}未能概括：{reason}。位置：{places}。",
        "[Gap] {parts} could not be summarised: {reason}. Place: {places}.",
    ),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A block of level 0 ("block", counted from 1), of a higher level ("merge"), the tree ("tree"), a section, or a
    restoring ("restore") that went without the model. `status`: "gap" | "fallback"."""

    kind: str
    number: int
    status: str
    reason: str
    budget: bool = False


def missing(state: SummaryState, remarks: Sequence[Mapping[str, Any]]) -> list[Part]:
    """All of them in the order of the run. `remarks` are those of each level."""
    parts = [
        Part("merge" if one["level"] else "block", one["block"], _status(one), one["reason"], one["budget"])
        for level in remarks
        for one in level["rest"]
    ]
    planned = state.get("planned", {})
    if planned.get("by") == "fallback":
        parts.append(Part("tree", 0, "fallback", planned["reason"], planned["out_of_budget"]))
    for at, one in sorted(state.get("sections", {}).items(), key=lambda item: int(item[0])):
        if one["status"] == "gap" or one["by"] == "fallback":
            parts.append(Part("section", int(at) + 1, _status(one), one["reason"], bool(one.get("out_of_budget"))))
    for at, one in sorted(state.get("restored", {}).items()):
        if one["failed"]:
            number = int(at.partition("/")[2]) + 1
            parts.append(Part("restore", number, "fallback", one["reason"], one["out_of_budget"]))
    return parts


def notices(parts: Iterable[Part], blocks: Sequence[TextBlock], material: Material) -> list[str]:
    """What a reader must know, a line a reason; nothing when a model, or by choice none, did it all."""
    zh = material.language == "zh"
    lines = []
    for (status, budget), same in groupby(sorted(parts, key=_order), key=lambda one: (one.status, one.budget)):
        group = list(same)
        word = _WORDS["gap" if status == "gap" else "budget" if budget else "fallback"][0 if zh else 1]
        lines.append(
            word.format(
                parts=_told(group, zh),
                reason=_why(group[0].reason, zh, budget),
                places=_places(group, blocks, material),
            )
        )
    return lines


def _why(reason: str, zh: bool, budget: bool) -> str:
    line = " ".join(reason.split())
    if not zh:
        return line
    return in_chinese(line) or (f"预算用尽（{line}）" if budget else line)


def unmentioned(focus: str, material: Material) -> list[str]:
    """That the text says nothing of what was wanted above all, when none of its words stands there."""
    wanted = without_function_words(terms(focus)) if focus else []
    text = "\n".join(source.text for source in material.sources).casefold()
    if not wanted or any(term in text for term in wanted):
        return []
    shown = code_span(" ".join(focus.split()))
    if material.language == "zh":
        return [f"原文没有提到 {shown}，以下是全文的摘要。"]
    return [f"The text says nothing of {shown}; this is a summary of all of it."]


def _status(one: Mapping[str, Any]) -> str:
    return "gap" if one["status"] == "gap" else "fallback"


def _order(part: Part) -> tuple[str, bool]:
    return part.status, part.budget


def _told(parts: Sequence[Part], zh: bool) -> str:
    names = {
        "block": ("第 {} 块", "block(s) {}"),
        "merge": ("合并 {}", "merge(s) {}"),
        "tree": ("大纲", "the outline"),
        "section": ("第 {} 节", "section(s) {}"),
        "restore": ("第 {} 节的补回", "what was put back into section(s) {}"),
    }
    told = []
    for kind, name in names.items():
        numbers = sorted({one.number for one in parts if one.kind == kind})
        if numbers:
            told.append(name[0 if zh else 1].format(_ranges(numbers, zh)))
    return ("、" if zh else ", ").join(told)


def _ranges(numbers: Sequence[int], zh: bool) -> str:
    """1, 2, 3, 7 -> "1–3, 7"."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), key=lambda item: item[1] - item[0])]
    shown = [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs[:_MOST_RANGES]]
    more = (" 等" if zh else " and more") if len(runs) > _MOST_RANGES else ""
    return ("、" if zh else ", ").join(shown) + more


def _places(parts: Sequence[Part], blocks: Sequence[TextBlock], material: Material) -> str:
    """Where the blocks among the parts stand."""
    told = []
    for part in [one for one in parts if one.kind == "block"][:_MOST_RANGES]:
        first = material.passage(blocks[part.number - 1].passages[0])
        told.append(place_told(material.source(first.source), first, material.language))
    return ("；" if material.language == "zh" else "; ").join(told) or "-"
