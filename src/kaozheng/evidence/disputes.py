"""The contradictions of a material: as the report keeps them, and as the footnotes of the document tell them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from kaozheng.documents.code_span import code_span
from kaozheng.evidence.contradictions import find_contradictions
from kaozheng.evidence.file_places import place_in_file
from kaozheng.sources.material import Material

_MOST_TOLD: Final = 3


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


def disputed(
    notes: Sequence[str], table: Mapping[str, str], material: Material, found: list[dict[str, Any]]
) -> list[str]:
    """The footnotes, those of disputed passages with the other values: a reader of the document alone must not take one
    for settled. `table` leads from label to passage id."""
    others: dict[str, list[str]] = {}
    for label, id in table.items():
        passage = material.passage(id)
        path = material.source(passage.source).path
        for one in found:
            here = [
                at
                for at in one["places"]
                if at["path"] == path and passage.lines.start <= at["line"] <= passage.lines.end
            ]
            values = {at["value"] for at in here}
            other = [at for at in one["places"] if at["value"] not in values] if here else []
            others.setdefault(label, []).extend(_told(at, material.language) for at in other)
    return [note + _suffix(others.get(_label(note), ()), material.language) for note in notes]


def _label(note: str) -> str:
    return note[2 : note.index("]")]


def _told(place: Mapping[str, Any], language: str) -> str:
    zh = language == "zh"
    where = place.get("where") or (f"第 {place['line']} 行" if zh else f"line {place['line']}")
    value, path = code_span(" ".join(place["value"].split())), code_span(place["path"])
    return f"{path}（{where}）作 {value}" if zh else f"{path} ({where}) has {value}"


def _suffix(told: Sequence[str], language: str) -> str:
    if not told:
        return ""
    shown = list(dict.fromkeys(told))[:_MOST_TOLD]
    return f"；说法不一：{'，'.join(shown)}" if language == "zh" else f"; disputed: {', '.join(shown)}"
