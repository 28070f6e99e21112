"""Units as heads, titles and cells of tables write them: （亿元）, 单位：万元、%, 万元/人."""

from __future__ import annotations

import re
from typing import Final

from kaozheng.documents.units import SCALES, UNITS, unit_named
from kaozheng.evidence.folding import narrow

INDEX: Final = "上年=100"
"""The unit of an index on the year before."""
_NO_UNITS: Final = frozenset("县市省镇乡国校班局级期届位名年月") | {"季度", "x", "X", "-"}
"""Units in prose that say something else in a bracket of a table: 各县（市）, 人均（名）."""
_UNMEASURED: Final = frozenset(
    ("吨标准煤", "吨标煤", "千克标准煤", "公斤标准煤", "标准立方米", "标准箱", "标台", "床", "学时", "件次")
)
"""Units that have no measure of their own in `documents.units`."""
_SAID: Final = re.compile(r"(?:计\s*量\s*)?单\s*位\s*[:：]\s*(?P<units>[^()（）\n]*)")
_BETWEEN: Final = re.compile(r"[、，,;；和及]+")


def unit_label(text: str) -> str:
    """The unit that a text is, in its plain form, "" when it is none: ％ is %, 亿 元 is 亿元."""
    label = "".join(narrow(text).split()).replace("百分比", "%").removeprefix("单位:")
    if label in ("上年=100", "以上年为100", "上年同期=100"):
        return INDEX
    if not label or label in _NO_UNITS or label in SCALES or len(label) > 12:
        return ""
    if unit_named(label).dimension:
        return label
    per, _, base = label.partition("/")
    parts = [part for part in (per, base) if part]
    return label if parts and all(map(_is_like_a_unit, parts)) else ""


def _is_like_a_unit(label: str) -> bool:
    """With a scale or without: 万吨标准煤."""
    base = next((label[len(scale) :] for scale in SCALES if label.startswith(scale) and label != scale), label)
    return base not in _NO_UNITS and (base in UNITS or label in UNITS or base in _UNMEASURED)


def units_said(text: str) -> tuple[str, ...]:
    """All units that a line says behind 单位：, as they are written; those that are none are among them."""
    found = _SAID.search(text)
    if found is None:
        return ()
    parts = [part for part in _BETWEEN.split(found["units"]) if part.strip()]
    labels: list[str] = []
    for part in parts:
        spaced = part.split()
        if all(map(unit_label, spaced)):
            labels += spaced
        else:
            labels.append("".join(spaced))
    return tuple(unit_label(label) or label for label in labels)
