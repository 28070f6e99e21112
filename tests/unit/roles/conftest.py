from __future__ import annotations

from collections.abc import Callable

import pytest

from kaozheng.sources.material import Material, build_material
from kaozheng.sources.source import Reading, Source

MaterialOf = Callable[..., Material]


@pytest.fixture
def material_of() -> MaterialOf:
    """A material from texts, keyed by path: `material_of({"a.md": "# …"})`."""

    def build(texts: dict[str, str], language: str | None = None) -> Material:
        sources = [Source.of(text, path, f"S{place}") for place, (path, text) in enumerate(texts.items(), start=1)]
        return build_material(Reading(sources, []), language)

    return build
