"""From the async core to plain functions, and the listener that a caller may hand in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from kaozheng.journal import Event


OnEvent = Callable[["Event"], None]


T = TypeVar("T")


def run_sync(work: Coroutine[Any, Any, T]) -> T:
    """Run to its end; inside a running loop (a notebook) in a thread with a loop of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
