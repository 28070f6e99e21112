"""Work on many things, some at once, whose results come in the order of the things."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")


async def in_order(
    things: Iterable[T], work: Callable[[T], Coroutine[Any, Any, R]], at_once: int
) -> AsyncGenerator[R, None]:
    """The result of each, first things first. Work that nobody waits for any more is cancelled: close the generator."""
    under_way: deque[asyncio.Task[R]] = deque()
    try:
        for thing in things:
            under_way.append(asyncio.ensure_future(work(thing)))
            if len(under_way) >= at_once:
                yield await under_way.popleft()
        while under_way:
            yield await under_way.popleft()
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
