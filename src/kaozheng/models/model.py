"""The model port: one method, so that a wrapper is a model too and adds exactly one behaviour."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from kaozheng.models.messages import Call, Completion, Delta

OnDelta = Callable[[Delta], None]


class Model(Protocol):
    """Answers calls. Providers and wrappers alike satisfy it.

    The order that wiring builds, outermost first:
    `Classified(Continuing(Metered(Ledgered(Budgeted(Retrying(Limited(Limited(Timed(Unlooped(provider))))))))))`: each
    part of a continued answer is a call of its own, a replay costs no budget, waiting between attempts holds no slot,
    waiting for a slot is not timed as silence of the model. The outer limit is the run's, the inner one the process's.
    """

    @property
    def name(self) -> str:
        """The model's name as the provider knows it."""
        ...

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        """Answer the call; pieces go to `on_delta` as they arrive. Raises ModelError and its kinds, nothing else."""
        ...
