"""The models' Ledger kept in the journal: completions as JSON objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from kaozheng.journal import LedgerEntry, RunStore
from kaozheng.models.messages import Call, Completion, Finish
from kaozheng.models.tool_call import ToolCall
from kaozheng.models.usage import Usage


class JournalLedger:
    """Answers of runs in their journal. An entry that this version cannot read counts as none: it is asked again."""

    def __init__(self, journal: RunStore, now: Callable[[], datetime]) -> None:
        self._journal = journal
        self._now = now

    async def known(self, run_id: str) -> set[str]:
        """The fingerprints of all entries, those that cannot be read any more included."""
        return await self._journal.answered(run_id)

    async def get(self, run_id: str, fingerprint: str) -> Completion | None:
        """The kept answer."""
        entry = await self._journal.get_answer(run_id, fingerprint)
        return _completion(entry.completion) if entry else None

    async def put(self, run_id: str, fingerprint: str, call: Call, completion: Completion) -> None:
        """Keep an answer; of the call only its purpose is kept, no prompt."""
        kept = {**asdict(completion), "finish": completion.finish.value}
        del kept["replayed"]
        # Exact: a fork takes the answers that were there when its checkpoint was made, and steps are fast.
        at = self._now().isoformat(timespec="microseconds")
        await self._journal.put_answer(run_id, LedgerEntry(fingerprint, call.purpose, kept, at))


def _completion(kept: dict[str, Any]) -> Completion | None:
    try:
        calls = tuple(ToolCall(**one) for one in kept.get("tool_calls", ()))
        read = {"finish": Finish(kept["finish"]), "usage": Usage(**kept["usage"]), "tool_calls": calls}
        return Completion(**{**kept, **read})
    except (KeyError, TypeError, ValueError):
        return None
