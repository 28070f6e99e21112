"""The first step: read, cut into blocks, and say how large everything will be before any call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.documents.tokens import estimate_tokens
from kaozheng.errors import SourceError
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.prompts import overhead
from kaozheng.sources.material import Material, build_material
from kaozheng.sources.source import Reading, Skipped, Source, SourceReader
from kaozheng.sources.text_blocks import TextBlock, cut_blocks, finely_cut
from kaozheng.workflows.step import Changes
from kaozheng.workflows.summarize.sizes import SizePlan, size_plan
from kaozheng.workflows.summarize.state import SummaryState, nothing_done

MATERIAL, BLOCKS, SIZES = "material.json", "blocks.json", "sizes.json"
_ROLES = ("block_summarizer", "summary_planner", "summary_writer")


async def split(
    state: SummaryState, artifacts: ArtifactStore, reader: SourceReader, model: Model | None, emit: Emit
) -> Changes:
    """Text or files -> material -> blocks -> the sizes of all levels, told before the first call."""
    path = state.get("source_path", "")
    text = state.get("original_text", "")
    reading = await reader.read(Path(path)) if path else Reading([Source.of(text, path="text")], [])
    material, blocks, sizes = await aside(prepared, reading, state)
    counts = {"sources": len(material.sources), "skipped": len(material.skipped), "units": len(material.units)}
    emit("note", counts | {"blocks": [level.blocks for level in sizes.levels]})
    lines = sizes.told(material.language)
    for line in lines if model else (lines[0], lines[-1]):  # without a model there are no calls to tell of
        emit("note", {"said": line})
    return {
        "original_text": "",
        "language": material.language,
        "context": await artifacts.put(MATERIAL, material.to_json()),
        "chunks": await artifacts.put(BLOCKS, json.dumps([asdict(one) for one in blocks], ensure_ascii=False)),
        "sizes": await artifacts.put(SIZES, json.dumps(sizes.as_dict(), ensure_ascii=False)),
        "levels": len(sizes.levels),
        "block_count": len(blocks),
        **nothing_done(),
    }


def prepared(reading: Reading, wanted: Mapping[str, Any]) -> tuple[Material, list[TextBlock], SizePlan]:
    """What is summarised, in blocks, and how large each level will be. `wanted` are `language`, `focus`,
    `ratio` and `wanted_sections` of the state. Raises SourceError when there is no text."""
    material = finely_cut(build_material(once(reading).cleaned(), wanted.get("language")))
    if not material.passages:
        names = ", ".join(source.path for source in reading.sources[:3]) or "the input"
        raise SourceError(f"nothing to summarise: {names} holds no text")
    blocks = cut_blocks(material)
    sizes = size_plan(
        blocks,
        material.language,
        wanted.get("ratio"),
        wanted.get("wanted_sections"),
        overheads(material.language, wanted.get("focus", "")),
    )
    return material, blocks, sizes


def once(reading: Reading) -> Reading:
    """Each text once: what a second file says again would be said again, or leave a section with nothing to say."""
    firsts: dict[str, str] = {}
    sources, skipped = [], list(reading.skipped)
    for one in reading.sources:
        first = firsts.setdefault(one.text, one.path)
        if first == one.path:
            sources.append(one)
        else:
            skipped.append(Skipped(one.path, f"the same text as {first}"))
    return Reading(sources, skipped)


def overheads(language: str, focus: str = "") -> dict[str, int]:
    """Tokens of each role's prompt without its evidence."""
    weights = {role: overhead(role, language) for role in _ROLES}
    weights["block_merger"] = overhead("block_summarizer", language, file="condense")
    return {name: weight + estimate_tokens(focus) for name, weight in weights.items()}


def blocks_of(text: str) -> list[TextBlock]:
    """The blocks, as they are kept."""
    return [
        TextBlock(**{**one, "path": tuple(one["path"]), "passages": tuple(one["passages"])}) for one in json.loads(text)
    ]


def sizes_of(text: str) -> SizePlan:
    """The size plan, as it is kept."""
    return SizePlan.from_dict(json.loads(text))
