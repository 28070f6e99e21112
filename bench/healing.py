"""Tokens for each healed violation: line replacements against sending the whole draft and taking a whole draft back.

Both ways get the same violations from the same checks and need the same rounds; only what is sent and answered differs.
"""

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
_CLEAN = "这一段没有问题，它只是让文档有通常的长度。总馆与分馆的记录每天核对一次，结果写入当天的日志。"
_LINES = (0, 250, 1000)


def measure() -> Iterator[Row]:
    case = _case()
    seeded = case.DRAFT
    for more in _LINES:
        head, _, notes = seeded.rpartition("\n[^1]:")
        case.DRAFT = head + "\n" + f"{_CLEAN}\n\n" * (more // 2) + "\n[^1]:" + notes
        yield _row(case)
    case.DRAFT = seeded


def _row(case: Any) -> Row:
    model = ScriptedModel(case.Reviser())
    state, artifacts, healed = asyncio.run(case.heal(model))
    mended = case.violations(case.DRAFT).total() - case.violations(healed).total()
    calls = [call for call in model.calls if call.role == "reviser"]
    verdicts = [one for log in asyncio.run(case.logs(state, artifacts)) for one in log["replacements"]]
    ours = sum(estimate_tokens(call.prompt()) for call in calls)
    ours += sum(estimate_tokens(str(one)) for one in verdicts)
    draft = estimate_tokens(case.DRAFT)
    rounds = len(state["revision_log"])
    rules = sum(estimate_tokens(call.prompt()[: call.prompt().index("<draft>")]) for call in calls)
    rewriting = rounds * 2 * draft + rules
    landed = sum(one["accepted"] for one in verdicts)
    return Row(
        f"tokens a healed violation, draft of {len(case.DRAFT.splitlines())} lines",
        f"{ours / mended:.0f} ({mended} of 60 healed, {landed} of {len(verdicts)} replacements landed)",
        f"whole-document rewriting {rewriting / mended:.0f}",
        f"{ours / rewriting:.2f}",
    )


def _case() -> Any:
    """The seeded draft, its rule book and its reviser, as the test has them."""
    spec = importlib.util.spec_from_file_location("healing_case", _CASE)
    assert spec
    assert spec.loader
    case = importlib.util.module_from_spec(spec)
    sys.modules["healing_case"] = case
    spec.loader.exec_module(case)
    return case
