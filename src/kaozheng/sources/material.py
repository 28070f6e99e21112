"""The material of a run: all sources, cut into units (for planning) and passages (for evidence)."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import count, groupby
from operator import itemgetter
from typing import Any, cast

from kaozheng.documents.span import LineRange, Span
from kaozheng.sources.passage import Kind, Passage, Unit
from kaozheng.sources.pieces import Part, Title, language_of, pieces_of
from kaozheng.sources.source import Place, Reading, Skipped, Source

__all__ = ["Material", "Passage", "Unit", "build_material"]

_FORMAT = 1
_UNIT_LEVEL = 3
_NOTE = re.compile(r"\[\^([^\]\s]+)\]:")
_REFERENCE = re.compile(r"\[\^([^\]\s]+)\](?!:)")


@dataclass(frozen=True)
class Material:
    """Everything that a document may be written from. `language` is "zh" or "en"."""

    language: str
    sources: list[Source]
    skipped: list[Skipped]
    units: list[Unit]

    def source(self, id: str) -> Source:
        """The source with this id ("S1"). Raises KeyError."""
        return self._sources[id]

    def unit(self, id: str) -> Unit:
        """The unit with this id ("S1#2"). Raises KeyError."""
        return self._units[id]

    def passage(self, id: str) -> Passage:
        """The passage with this id ("S1:12"). Raises KeyError."""
        return self._passages[id]

    @property
    def about_code(self) -> bool:
        """Whether it is an overview of code: its citations are the places in the code that it names."""
        return any(source.about_code for source in self.sources)

    @cached_property
    def passages(self) -> list[Passage]:
        """All passages in the order of their units."""
        return [passage for unit in self.units for passage in unit.passages]

    def to_json(self) -> str:
        """As JSON. Passages are kept as places; their texts stand once, in the sources."""
        return json.dumps(
            {
                "format": _FORMAT,
                "language": self.language,
                "sources": [asdict(source) for source in self.sources],
                "skipped": [asdict(skipped) for skipped in self.skipped],
                "units": [_unit_to_data(unit) for unit in self.units],
            },
            ensure_ascii=False,
        )

    @classmethod
    def from_json(cls, text: str) -> Material:
        """Back from `to_json`. Raises ValueError when the text is not a material in this format."""
        data = json.loads(text)
        if not isinstance(data, dict) or data.get("format") != _FORMAT:
            raise ValueError("not a material, or one in another format")
        sources = [_source_from_data(source) for source in data["sources"]]
        texts = {source.id: source.text for source in sources}
        skipped = [Skipped(**skipped) for skipped in data["skipped"]]
        return cls(data["language"], sources, skipped, [_unit_from_data(unit, texts) for unit in data["units"]])

    @cached_property
    def _sources(self) -> dict[str, Source]:
        return {source.id: source for source in self.sources}

    @cached_property
    def _units(self) -> dict[str, Unit]:
        return {unit.id: unit for unit in self.units}

    @cached_property
    def _passages(self) -> dict[str, Passage]:
        return {passage.id: passage for passage in self.passages}


def build_material(reading: Reading, language: str | None = None) -> Material:
    """Cut every source into units and passages. Without `language` it is the one that most of the text is in."""
    units = [unit for source in reading.sources for unit in _units_of(source)]
    chosen = language or language_of(source.text for source in reading.sources)
    return Material(chosen, list(reading.sources), list(reading.skipped), units)


def _units_of(source: Source) -> Iterator[Unit]:
    """A unit without a passage of its own (a heading right above another) is left out; it lives on in the paths."""
    line_starts = [0, *(match.end() for match in re.finditer("\n", source.text))]
    numbers = count(1)
    for number, ((_, head), items) in enumerate(groupby(_with_notes(source), key=itemgetter(0)), start=1):
        passages = []
        for _, path, part in items:
            start, end = part.span.start, part.span.end
            lines = LineRange(bisect_right(line_starts, start), bisect_right(line_starts, max(start, end - 1)))
            id = f"{source.id}:{next(numbers)}"
            passages.append(Passage(id, source.id, part.span, lines, part.kind, source.text[start:end], path))
        title = head[-1] if head else source.title
        yield Unit(f"{source.id}#{number}", source.id, title, head or (title,), passages)


def _with_notes(source: Source) -> Iterator[_Place]:
    """Each part of the text in its place; the text of a footnote right behind the part that first refers to it: at
    the end of a text, or in another section, it would be a sentence about nothing."""
    places = list(_located(source))
    texts = [source.text[part.span.start : part.span.end] if part.kind != "code" else "" for _, _, part in places]
    defined = {found[1]: number for number, text in enumerate(texts) if (found := _NOTE.match(text))}
    behind: dict[int, list[int]] = {}
    for number, text in enumerate(texts if defined else ()):
        for label in dict.fromkeys(_REFERENCE.findall(text)):
            if label in defined and defined[label] != number:
                behind.setdefault(number, []).append(defined.pop(label))
    moved = {note for notes in behind.values() for note in notes}
    for number, place in enumerate(places):
        if number not in moved:
            yield from _followed(places, place, behind.get(number, ()))


def _followed(places: list[_Place], place: _Place, notes: Iterable[int]) -> Iterator[_Place]:
    head, path, _ = place
    yield place
    for note in notes:
        yield head, path, places[note][2]


_Head = tuple[int, tuple[str, ...]]  # the number of a unit's heading in its source, and the unit's path


_Place = tuple[_Head, tuple[str, ...], Part]


def _located(source: Source) -> Iterator[_Place]:
    """Each part of the text with the unit that it belongs to and the headings above it."""
    above: list[Title] = []
    number = 0
    for piece in pieces_of(source):
        if isinstance(piece, Part):
            head = tuple(title.text for title in above if title.level <= _UNIT_LEVEL)
            yield (number, head), tuple(title.text for title in above), piece
            continue
        while above and above[-1].level >= piece.level:
            above.pop()
        above.append(piece)
        number += piece.level <= _UNIT_LEVEL


def _source_from_data(data: dict[str, Any]) -> Source:
    return Source(**(data | {"places": tuple(Place(**place) for place in data.get("places", ()))}))


def _unit_to_data(unit: Unit) -> list[Any]:
    paths = list(dict.fromkeys(passage.path for passage in unit.passages))
    index = {path: number for number, path in enumerate(paths)}
    rows = [[p.id, p.span.start, p.span.end, p.lines.start, p.lines.end, p.kind, index[p.path]] for p in unit.passages]
    return [unit.id, unit.source, unit.title, unit.path, paths, rows]


def _unit_from_data(data: list[Any], texts: dict[str, str]) -> Unit:
    id, source, title, path, paths, rows = data
    text = texts[source]
    shared = [tuple(path) for path in paths]
    passages = [
        Passage(
            row[0],
            source,
            Span(row[1], row[2]),
            LineRange(row[3], row[4]),
            cast("Kind", row[5]),
            text[row[1] : row[2]],
            shared[row[6]],
        )
        for row in rows
    ]
    return Unit(id, source, title, tuple(path), passages)
