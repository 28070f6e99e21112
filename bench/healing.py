"""Tokens sent and received for each healed violation, against sending the whole draft and taking a whole draft back."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.row import Row
from kaozheng.documents.tokens import estimate_tokens
from kaozheng.testing.scripted_model import ScriptedModel

_CASE = Path(__file__).resolve().parents[1] / "tests" / "workflows" / "test_healing.py"


def measure() -> Iterator[Row]:
    spec = importlib.util.spec_from_file_location("healing_case", _CASE)
    assert spec
    assert spec.loader
    case: Any = importlib.util.module_from_spec(spec)
    sys.modules["healing_case"] = case
    spec.loader.exec_module(case)
    model = ScriptedModel(case.Reviser())
    state, artifacts, healed = asyncio.run(case.heal(model))
    mended = case.violations(case.DRAFT).total() - case.violations(healed).total()
    calls = [call for call in model.calls if call.role == "reviser"]
    verdicts = [one for log in asyncio.run(case.logs(state, artifacts)) for one in log["replacements"]]
    answered = sum(estimate_tokens(str(one["content"])) + 30 for one in verdicts)
    ours = sum(estimate_tokens(call.prompt()) for call in calls) + answered
    # Whole-document rewriting: one call a repair round, which reads and writes the draft, and the same violations as text.
    rounds = len(state["revision_log"])
    draft = estimate_tokens(case.DRAFT)
    numbered = [call for call in calls if "<draft>" in call.prompt()]
    overhead = 0
    for call in numbered:
        text = call.prompt()
        overhead += estimate_tokens(text[: text.index("<draft>")])
    rewriting = rounds * 2 * draft + overhead
    landed = sum(one["accepted"] for one in verdicts)
    yield Row(
        "tokens a healed violation (60 seeded)",
        f"{ours / mended:.0f} ({mended} healed, {landed} of {len(verdicts)} replacements landed)",
        f"whole-document rewriting {rewriting / mended:.0f}",
        f"{ours / rewriting:.2f}",
    )
