"""The planning tree: a title, sections, and which memories each is written from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from kaozheng.artifacts import ArtifactStore
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.summary_planner import Planning, Tree, plan_summary
from kaozheng.roles.titles import clean_title
from kaozheng.sources.material import Material
from kaozheng.workflows.step import Changes, purpose_of
from kaozheng.workflows.summarize.condensing import memories_of
from kaozheng.workflows.summarize.memory import MemoryEntry
from kaozheng.workflows.summarize.parsed import parsed
from kaozheng.workflows.summarize.sizes import SizePlan
from kaozheng.workflows.summarize.state import SummaryState

TREE = "planning_tree.json"
NAMELESS = frozenset({"text", "input.md", "-"})
"""Paths of texts that came without a name."""


async def plan(state: SummaryState, artifacts: ArtifactStore, model: Model | None, emit: Emit) -> Changes:
    """Sections that together cover the memories of the highest level."""
    top = list((await parsed(artifacts, state["memories"][-1], memories_of)).values())
    material = await parsed(artifacts, state["context"], Material.from_json)
    task = Planning(
        purpose=purpose_of(state, "tree"),
        memories=_memories(top, material),
        sections=state.get("wanted_sections") or None,
        language=state["language"],
        focus=state.get("focus", ""),
        title=_title(material),
    )
    answer = await plan_summary(model, task)
    titles = [part.title for part in answer.value.sections]
    leaves = leaves_of(answer.value)
    emit("note", {"outline": titles, "by": answer.by, "reason": answer.reason})
    return {
        "planning_tree": await artifacts.put(TREE, answer.value.model_dump_json(indent=1)),
        "planned": {"by": answer.by, "reason": answer.reason, "out_of_budget": answer.out_of_budget},
        "topic": answer.value.title,
        "section_count": len(leaves),
        "sections": None,
    }


def tree_of(text: str) -> Tree:
    """The tree, as it is kept."""
    return Tree.model_validate_json(text)


@dataclass(frozen=True, slots=True)
class Leaf:
    """What is written in one go: a section, or a subsection; then `above` is the title of its section, else ""."""

    title: str
    brief: str
    memories: frozenset[str]
    above: str = ""


def leaves_of(tree: Tree) -> list[Leaf]:
    """Sections and subsections in order. A section whose subsections leave memories over begins with those."""
    leaves = []
    for section in tree.sections:
        below = {id for part in section.subsections for id in part.memories}
        if own := frozenset(section.memories) - below:
            leaves.append(Leaf(section.title, section.brief, own))
        leaves += [
            Leaf(part.title, section.brief, frozenset(part.memories), section.title)
            for part in section.subsections
            if part.memories
        ]
    return leaves


def evidence_of(
    leaf: Leaf, levels: Sequence[dict[int, MemoryEntry]], sizes: SizePlan, most_tokens: int
) -> list[MemoryEntry]:
    """The memories of one leaf at the lowest level at which they fit into `most_tokens`: the lower, the more they
    tell. Those of the highest level where none fits."""
    level = len(levels) - 1
    chosen = [entry for entry in levels[level].values() if entry.id in leaf.memories]
    while level:
        below = [
            levels[level - 1][at]
            for entry in chosen
            for at in sizes.levels[level].groups[entry.index]
            if at in levels[level - 1]
        ]
        if sum(sizes.levels[level - 1].limits[entry.index] for entry in below) > most_tokens:
            break
        chosen, level = below, level - 1
    return chosen


def _memories(entries: Sequence[MemoryEntry], material: Material) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """Id, headings and text of each; of several sources the headings begin with the title of each."""
    several = len(material.sources) > 1
    homes = {passage.id: passage.source for passage in material.passages} if several else {}
    found = []
    for entry in entries:
        sources = {homes[id] for id in entry.passages} if several else set()
        title = (clean_title(material.source(sources.pop()).title),) if len(sources) == 1 else ()
        found.append((entry.id, entry.path if title == entry.path[:1] else (*title, *entry.path), entry.text))
    return tuple(found)


def _title(material: Material) -> str:
    """The title of the only source; several have none in common. A heading that others of its level follow is that of
    the first chapter: then the file's name is the title."""
    if len(material.sources) > 1:
        return ""
    source = material.sources[0]
    tops = {passage.path[0] for passage in material.passages if passage.path}
    if len(tops) > 1 and source.title in tops:
        return "" if source.path in NAMELESS else PurePosixPath(source.path).stem
    return source.title
