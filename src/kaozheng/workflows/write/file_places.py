"""Where a passage of a converted file stands in the file itself: page, slide, sheet, or the heading above it."""

from __future__ import annotations

from kaozheng.sources.passage import Passage
from kaozheng.sources.places import named
from kaozheng.sources.source import Source


def place_in_file(source: Source, passage: Passage, language: str) -> str:
    """`第 3–4 页` (zh) or `pages 3–4` (en), `工作表 `经济``, `“背景”一节`; "" where nothing is known, as at the head
    of a Word file without headings."""
    places = source.places_at(passage.span.start, passage.span.end)
    if places:
        return named(places, language)
    if not passage.path:
        return ""
    return f"“{passage.path[-1]}”一节" if language == "zh" else f"section “{passage.path[-1]}”"
