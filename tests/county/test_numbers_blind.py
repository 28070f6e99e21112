"""What gate 1 takes for a number in sentences of official reports, against what people marked in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml

from kaozheng.documents.units import unit_named
from kaozheng.evidence.folding import narrow
from kaozheng.gates.numbers.claims import Claim, claims
from kaozheng.gates.numbers.figures import figures_of
from kaozheng.gates.numbers.periods import whens
from kaozheng.gates.numbers.said import Said

BLIND: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "numbers_blind.yml").read_text(encoding="utf-8"))
SHARED = Path(__file__).parents[3] / "shared" / "cases" / "numbers_zh.jsonl"
DISPUTED = {"n27"}
"""净增27家 is marked without a direction; for the gate it is a change like any other."""
_EXACT = Decimal("1e-5")
"""How far a value may be off as a share of itself: thirds are written with a few digits."""


def read(text: str) -> list[Claim]:
    plain = narrow(text)
    return claims(Said(plain, figures_of(text), whens(plain, None), (), ()))


def readings(text: str, wanted: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The entry and its alternatives; another surface is the one that overlaps the place of the entry."""
    yield wanted
    for other in wanted.get("alt", ()):
        start, end = wanted["span"]
        if "surface" in other:
            start = text.index(other["surface"], max(0, start - len(other["surface"])))
            end = start + len(other["surface"])
        yield {**wanted, "span": [start, end], **other}


def is_read(claim: Claim, wanted: dict[str, Any]) -> bool:
    number, unit = claim.number, unit_named(wanted["unit"])
    value = Decimal(str(wanted["value"])) * unit.factor
    direction = (1 if claim.value == number.value else -1) if claim.changes else None
    return (
        [number.span.start, number.span.end] == list(wanted["span"])
        and abs(number.value - value) <= abs(value) * _EXACT
        and number.unit == unit.canonical
        and direction == wanted.get("dir")
    )


def misread(text: str, numbers: list[dict[str, Any]]) -> list[str]:
    """What is missing, read as something else, or no number at all."""
    left = read(text)
    faults = []
    for wanted in numbers:
        start, end = wanted["span"]
        touching = [one for one in left if one.number.span.start < end and start < one.number.span.end]
        right = any(is_read(one, reading) for one in touching for reading in readings(text, wanted))
        if not (right and len(touching) == 1) and not wanted.get("optional"):
            found = [f"{one.number.text} = {one.value} {one.number.unit}" for one in touching]
            faults.append(f"{wanted['surface']}: {', '.join(found) or 'not found'}")
        left = [one for one in left if one not in touching]
    return faults + [f"no number: {one.number.text}" for one in left]


@pytest.mark.parametrize("case", BLIND, ids=lambda case: case["id"])
def test_the_numbers_of_a_blind_sentence_are_those_that_people_marked(case: dict[str, Any]) -> None:
    assert misread(case["text"], case["numbers"]) == []


def test_the_numbers_of_the_shared_sentences_are_those_that_people_marked() -> None:
    if not SHARED.exists():
        pytest.skip(f"no shared cases at {SHARED}")
    cases = [json.loads(line) for line in SHARED.read_text(encoding="utf-8").splitlines()]
    wrong = {case["id"]: faults for case in cases if (faults := misread(case["text"], case["numbers"]))}
    assert {name: faults for name, faults in wrong.items() if name not in DISPUTED} == {}
