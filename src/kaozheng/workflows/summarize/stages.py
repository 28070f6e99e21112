"""Stages of a summary with their calls and tokens, and how far a budget leads through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stage:
    """What one stage takes. `blocks`: how many things it makes. `calls` are planned, `calls_at_most` with all that may
    be asked again. `input_tokens`: what the planned calls read; above level 0 that is the most, since it is made of
    summaries that may be shorter than their limits. `output_tokens`: the most that they say."""

    name: str
    blocks: int
    calls: int
    calls_at_most: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Reached:
    """How many of a stage's planned calls a budget is enough for. A stage without planned calls is reached when all
    before it are whole and something is left."""

    name: str
    calls: int
    planned: int
    whole: bool


def reached(stages: Sequence[Stage], calls: int | None, tokens: int | None) -> list[Reached]:
    """Spends the budget stage by stage. Calls of a stage are taken to be of one size; None is no limit."""
    found = []
    open_so_far = True
    for stage in stages:
        able = stage.calls if open_so_far else 0
        cost = stage.input_tokens + stage.output_tokens
        if calls is not None:
            able = min(able, calls)
        if tokens is not None and cost:
            able = min(able, tokens * stage.calls // cost)
        if calls is not None:
            calls -= able
        if tokens is not None and stage.calls:
            tokens -= -(-cost * able // stage.calls)
        spent = calls == 0 or tokens == 0
        open_so_far = open_so_far and able == stage.calls and not (spent and not stage.calls)
        found.append(Reached(stage.name, able, stage.calls, open_so_far))
    return found
