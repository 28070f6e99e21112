"""The planning tree: a title, sections, and which memories each is written from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.summary_planner import Planning, Tree, plan_summary
from kaozheng.roles.titles import clean_title
from kaozheng.sources.material import Material
from kaozheng.workflows.step import Changes, purpose_of
from kaozheng.workflows.summarize.chapters import chapters_told
from kaozheng.workflows.summarize.condensing import memories_of
from kaozheng.workflows.summarize.leaves import Leaf, leaves_of, room_by_worth, text_below
from kaozheng.workflows.summarize.memory import MemoryEntry
from kaozheng.workflows.summarize.parsed import parsed
from kaozheng.workflows.summarize.splitting import blocks_of, sizes_of
from kaozheng.workflows.summarize.state import SummaryState

TREE = "planning_tree.json"
FEW_SECTIONS: Final = 4
"""Up to so many the planner may choose itself; a long text has as many as were planned before the first call."""
_LEAST_CHOSEN: Final = 3
_FEWER: Final = {
    "zh": "要求 {wanted} 节，原文只够分成 {made} 节",
    "en": "{wanted} sections were asked for, the text has room for {made}",
}
NAMELESS = frozenset({"text", "input.md", "-"})
"""Paths of texts that came without a name."""


async def plan(state: SummaryState, artifacts: ArtifactStore, model: Model | None, emit: Emit) -> Changes:
    """Sections that together cover the memories of the highest level."""
    top = list((await parsed(artifacts, state["memories"][-1], memories_of)).values())
    material = await parsed(artifacts, state["context"], Material.from_json)
    sizes = await parsed(artifacts, state["sizes"], sizes_of)
    wanted = state.get("wanted_sections")
    task = Planning(
        purpose=purpose_of(state, "tree"),
        memories=_memories(top, material),
        sections=wanted or (None if _LEAST_CHOSEN <= sizes.sections <= FEW_SECTIONS else sizes.sections),
        language=state["language"],
        focus=state.get("focus", ""),
        title=_title(material),
    )
    answer = await plan_summary(model, task)
    titles = [part.title for part in answer.value.sections]
    leaves = leaves_of(answer.value)
    limits = await _limits(state, artifacts, leaves, by_worth=model is None)
    emit("note", {"outline": titles, "by": answer.by, "reason": answer.reason})
    if wanted and len(titles) < wanted:
        emit(
            "note",
            {"said": _FEWER["zh" if state["language"] == "zh" else "en"].format(wanted=wanted, made=len(titles))},
        )
    return {
        "planning_tree": await artifacts.put(TREE, answer.value.model_dump_json(indent=1)),
        "planned": {
            "by": answer.by,
            "reason": answer.reason,
            "out_of_budget": answer.out_of_budget,
            "sections": len(titles),
        },
        "topic": answer.value.title,
        "section_count": len(leaves),
        "section_limits": limits,
        "sections": None,
    }


async def _limits(
    state: SummaryState, artifacts: ArtifactStore, leaves: Sequence[Leaf], *, by_worth: bool
) -> list[int]:
    """The tokens of each leaf, together about those of the summary: by the length of its memories, or (`by_worth`) by
    what of its text an extract of the whole would keep."""
    levels = [await parsed(artifacts, ref, memories_of) for ref in state["memories"]]
    sizes = await parsed(artifacts, state["sizes"], sizes_of)
    if not by_worth:
        weights = [sum(len(one.text) for one in levels[-1].values() if one.id in leaf.memories) for leaf in leaves]
        return sizes.section_limits(weights)
    material = await parsed(artifacts, state["context"], Material.from_json)
    blocks = await parsed(artifacts, state["chunks"], blocks_of)
    texts = [text_below(leaf, levels, sizes, blocks, material) for leaf in leaves]
    room = (sizes.target_tokens, state["language"], state.get("focus", ""))
    return await aside(room_by_worth, texts, [one for entry in levels[0].values() for one in entry.sentences], *room)


def tree_of(text: str) -> Tree:
    """The tree, as it is kept."""
    return Tree.model_validate_json(text)


def _memories(entries: Sequence[MemoryEntry], material: Material) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """Id, headings and text of each. What tells of several chapters is named by the first and the last of them; of
    several sources the headings begin with the title of each."""
    several = len(material.sources) > 1
    found = []
    for entry in entries:
        passages = sorted(map(material.passage, entry.passages), key=lambda one: (one.source, one.span.start))
        sources = {one.source for one in passages}
        title = (clean_title(material.source(sources.pop()).title),) if several and len(sources) == 1 else ()
        told = chapters_told([one.path[0] for one in passages if one.path], material.language)
        path = entry.path or ((told,) if told and not several else ())
        found.append((entry.id, path if title == path[:1] else (*title, *path), entry.text))
    return tuple(found)


def _title(material: Material) -> str:
    """The title of the only source; several have none in common. A heading that others of its level follow is that of
    the first chapter: then the file's name is the title."""
    if len(material.sources) > 1:
        return ""
    source = material.sources[0]
    name = "" if source.path in NAMELESS else PurePosixPath(source.path).stem
    tops = {passage.path[0] for passage in material.passages if passage.path}
    is_chapter = len(tops) > 1 and source.title in tops
    return name if is_chapter or source.title == PurePosixPath(source.path).stem else source.title
