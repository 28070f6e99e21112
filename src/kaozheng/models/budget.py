"""What a run may spend at most, and the wrapper that stops before the limit is passed, or at it in mid-answer."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.errors import BudgetReachedError
from kaozheng.models.messages import Call, Completion, Delta
from kaozheng.models.model import Model, OnDelta
from kaozheng.models.prices import Prices
from kaozheng.models.usage import Usage

OnReached = Callable[[str, str], None]
"""Told once, with the purpose that was stopped and what was reached."""
_USED: Final = re.compile(r"(\S+) are used; ")
_UNITS: Final = frozenset({"calls", "tokens", "seconds"})
_WEIGHED_CHARS: Final = 256
"""Estimates are made for pieces of this size: each delta alone would round up and cost time."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one run; None is no limit. `seconds` counts from the start or resumption of the run, `money` is in the
    currency of the price table."""

    tokens: int | None = None
    calls: int | None = None
    seconds: float | None = None
    money: float | None = None


def limits_in(reasons: Iterable[str]) -> list[str]:
    """Which limits these reasons of `BudgetReachedError` say were reached: "calls", "tokens", "seconds", "money"."""
    units = [found[1] for reason in reasons if (found := _USED.search(reason))]
    return sorted({unit if unit in _UNITS else "money" for unit in units})


class Budgeted:
    """Refuses calls that may not start any more, with BudgetReachedError that says which limit was reached; calls under
    way are broken off when the time is up, or when the tokens (or their price) estimated so far pass the limit.

    A call counts when it starts, so that parallel calls cannot pass a limit together; tokens count as the provider says
    when they come back, and as estimated while they stream. What a broken-off call had said is counted as estimated.
    `spent` is what the run had used before it was resumed. With a `money` limit the model must have a price.
    """

    def __init__(
        self,
        model: Model,
        budget: Budget,
        clock: Callable[[], float] = time.monotonic,
        spent: Usage | None = None,
        prices: Prices | None = None,
        on_reached: OnReached | None = None,
    ) -> None:
        self._model = model
        self._account = _Account(budget, clock, spent or Usage(), prices, on_reached)
        self._account.money = self._account.price(model.name, self._account.spent)

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def spent(self) -> Usage:
        """All that was used so far, what came before the resumption included."""
        return self._account.spent

    @property
    def money(self) -> float:
        """What that cost by the price table; 0 without one."""
        return self._account.money

    def also(self, model: Model) -> Budgeted:
        """Another model of the same run that draws on the same budget."""
        other = Budgeted.__new__(Budgeted)
        other._model = model
        other._account = self._account
        return other

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        account = self._account
        account.admit(call)
        heard = _Heard(account, self.name, call, on_delta)
        timer = asyncio.timeout(account.left_s())
        try:
            async with timer:
                completion = await self._model.complete(call, heard)
        except TimeoutError as error:
            if not timer.expired():
                raise
            raise account.out_of_time(call) from error
        else:
            heard.paid = completion.usage
            return completion
        finally:
            heard.close()


class _Account:
    """The run's running total; the one place that changes while calls come and go."""

    def __init__(
        self,
        budget: Budget,
        clock: Callable[[], float],
        spent: Usage,
        prices: Prices | None,
        on_reached: OnReached | None,
    ) -> None:
        self._budget = budget
        self._clock = clock
        self._began = clock()
        self._prices = prices
        self._on_reached = on_reached
        self.spent = spent
        self.money = 0.0
        self.streaming = Usage()
        self.streaming_money = 0.0

    @property
    def weighs(self) -> bool:
        """Whether what streams has to be estimated at all."""
        return self._budget.tokens is not None or self._budget.money is not None

    @property
    def counts_money(self) -> bool:
        return self._budget.money is not None

    def price(self, model: str, usage: Usage) -> float:
        return self._prices.cost(model, usage) if self._prices else 0.0

    def left_s(self) -> float | None:
        """Seconds of wall time that are left; None is no limit."""
        return None if self._budget.seconds is None else self._budget.seconds - (self._clock() - self._began)

    def admit(self, call: Call) -> None:
        elapsed_s = self._clock() - self._began
        for limit, used, unit in (
            (self._budget.calls, self.spent.calls, "calls"),
            (self._budget.tokens, self.spent.tokens, "tokens"),
            (self._budget.seconds, elapsed_s, "seconds"),
            (self._budget.money, self.money, self._currency()),
        ):
            if limit is not None and used >= limit:
                raise self._reached(call, f"{used:.10g} of {limit:.10g} {unit} are used; {call.purpose} was not asked")
        self.spent += Usage(calls=1)

    def check(self, call: Call) -> None:
        """Raises BudgetReachedError when what came back and what streams at this moment pass a limit together."""
        for limit, used, unit in (
            (self._budget.tokens, self.spent.tokens + self.streaming.tokens, "tokens"),
            (self._budget.money, self.money + self.streaming_money, self._currency()),
        ):
            if limit is not None and used > limit:
                said = f"about {used:.10g} of {limit:.10g} {unit} are used; {call.purpose} was stopped in mid-answer"
                raise self._reached(call, said)

    def out_of_time(self, call: Call) -> BudgetReachedError:
        seconds = self._budget.seconds or 0.0
        return self._reached(call, f"{seconds:.10g} seconds are used; {call.purpose} was stopped in mid-answer")

    def book(self, model: str, usage: Usage) -> None:
        self.spent += Usage(usage.input_tokens, usage.output_tokens, usage.cached_tokens, 0, usage.estimated)
        self.money += self.price(model, usage)

    def _currency(self) -> str:
        return self._prices.currency if self._prices else "money"

    def _reached(self, call: Call, said: str) -> BudgetReachedError:
        if self._on_reached:
            self._on_reached(call.purpose, said)
            self._on_reached = None  # the calls that follow meet the same limit
        return BudgetReachedError(said)


class _Heard:
    """One call's deltas, weighed as they come; what they weigh is part of the account while the call is under way."""

    def __init__(self, account: _Account, model: str, call: Call, on_delta: OnDelta | None) -> None:
        self.paid: Usage | None = None
        self._account = account
        self._model = model
        self._call = call
        self._on_delta = on_delta
        self._pieces: list[str] = []
        self._size = 0
        self._weighed = Usage()

    def __call__(self, delta: Delta) -> None:
        if self._on_delta:
            self._on_delta(delta)
        if text := delta.heard:
            self._pieces.append(text)
            self._size += len(text)
            if self._size >= _WEIGHED_CHARS and self._account.weighs:
                self._weigh()
                self._account.check(self._call)

    def close(self) -> None:
        """The estimate leaves the account; what was paid, or the estimate of what was heard, stays in it."""
        account = self._account
        if self.paid is None and self._pieces:
            self._weigh()
        account.streaming = Usage(
            account.streaming.input_tokens - self._weighed.input_tokens,
            account.streaming.output_tokens - self._weighed.output_tokens,
        )
        if account.counts_money:
            account.streaming_money -= account.price(self._model, self._weighed)
        account.book(self._model, self.paid or self._weighed)

    def _weigh(self) -> None:
        said = estimate_tokens("".join(self._pieces))
        asked = 0 if self._weighed.input_tokens else estimate_tokens(self._call.prompt())
        new = Usage(asked, said, estimated=True)
        self._pieces, self._size = [], 0
        self._weighed += new
        self._account.streaming += new
        if self._account.counts_money:
            self._account.streaming_money += self._account.price(self._model, new)
