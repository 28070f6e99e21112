"""What a gate has to say of one place of a draft."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

from kaozheng.documents.span import Span
from kaozheng.indicators.reason import Reason


class Gate(IntEnum):
    """The gates in their order."""

    NUMBERS = 1
    EVIDENCE = 2
    CAUSALITY = 3
    STRUCTURE = 4
    SENSITIVE = 5
    RELEASE = 6


class Action(StrEnum):
    """What follows from a finding."""

    NOTE = "note"  # told, nothing follows
    SEND_BACK = "send_back"  # to be written again, or marked 〔待核〕 when that is of no use
    REWRITE = "rewrite"  # code put milder words there and goes on
    BLOCK = "block"  # nothing leaves
    ASK = "ask"  # a person decides


@dataclass(frozen=True, slots=True)
class GateFinding:
    """One place. `code` is the slug of what is wrong ("number-unmatched"), `span` and `quote` are of the text that the
    gate was given, `replacement` is what stands there afterwards (None: unchanged), `rows` are the rows, policies or
    results concerned."""

    gate: Gate
    code: str
    action: Action
    span: Span
    quote: str
    reason: Reason
    replacement: str | None = None
    rows: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """For reports: plain values only."""
        return {
            "gate": int(self.gate),
            "code": self.code,
            "action": self.action.value,
            "span": [self.span.start, self.span.end],
            "quote": self.quote,
            "reason": {"zh": self.reason.zh, "en": self.reason.en},
            **({"replacement": self.replacement} if self.replacement is not None else {}),
            **({"rows": list(self.rows)} if self.rows else {}),
        }


@dataclass(frozen=True, slots=True)
class GateReport:
    """What one gate found in a text, and the text as it left the gate (other than it came only after REWRITE)."""

    gate: Gate
    findings: tuple[GateFinding, ...]
    text: str

    @property
    def passed(self) -> bool:
        """Whether nothing has to be done about the text."""
        return all(finding.action in (Action.NOTE, Action.REWRITE) for finding in self.findings)
