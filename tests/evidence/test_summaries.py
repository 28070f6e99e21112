"""The case files of what carries, loses and repeats statements, by the code's author."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kaozheng.evidence.covering import MOST_QUOTES, Covering
from kaozheng.evidence.key_statements import key_statements
from kaozheng.evidence.losing import lost
from kaozheng.evidence.repetition import repeated
from kaozheng.evidence.support import Supporter
from kaozheng.sources.material import Material, build_material
from kaozheng.sources.source import Reading, Source

HERE = Path(__file__).parent


def cases(name: str) -> list[Any]:
    given = yaml.safe_load((HERE / f"{name}_own.yml").read_text(encoding="utf-8"))
    return [pytest.param(case, id=case["name"]) for case in given]


def material(text: str) -> Material:
    return build_material(Reading([Source.of(text, "text.md", "S1")], []))


@pytest.mark.parametrize("case", cases("covering"))
def test_covering(case: dict[str, Any]) -> None:
    found = Covering(Supporter(material(case["text"]).passages)).of(case["sentence"], case.get("marked", []))
    quotes = [evidence.quote for evidence in found]
    assert bool(quotes) == bool(case["quotes"]), quotes
    assert all(any(part in quote for quote in quotes) for part in case["quotes"]), quotes
    assert len(quotes) <= case.get("most", MOST_QUOTES)
    assert all(evidence.holds_in(case["text"]) for evidence in found)
    if "passages" in case:
        assert [evidence.passage for evidence in found] == case["passages"]


@pytest.mark.parametrize("case", cases("losing"))
def test_losing(case: dict[str, Any]) -> None:
    text = material(case["text"])
    losses = lost(key_statements(text.passages, text.language), case["summary"])
    told = [
        "all"
        if loss.missing == loss.statement.facts and len(loss.missing) > 1
        else ",".join(f"{fact.kind}:{fact.text}" for fact in loss.missing)
        for loss in losses
    ]
    assert told == case["missing"]


@pytest.mark.parametrize("case", cases("repetition"))
def test_repetition(case: dict[str, Any]) -> None:
    assert repeated(case["sentences"]) == case["repeated"]
