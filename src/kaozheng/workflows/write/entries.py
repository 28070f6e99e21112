"""The three entries. Each ends in one normalised material, whatever came in."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.errors import SourceError
from kaozheng.models.answer import Answer
from kaozheng.models.model import Model
from kaozheng.ports import Emit, Now
from kaozheng.roles.explorer import Exploration, Explored, explore
from kaozheng.sources.code.repository import CodeReader
from kaozheng.sources.fetching import Fetcher
from kaozheng.sources.material import Material, build_material
from kaozheng.sources.source import Reading, Source, SourceReader
from kaozheng.tools.web_reach import without_links
from kaozheng.workflows.step import Changes
from kaozheng.workflows.write.state import DocState

MATERIAL = "material.json"
OVERVIEW = "overview.md"
"""The overview of a code base, which is the material of a document about it."""
_MOST_DROPPED = 20


async def process_text(state: DocState, artifacts: ArtifactStore, reader: SourceReader, emit: Emit) -> Changes:
    """A text: from `source_path`, or the text itself in `context`; control characters and line ends cleaned."""
    path = state.get("source_path", "")
    reading = await reader.read(Path(path)) if path else Reading([Source.of(state.get("context", ""), path="text")], [])
    return await _material(state, reading, artifacts, emit)


async def process_notes(state: DocState, artifacts: ArtifactStore, reader: SourceReader, emit: Emit) -> Changes:
    """A note, or a folder of notes; what cannot be read is named, never dropped in silence."""
    reading = await reader.read(Path(state.get("source_path", "")))
    return await _material(state, reading, artifacts, emit)


async def scan_code(
    state: DocState,
    artifacts: ArtifactStore,
    code: CodeReader,
    fetcher: Fetcher,
    model: Model | None,
    now: Now,
    emit: Emit,
) -> Changes:
    """A code base, explored: what is known of it afterwards is an overview whose statements name their lines."""
    shelf = await code.read(Path(state.get("source_path", "")))
    repository = shelf.repository
    emit("note", {"files": len(repository.files), "skipped": len(repository.skipped), "code": repository.name})
    language: Literal["zh", "en"] = "zh" if state.get("language", "zh") == "zh" else "en"
    task = Exploration(shelf, language, now, state.get("topic", ""), fetcher, emit=emit)
    answer = await explore(model, task)
    overview = answer.value.overview
    text = overview.markdown()
    await artifacts.put(OVERVIEW, text)
    source = replace(Source.of(text, path=OVERVIEW), about_code=True)
    material = build_material(Reading([source], list(repository.skipped)), language)
    emit("note", {"explored": len(overview.remarks), "by": answer.by, "reason": answer.reason})
    kept = await artifacts.put(MATERIAL, material.to_json())
    # Links in the topic were wishes to read them; what is left of it is the title.
    topic = without_links(state.get("topic", ""))
    return {"context": kept, "language": language, "topic": topic, "explored": _explored(answer)}


def _explored(answer: Answer[Explored]) -> dict[str, Any]:
    """How the exploring went, small enough for the state."""
    made = answer.value
    return {
        "by": answer.by,
        "reason": answer.reason,
        "out_of_budget": answer.out_of_budget,
        "statements": made.said,
        "dropped": list(made.dropped[:_MOST_DROPPED]),
        "links": [asdict(link) for link in made.links],
        "calls": made.tally.calls,
        "wasted": round(made.tally.wasted, 3),
        "ended": made.ended,
        "why": made.why,
    }


async def _material(state: DocState, reading: Reading, artifacts: ArtifactStore, emit: Emit) -> Changes:
    material, kept = await aside(_built, reading, state.get("language"))
    if not any(unit.passages for unit in material.units):
        names = ", ".join(source.path for source in reading.sources[:3]) or state.get("source_path", "the input")
        raise SourceError(f"nothing to write from: {names} holds no text")
    emit("note", {"sources": len(material.sources), "skipped": len(material.skipped), "units": len(material.units)})
    return {"context": await artifacts.put(MATERIAL, kept), "language": material.language}


def _built(reading: Reading, language: str | None) -> tuple[Material, str]:
    """The material, and the text that keeps it."""
    material = build_material(reading.cleaned(), language)
    return material, material.to_json()
