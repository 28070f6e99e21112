"""Runs the case files: each case judges one text with one check alone.

cases/ was written by the author of the checks, before them; blind/ by somebody who never saw their code. Cases whose
expectation goes against the agreed description of a check stand, with the reason, in disputed.yml and are not run.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kaozheng.documents.document import Document
from kaozheng.rules.book import split_policy
from kaozheng.rules.engine import fix, inspect
from kaozheng.rules.registry import CHECKS
from kaozheng.rules.rule import Rule

HERE = Path(__file__).parent
MOST_DISPUTED = 0.05


def load(folder: str) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """(slug, number from 1, case) of every case of a folder."""
    for path in sorted((HERE / folder).glob("*.yml")):
        for number, case in enumerate(yaml.safe_load(path.read_text("utf-8")), 1):
            yield path.stem, number, case


def disputed() -> dict[str, str]:
    """Reasons by `folder/slug#number`."""
    path = HERE / "disputed.yml"
    return yaml.safe_load(path.read_text("utf-8")) or {} if path.exists() else {}


def parameters() -> Iterator[Any]:
    reasons = disputed()
    for folder in ("cases", "blind"):
        for slug, number, case in load(folder):
            name = f"{folder}/{slug}#{number}"
            marks = [pytest.mark.skip(reason=reasons[name])] if name in reasons else []
            yield pytest.param(slug, case, id=name, marks=marks)


@pytest.mark.parametrize(("slug", "case"), list(parameters()))
def test_case(slug: str, case: dict[str, Any]) -> None:
    text = case["pass"] if "pass" in case else case["fail"]
    settings, policy = split_policy(case.get("settings", {}))
    rule = Rule("1.1", "", CHECKS[slug].family, check=slug, settings=settings, fix=policy)
    document = Document.of(text)
    found = inspect(document, [rule], case.get("lang"))
    seen = [(violation.quote, violation.message) for violation in found]
    if "pass" in case:
        assert not seen
    else:
        assert seen
        assert "count" not in case or len(found) == case["count"], seen
    if "fixed" in case:
        assert fix(document, [rule], unsafe=True, language=case.get("lang")).text == case["fixed"]


def test_every_check_has_cases_of_both_kinds() -> None:
    kinds: dict[str, set[bool]] = {}
    for slug, _, case in load("cases"):
        kinds.setdefault(slug, set()).add("pass" in case)
    assert kinds == {slug: {True, False} for slug in CHECKS}


def test_few_cases_are_disputed() -> None:
    names = {f"blind/{slug}#{number}" for slug, number, _ in load("blind")}
    assert set(disputed()) <= names
    assert len(disputed()) <= MOST_DISPUTED * len(names)
