"""Work beside the event loop: its result, its errors, and what happens to it when nobody wants it any more."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar

import pytest

from kaozheng.aside import aside, is_computing

WHO: ContextVar[str] = ContextVar("WHO", default="")


async def test_it_gives_back_what_the_work_returned_or_raised() -> None:
    assert await aside(divmod, 7, 3) == (2, 1)
    with pytest.raises(ZeroDivisionError):
        await aside(divmod, 7, 0)


async def test_the_loop_is_free_while_it_computes_and_the_context_goes_along() -> None:
    seen, free = threading.Event(), threading.Event()

    def work() -> str:
        seen.set()
        free.wait(10)
        return WHO.get()

    WHO.set("plan")
    task = asyncio.create_task(aside(work))
    await asyncio.to_thread(seen.wait)
    free.set()  # only a loop that is free comes here
    assert await task == "plan"


async def test_who_is_cancelled_does_not_wait_for_the_work() -> None:
    begun, end = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        end.wait(10)

    task = asyncio.create_task(aside(work))
    await asyncio.to_thread(begun.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert is_computing()
    end.set()
    for _ in range(1000):
        if not is_computing():
            break
        await asyncio.sleep(0.01)
    assert not is_computing()
