"""The sections, one after the other: each from its memories and the nearest others, and written back as a memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.errors import ModelError, ModelRefusedError, ShapeError
from kaozheng.evidence.covering import Covering
from kaozheng.evidence.denying_headings import with_denial
from kaozheng.evidence.repetition import repeated
from kaozheng.evidence.sentence import Sentence
from kaozheng.evidence.support import Supporter
from kaozheng.models.answer import Answer
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.summary_writer import Writing, write_summary_section
from kaozheng.sources.material import Material
from kaozheng.sources.text_blocks import TextBlock
from kaozheng.sources.vectors import Embedder
from kaozheng.workflows.step import Changes, purpose_of
from kaozheng.workflows.summarize.cited import Cited, Place, Removed, SectionText, all_sentences
from kaozheng.workflows.summarize.condensing import memories_of
from kaozheng.workflows.summarize.leaves import Leaf, evidence_of, leaves_of, text_below
from kaozheng.workflows.summarize.memory import SECTION, Memory, MemoryEntry, recalled, remembered, written_back
from kaozheng.workflows.summarize.parsed import parsed
from kaozheng.workflows.summarize.planning import tree_of
from kaozheng.workflows.summarize.saying import carried
from kaozheng.workflows.summarize.sizes import NEAREST, SizePlan
from kaozheng.workflows.summarize.splitting import blocks_of, sizes_of
from kaozheng.workflows.summarize.state import SummaryState

Levels = Sequence[dict[int, MemoryEntry]]


def more_sections(state: SummaryState) -> str:
    """Whether a section is still to be written."""
    return "generate" if len(state.get("sections", {})) < state["section_count"] else "check_loss"


async def generate(
    state: SummaryState, artifacts: ArtifactStore, model: Model | None, embedder: Embedder | None, emit: Emit
) -> Changes:
    """Write the next section and keep it. In order, because each section is to know what the earlier ones said."""
    index = len(state.get("sections", {}))
    world = await _world(state, artifacts)
    part = world.leaves[index]
    earlier = await earlier_sections(state, artifacts)
    text = text_below(part, world.levels, world.sizes, world.blocks, world.material)
    twin_task = _twin_task(state, world, index, text, earlier)
    task = await _task(state, world, index, embedder, earlier, emit) if model else twin_task
    done: dict[str, Any] = {"title": part.title}
    told = {"section": index + 1, "of": state["section_count"], "title": part.title}
    try:
        answer = await write_summary_section(model, task)
        made = await aside(_made, answer, part, text, world.material, earlier)
        failed = answer.by == "fallback"
        if not made.sentences and answer.by == "model":
            twin = await write_summary_section(None, twin_task)
            answer = replace(twin, by="fallback", reason="no sentence had evidence")
            instead = await aside(_made, answer, part, text, world.material, earlier)
            made = replace(instead, removed=(*made.removed, *instead.removed))
        if not made.sentences:
            raise ShapeError("the section came out empty")
    except ModelError as error:
        if isinstance(error, ModelRefusedError):
            raise
        emit("note", told | {"gap": str(error)})
        return {"sections": {str(index): done | {"status": "gap", "reason": str(error), "by": "", "ref": ""}}}
    ref = await artifacts.put(section_name(index), made.to_json())
    emit("note", told | {"by": answer.by, "reason": answer.reason})
    done |= {"status": "written", "ref": ref, "by": answer.by, "reason": answer.reason, "failed": failed}
    return {"sections": {str(index): done | {"out_of_budget": answer.out_of_budget}}}


def section_name(index: int) -> str:
    """Under which name a section is kept."""
    return f"section_{index + 1:02d}.json"


async def earlier_sections(state: SummaryState, artifacts: ArtifactStore) -> dict[int, SectionText]:
    """The sections that are written, by index."""
    found = {}
    for at, one in sorted(state.get("sections", {}).items(), key=lambda item: int(item[0])):
        if one["status"] == "written":
            found[int(at)] = await parsed(artifacts, one["ref"], SectionText.from_json)
    return found


@dataclass(frozen=True, slots=True)
class _World:
    """What every section is written from."""

    material: Material
    levels: Levels
    sizes: SizePlan
    blocks: Sequence[TextBlock]
    title: str
    leaves: Sequence[Leaf]


async def _world(state: SummaryState, artifacts: ArtifactStore) -> _World:
    tree = await parsed(artifacts, state["planning_tree"], tree_of)
    return _World(
        await parsed(artifacts, state["context"], Material.from_json),
        [await parsed(artifacts, ref, memories_of) for ref in state["memories"]],
        await parsed(artifacts, state["sizes"], sizes_of),
        await parsed(artifacts, state["chunks"], blocks_of),
        tree.title,
        leaves_of(tree),
    )


async def _task(
    state: SummaryState,
    world: _World,
    index: int,
    embedder: Embedder | None,
    earlier: dict[int, SectionText],
    emit: Emit,
) -> Writing:
    """What a model is given: the section's own memories, and the three nearest of all others. Of these, what earlier
    sections said is there to be known, not to be said again."""
    part = world.leaves[index]
    own = evidence_of(part, world.levels, world.sizes, world.sizes.evidence_tokens)
    memory = await _memory(tuple(state["memories"]), world.levels, embedder)
    for at, section in earlier.items():
        await written_back(memory, _as_memory(at, section), embedder)
    query = " ".join(filter(None, (part.title, part.brief, state.get("focus", ""))))
    near = await recalled(memory, query, embedder, NEAREST, {one.id for one in own})
    if memory.note and not index:
        emit("note", {"said": memory.note})
    told = [one for one in near if one.level == SECTION]
    others = [one for one in near if one.level != SECTION]
    evidence = tuple(sentence for one in (*own, *others) for sentence in one.sentences)
    task = _writing(state, world, index, evidence, [one.text for one in told])
    return replace(task, own=sum(len(one.sentences) for one in own))


def _twin_task(
    state: SummaryState, world: _World, index: int, text: list[Sentence], earlier: dict[int, SectionText]
) -> Writing:
    """What the offline writer is given: the text itself, and all that was said before."""
    return _writing(state, world, index, tuple(text), [section.text for section in earlier.values()])


def _writing(
    state: SummaryState, world: _World, index: int, evidence: tuple[Sentence, ...], earlier: Sequence[str]
) -> Writing:
    part = world.leaves[index]
    return Writing(
        purpose=purpose_of(state, f"section/{index}"),
        title=part.title,
        brief=part.brief,
        document_title=world.title,
        all_titles=tuple(one.title for one in world.leaves),
        evidence=evidence,
        earlier=tuple(earlier),
        limit_tokens=state["section_limits"][index],
        language=state["language"],
        focus=state.get("focus", ""),
    )


def _as_memory(index: int, section: SectionText) -> MemoryEntry:
    said = tuple(Sentence(one.text, tuple(place.passage for place in one.places)) for one in section.sentences)
    return MemoryEntry(f"S{index}", SECTION, index, (section.title,), said)


async def _memory(refs: tuple[str, ...], levels: Levels, embedder: Embedder | None) -> Memory:
    """All levels as one memory, to be added to. Vectors are made once for all sections."""
    kept = _remembered(refs, embedder.name if embedder else "")
    if not kept:
        entries = [entry for level in levels for entry in level.values()]
        kept[:] = [await remembered(entries, embedder)]
    return kept[0].copy()


@lru_cache(maxsize=2)
def _remembered(refs: tuple[str, ...], embedder: str) -> list[Memory]:
    """A place for the memory of these levels; references name contents, so it never grows stale."""
    return []


def _made(
    answer: Answer[list[list[Sentence]]],
    part: Leaf,
    text: Sequence[Sentence],
    material: Material,
    earlier: dict[int, SectionText],
) -> SectionText:
    """The section with the evidence of each sentence; what nothing carries and what was said before is left out."""
    passages = [id for one in text for id in one.passages]
    marked = {id for paragraph in answer.value for one in paragraph for id in one.passages}
    supporter = Supporter([material.passage(id) for id in sorted({*passages, *marked}, key=_in_order)])
    covering = Covering(supporter)
    before = list(all_sentences(earlier.values()))
    flat = [one for paragraph in answer.value for one in paragraph]
    again = repeated([*before, *(one.text for one in flat)])
    removed: list[Removed] = []
    paragraphs: list[tuple[Cited, ...]] = []
    number = len(before)
    for paragraph in answer.value:
        kept: list[Cited] = []
        for one in paragraph:
            found = [] if number in again else carried(one, covering, material)
            if found:
                said = with_denial(one.text, material.passage(found[0].passage), material.language)
                kept.append(Cited(said, tuple(Place.of(each, material) for each in found)))
            else:
                removed.append(Removed(one.text, "repeated" if number in again else "unsupported"))
            number += 1
        if kept:
            paragraphs.append(tuple(kept))
    return SectionText(part.title, tuple(paragraphs), tuple(removed), tuple(passages))


def _in_order(id: str) -> tuple[int, int]:
    """Passages in the order of the material: "S2:12" before "S10:3"."""
    source, _, number = id.removeprefix("S").partition(":")
    return int(source), int(number)
