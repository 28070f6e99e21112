"""Where a passage of a converted file stands in the file itself: page, slide, sheet, or the heading above it."""

from __future__ import annotations

from typing import Final

from kaozheng.documents.code_span import code_span
from kaozheng.sources.passage import Passage
from kaozheng.sources.source import Place, Source

_WORDS: Final = {
    "page": ("第 {} 页", "page {}", "pages {}"),
    "slide": ("第 {} 张幻灯片", "slide {}", "slides {}"),
    "sheet": ("工作表 {}", "sheet {}", "sheets {}"),
}


def place_in_file(source: Source, passage: Passage, language: str) -> str:
    """`第 3–4 页` (zh) or `pages 3–4` (en), `工作表 `经济``, `“背景”一节`; "" where nothing is known, as at the head
    of a Word file without headings."""
    places = source.places_at(passage.span.start, passage.span.end)
    if places:
        return _named(places, language)
    if not passage.path:
        return ""
    return f"“{passage.path[-1]}”一节" if language == "zh" else f"section “{passage.path[-1]}”"


def _named(places: tuple[Place, ...], language: str) -> str:
    first, last = places[0], places[-1]
    chinese, one, several = _WORDS[first.kind]
    names = [code_span(place.name) if place.kind == "sheet" else place.name for place in (first, last)]
    where = names[0] if first == last else "–".join(names)
    return (chinese if language == "zh" else one if first == last else several).format(where)
