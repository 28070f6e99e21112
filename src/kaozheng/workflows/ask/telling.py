"""AskEvent: what whoever asked is told while the answer comes into being, and in which order.

progress* (with `live_progress`: a step of the graph began or ended); start once, before the first text; delta*; ready
(the result and its A2UI messages); the rest as delta, or replace with the whole, or the whole as delta; warning*; and
exactly one end: done or error. The deltas after the last replace, joined, are always the answer of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["progress", "start", "delta", "replace", "ready", "warning", "done", "error"]
TERMINAL: frozenset[Kind] = frozenset({"done", "error"})


@dataclass(frozen=True, slots=True)
class AskEvent:
    """The `seq`th event of an answer, counted from 1. `data` is plain JSON: progress {step, state, seconds?, …}; start
    {}; delta and replace {text}; ready {result, a2ui}; warning {code, message}; done {interaction, session, timings,
    usage}; error {code, message}. The text of a replace counts as the first delta after it."""

    kind: Kind
    data: dict[str, Any]
    seq: int


OnAskEvent = Callable[[AskEvent], None]
"""Called once an event, at once, in the event loop of the answer."""
