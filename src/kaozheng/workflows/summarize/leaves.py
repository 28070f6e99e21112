"""The leaves of the planning tree: what is written in one go, from what, and how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.evidence.sentence import Sentence
from kaozheng.roles.block_summarizer.offline import extract
from kaozheng.roles.summary_planner import Tree
from kaozheng.sources.material import Material
from kaozheng.sources.text_blocks import TextBlock
from kaozheng.workflows.summarize.memory import MemoryEntry
from kaozheng.workflows.summarize.saying import for_extracting
from kaozheng.workflows.summarize.sizes import SizePlan

_LEAST_ROOM: Final = 20
"""Tokens: what says nothing that matters still says one short sentence."""
_WEIGHED_TOKENS: Final = 60_000
"""A longer text is weighed by the summaries of its blocks."""


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


def text_below(
    leaf: Leaf,
    levels: Sequence[dict[int, MemoryEntry]],
    sizes: SizePlan,
    blocks: Sequence[TextBlock],
    material: Material,
) -> list[Sentence]:
    """The text itself that the leaf's memories tell, passage by passage: what a leaf is extracted from where no model
    writes. A model reads summaries because it can read only so much; code can read it all."""
    lowest = evidence_of(leaf, levels, sizes, sizes.text_tokens)
    ids = (id for entry in lowest for id in blocks[entry.index].passages)
    return [one for id in ids for one in for_extracting(material.passage(id), material.language)]


def room_by_worth(
    texts: Sequence[Sequence[Sentence]], told: Sequence[Sentence], target_tokens: int, language: str, focus: str
) -> list[int]:
    """The tokens of each of these texts, together about `target_tokens`: what of it an extract of all of them keeps,
    so that a part that says much gets more room than one that says little. `told`: the summaries of their blocks."""
    whole = [one for text in texts for one in text]
    short = sum(estimate_tokens(one.text) for one in whole) <= _WEIGHED_TOKENS
    best = extract(whole if short else told, target_tokens, language, focus)
    rooms = []
    for text in texts:
        own = {id for one in text for id in one.passages}
        rooms.append(sum(estimate_tokens(one.text) for one in best if not own.isdisjoint(one.passages)))
    return [max(room, _LEAST_ROOM) for room in rooms]
