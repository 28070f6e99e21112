"""LedgerEntry: an answer that a model gave, kept so that a resumed run never pays for it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """An answered call of a run: the call's fingerprint and purpose, the completion as JSON, the time in ISO UTC."""

    fingerprint: str
    purpose: str
    completion: dict[str, Any]
    at: str
