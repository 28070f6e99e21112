"""The labels of a document: those that were said, else those of its front matter, else those that it had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from kaozheng.documents.frontmatter import read_front_matter
from kaozheng.sources.index import LABELS, Labels
from kaozheng.sources.source import Source

LABEL_CHARS: Final = 200
_SHORT: Final = {"data_type": "type", "data_period": "period"}


def labels_of(said: Mapping[str, str], source: Source, before: Labels) -> Labels:
    """`said` are labels by their names, `before` those that the document had; "" in `said` takes a label away."""
    return Labels(**{**asdict(before), **_of_front_matter(source), **said})


def _of_front_matter(source: Source) -> dict[str, str]:
    front = read_front_matter(source.text) if source.is_markdown and not source.made_from else None
    given = front.data if front else {}
    found = {name: _word(given.get(name, given.get(_SHORT.get(name, name)))) for name in LABELS}
    return {name: word for name, word in found.items() if word}


def _word(value: Any) -> str:
    """A value of YAML as a label: one line; lists and mappings are none."""
    if value is None or isinstance(value, dict | list | bool):
        return ""
    return " ".join(str(value).split())[:LABEL_CHARS]
