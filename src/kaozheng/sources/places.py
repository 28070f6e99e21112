"""Pages, slides and sheets in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kaozheng.documents.code_span import code_span
from kaozheng.sources.source import Place

_WORDS: Final = {
    "page": ("第 {} 页", "page {}", "pages {}"),
    "slide": ("第 {} 张幻灯片", "slide {}", "slides {}"),
    "sheet": ("工作表 {}", "sheet {}", "sheets {}"),
}

_NAMED = re.compile(
    r"pages? \d+(?:–\d+)?|slides? \d+(?:–\d+)?|sheets? `.+|第 \d+(?:–\d+)? (?:页|张幻灯片)|工作表 `.+", re.DOTALL
)


def is_place(text: str) -> bool:
    """Whether these are the words of `named`."""
    return bool(_NAMED.fullmatch(text))


def named(places: Sequence[Place], language: str) -> str:
    """Neighbouring places, at least one: `第 3–4 页` (zh) or `pages 3–4` (en), `工作表 `经济``."""
    first, last = places[0], places[-1]
    chinese, one, several = _WORDS[first.kind]
    names = [code_span(place.name) if place.kind == "sheet" else place.name for place in (first, last)]
    where = names[0] if first == last else "–".join(names)
    return (chinese if language == "zh" else one if first == last else several).format(where)
