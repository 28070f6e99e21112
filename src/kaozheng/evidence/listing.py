"""Evidence as a model reads it: where it stands, its label, its text without what would pass for a label of ours."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kaozheng.evidence.bundle import EvidenceItem

_LABEL = re.compile(r"(?<!\\)[\[【［](?=\s*\^?E\s*\d+)")


def listed(items: Iterable[EvidenceItem]) -> str:
    """The items, a blank line between them; "" for none."""
    return "\n\n".join(map(_one, items))


def _one(item: EvidenceItem) -> str:
    place = " > ".join(dict.fromkeys((item.title or item.document, *item.path)))
    target = f" <{unlabelled(item.target)}>" if item.target else ""
    return f"({unlabelled(place)}){target}\n[{item.label}] {unlabelled(item.text.strip())}"


def unlabelled(text: str) -> str:
    """`text` with a backslash before all that would pass for a label of ours."""
    return _LABEL.sub(lambda found: "\\" + found[0], text)
