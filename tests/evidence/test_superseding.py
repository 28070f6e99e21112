"""Values that a later statement changes, and what is no such change."""

from __future__ import annotations

import pytest

from kaozheng.documents.span import LineRange, Span
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.superseding import superseded


def found(*texts: str) -> list[tuple[str, str]]:
    items = (
        EvidenceItem(f"E{at}", "kb", f"{at}.md", "", (), LineRange(1, 1), Span(0, len(text)), text)
        for at, text in enumerate(texts, 1)
    )
    return [(older[1], newer[1]) for _, newer, older in superseded(EvidenceBundle(tuple(items), "ok"))]


@pytest.mark.parametrize(
    ("older", "newer", "values"),
    [
        ("服务费 0.40 元/千瓦时。", "服务费自 8 月 1 日起降至 0.35 元/千瓦时。", ("0.40 元/千瓦时", "0.35 元/千瓦时")),
        ("变压器预计 7 月 20 日到货。", "变压器到货时间推迟到 8 月 5 日。", ("7 月 20 日", "8 月 5 日")),
        ("The parking fee is 5 USD.", "The parking fee is raised from 5 USD to 8 USD.", ("5 USD", "8 USD")),
    ],
)
def test_the_older_value_is_found_beside_the_newer_one(older: str, newer: str, values: tuple[str, str]) -> None:
    assert found(older, newer) == [values]
    assert found(newer, older) == [values]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("停车费 5 元/小时。", "服务费自 8 月 1 日起降至 0.35 元/千瓦时。"),
        ("停车费每次 5 元。", "服务费降至 3 元。"),
        ("服务费 0.35 元/千瓦时。", "服务费降至 0.35 元/千瓦时。"),
        ("2021 年粮食产量为 4 万吨。", "2023 年粮食产量由 5 万吨增加到 6 万吨。"),
        ("服务费 0.40 元/千瓦时。", "服务费 0.35 元/千瓦时。"),
    ],
)
def test_other_things_other_years_and_the_same_value_are_no_change(older: str, newer: str) -> None:
    assert found(older, newer) == []
