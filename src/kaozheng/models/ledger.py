"""Answers that were paid for are kept, so that a resumed run never pays twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from kaozheng.models.messages import Call, Completion, Delta, Finish
from kaozheng.models.model import Model, OnDelta


class Ledger(Protocol):
    """Where finished answers of runs are kept. Both methods may raise StorageError."""

    async def get(self, run_id: str, fingerprint: str) -> Completion | None:
        """The kept answer, or None."""
        ...

    async def put(self, run_id: str, fingerprint: str, call: Call, completion: Completion) -> None:
        """Keep an answer; it is on disk when this returns. The same key again replaces."""
        ...


class Ledgered:
    """Answers from the ledger what this run has already had answered; keeps each new answer before handing it on.

    Not kept: cut, filtered and blank answers. They are of no use to a step, and a resumed run that read them
    back could never do better than the first time.
    """

    def __init__(self, model: Model, ledger: Ledger, run_id: str) -> None:
        self._model = model
        self._ledger = ledger
        self._run_id = run_id

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        fingerprint = call.fingerprint()
        kept = await self._ledger.get(self._run_id, fingerprint)
        if kept is not None:
            if on_delta:
                on_delta(Delta(kept.text, kept.reasoning, tool="".join(call.arguments for call in kept.tool_calls)))
            return replace(kept, replayed=True)
        completion = await self._model.complete(call, on_delta)
        if _worth_keeping(completion):
            await self._ledger.put(self._run_id, fingerprint, call, completion)
        return completion


def _worth_keeping(completion: Completion) -> bool:
    if completion.finish is Finish.TOOL_CALLS:
        return bool(completion.tool_calls)
    return completion.finish in (Finish.STOP, Finish.LENGTH) and bool(completion.text.strip())
