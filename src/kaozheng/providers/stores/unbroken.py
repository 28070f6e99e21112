"""Database work that goes on to its end although its caller is cancelled.

A transaction that is cut in the middle keeps the file locked for everybody, the one who wants to write down that the
run was stopped included.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound="HasUnbroken")


class Unbroken:
    """The work of one store that is under way."""

    def __init__(self) -> None:
        self._under_way: set[asyncio.Task[Any]] = set()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`. A cancelled caller leaves at once, the work stays."""
        task = asyncio.ensure_future(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    async def settle(self) -> None:
        """Wait for what cancelled callers left under way; nobody is there any more to be told of its errors."""
        await asyncio.gather(*self._under_way, return_exceptions=True)


class HasUnbroken(Protocol):
    """A store whose methods may be marked `to_its_end`."""

    unbroken: Unbroken


Method = Callable[Concatenate[S, P], Coroutine[Any, Any, T]]


def to_its_end(method: Method[S, P, T]) -> Method[S, P, T]:
    """Let each call of the method end whatever becomes of its caller."""

    @wraps(method)
    async def whole(self: S, *args: P.args, **named: P.kwargs) -> T:
        return await self.unbroken.run(method(self, *args, **named))

    return cast("Method[S, P, T]", whole)
