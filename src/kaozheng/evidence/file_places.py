"""Where a passage stands, in words for the reader: lines, or the page, slide, sheet or section of a converted file."""

from __future__ import annotations

from kaozheng.documents.code_span import code_span
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


def place_told(source: Source, passage: Passage, language: str) -> str:
    """What a footnote says of a passage: `` `path`，第 12–15 行`` (zh) or `` `path`, lines 12–15`` (en); of a converted
    file its page, slide, sheet or section: its lines are those of a text that the user never saw."""
    path = code_span(source.path)
    where = place_in_file(source, passage, language) if source.made_from else _lines(passage, language)
    return path + (("，" if language == "zh" else ", ") + where if where else "")


def _lines(passage: Passage, language: str) -> str:
    start, end = passage.lines.start, passage.lines.end
    where = f"{start}" if start == end else f"{start}–{end}"
    return f"第 {where} 行" if language == "zh" else f"line{'' if start == end else 's'} {where}"
