"""Answers that were paid for are kept, so that a resumed run never pays twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from kaozheng.models.messages import Call, Completion, Delta, Finish
from kaozheng.models.model import Model, OnDelta


class Ledger(Protocol):
    """Where finished answers of runs are kept. Each method may raise StorageError."""

    async def known(self, run_id: str) -> set[str]:
        """The fingerprints of all answers that this run has."""
        ...

    async def get(self, run_id: str, fingerprint: str) -> Completion | None:
        """The kept answer, or None."""
        ...

    async def put(self, run_id: str, fingerprint: str, call: Call, completion: Completion) -> None:
        """Keep an answer; it is on disk when this returns. The same key again replaces."""
        ...


class Ledgered:
    """Answers from the ledger what this run has already had answered; keeps each new answer before handing it on.

    A run is worked on by one process at a time, so what is there is read once: calls that were never answered (in a new
    run, all of them) need not ask the disk.

    Not kept: cut, filtered and blank answers. They are of no use to a step, and a resumed run that read them
    back could never do better than the first time.
    """

    def __init__(self, model: Model, ledger: Ledger, run_id: str) -> None:
        self._model = model
        self._ledger = ledger
        self._run_id = run_id
        self._known: set[str] | None = None

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        fingerprint = call.fingerprint()
        known = await self._fingerprints()
        kept = await self._ledger.get(self._run_id, fingerprint) if fingerprint in known else None
        if kept is not None:
            if on_delta:
                on_delta(Delta(kept.text, kept.reasoning, tool="".join(call.arguments for call in kept.tool_calls)))
            return replace(kept, replayed=True)
        completion = await self._model.complete(call, on_delta)
        if _worth_keeping(completion):
            known.add(fingerprint)  # first: a caller that is cancelled now leaves the write to its end
            await self._ledger.put(self._run_id, fingerprint, call, completion)
        return completion

    async def _fingerprints(self) -> set[str]:
        if self._known is None:
            found = await self._ledger.known(self._run_id)
            # Parallel first calls read it together; one of them may have added to it since.
            self._known = found if self._known is None else self._known | found
        return self._known


def _worth_keeping(completion: Completion) -> bool:
    if completion.finish is Finish.TOOL_CALLS:
        return bool(completion.tool_calls)
    return completion.finish in (Finish.STOP, Finish.LENGTH) and bool(completion.text.strip())
