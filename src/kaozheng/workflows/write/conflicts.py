"""The contradictions of a material as the report keeps them: each place with where it stands in the user's own file."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from kaozheng.evidence.contradictions import find_contradictions
from kaozheng.sources.material import Material
from kaozheng.workflows.write.file_places import place_in_file


def conflicts(material: Material) -> list[dict[str, Any]]:
    """Subject, unit and places; the places of a converted file have `where` ("page 3"), since their lines are those of
    a text that the user never saw."""
    found = [asdict(one) for one in find_contradictions(material.sources)]
    for place in (place for one in found for place in one["places"]):
        if where := _where(material, place["path"], place["line"]):
            place["where"] = where
    return found


def _where(material: Material, path: str, line: int) -> str:
    source = next(one for one in material.sources if one.path == path)
    if not source.made_from:
        return ""
    inside = (one for one in material.passages if one.source == source.id and one.lines.start <= line <= one.lines.end)
    passage = next(inside, None)
    return place_in_file(source, passage, material.language) if passage else ""
