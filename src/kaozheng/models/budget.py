"""What a run may spend at most, and the wrapper that stops before the limit is passed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from kaozheng.errors import BudgetReachedError
from kaozheng.models.messages import Call, Completion
from kaozheng.models.model import Model, OnDelta
from kaozheng.models.usage import Usage


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one run; None is no limit. `seconds` counts from the start or resumption of the run."""

    tokens: int | None = None
    calls: int | None = None
    seconds: float | None = None


class Budgeted:
    """Refuses calls that may not start any more, with BudgetReachedError that says which limit was reached.

    A call counts when it starts, so that parallel calls cannot pass a limit together; tokens count when they
    come back, so the calls under way at that moment may go beyond the token limit. `spent` is what the run
    had used before it was resumed.
    """

    def __init__(
        self,
        model: Model,
        budget: Budget,
        clock: Callable[[], float] = time.monotonic,
        spent: Usage | None = None,
    ) -> None:
        self._model = model
        self._account = _Account(budget, clock, spent or Usage())

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def spent(self) -> Usage:
        """All that was used so far, what came before the resumption included."""
        return self._account.spent

    def also(self, model: Model) -> Budgeted:
        """Another model of the same run that draws on the same budget."""
        other = Budgeted.__new__(Budgeted)
        other._model = model
        other._account = self._account
        return other

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        self._account.admit(call)
        completion = await self._model.complete(call, on_delta)
        self._account.book(completion.usage)
        return completion


class _Account:
    """The run's running total; the one place that changes while calls come and go."""

    def __init__(self, budget: Budget, clock: Callable[[], float], spent: Usage) -> None:
        self._budget = budget
        self._clock = clock
        self._began = clock()
        self.spent = spent

    def admit(self, call: Call) -> None:
        elapsed_s = self._clock() - self._began
        for limit, used, unit in (
            (self._budget.calls, self.spent.calls, "calls"),
            (self._budget.tokens, self.spent.tokens, "tokens"),
            (self._budget.seconds, elapsed_s, "seconds"),
        ):
            if limit is not None and used >= limit:
                raise BudgetReachedError(f"{used:.10g} of {limit:.10g} {unit} are used; {call.purpose} was not asked")
        self.spent += Usage(calls=1)

    def book(self, usage: Usage) -> None:
        self.spent += Usage(usage.input_tokens, usage.output_tokens, usage.cached_tokens, 0, usage.estimated)
