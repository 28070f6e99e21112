"""What a workflow hands to the runner: the end of a run, and the way back into a done one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a finished run hands over: JSON result, exit code (0 clean, 1 with leftovers) and one line for people.

    `result["gaps"]` lists what is missing, `result["failed"]` what a model was asked for in vain: when either is not
    empty, the run may be resumed although it is done.
    """

    result: dict[str, Any] = field(default_factory=dict)
    exit_code: int = 0
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Reopening:
    """How a done run goes on: the values are written as if the step `as_node` had returned them."""

    values: dict[str, Any]
    as_node: str
