"""The three entries. Each ends in one normalised material, whatever came in."""

from __future__ import annotations

import re
from pathlib import Path

from kaozheng.artifacts import ArtifactStore
from kaozheng.errors import NotYetError, SourceError
from kaozheng.ports import Emit
from kaozheng.sources.material import build_material
from kaozheng.sources.source import Reading, Source, SourceReader
from kaozheng.workflows.step import Changes
from kaozheng.workflows.write.state import DocState

MATERIAL = "material.json"
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u2060]")


async def process_text(state: DocState, artifacts: ArtifactStore, reader: SourceReader, emit: Emit) -> Changes:
    """A text: from `source_path`, or the text itself in `context`; control characters and line ends cleaned."""
    path = state.get("source_path", "")
    reading = await reader.read(Path(path)) if path else Reading([Source.of(state.get("context", ""), path="text")], [])
    return await _material(state, _cleaned(reading), artifacts, emit)


async def process_notes(state: DocState, artifacts: ArtifactStore, reader: SourceReader, emit: Emit) -> Changes:
    """A note, or a folder of notes; what cannot be read is named, never dropped in silence."""
    reading = await reader.read(Path(state.get("source_path", "")))
    return await _material(state, _cleaned(reading), artifacts, emit)


async def scan_code(state: DocState) -> Changes:
    """A repository. Not built yet."""
    raise NotYetError("writing from a code base is not built yet: use --notes for its documentation files")


async def _material(state: DocState, reading: Reading, artifacts: ArtifactStore, emit: Emit) -> Changes:
    material = build_material(reading, state.get("language"))
    if not any(unit.passages for unit in material.units):
        names = ", ".join(source.path for source in reading.sources[:3]) or state.get("source_path", "the input")
        raise SourceError(f"nothing to write from: {names} holds no text")
    emit("note", {"sources": len(material.sources), "skipped": len(material.skipped), "units": len(material.units)})
    return {"context": await artifacts.put(MATERIAL, material.to_json()), "language": material.language}


def _cleaned(reading: Reading) -> Reading:
    """Without control and zero-width characters, which no reader sees; a blank keeps every offset true."""
    sources = [
        Source(one.id, one.path, _CONTROL.sub(" ", one.text), one.encoding, one.sha256, one.size_bytes, one.modified)
        for one in reading.sources
    ]
    return Reading(sources, reading.skipped)
