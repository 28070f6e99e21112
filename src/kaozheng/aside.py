"""Heavy pure work beside the event loop, so that a run hears a signal while it computes.

Not `asyncio.to_thread`: its threads are waited for when the loop and the process end, so a run that was told to stop
would go on to the end of its longest computation. What runs here is left behind instead, and so must have no effects.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from typing import Final, ParamSpec, TypeVar

_THREAD: Final = "kaozheng-aside"
P = ParamSpec("P")
T = TypeVar("T")


async def aside(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `work` returns or raises, computed in a thread of its own.

    When the caller is cancelled, nobody waits for the thread, and its result is dropped. `work` must be a pure
    function: nothing that it does may be seen by others before it has returned.
    """
    done: Future[T] = Future()
    context = copy_context()

    def run() -> None:
        try:
            result = context.run(work, *args, **kwargs)
        except BaseException as error:  # noqa: BLE001 - whatever it is, it belongs to who waits
            done.set_exception(error)
        else:
            done.set_result(result)

    done.set_running_or_notify_cancel()
    threading.Thread(target=run, name=_THREAD, daemon=True).start()
    return await asyncio.wrap_future(done)


def is_computing() -> bool:
    """Whether work that was left behind still computes in this process."""
    return any(thread.name == _THREAD for thread in threading.enumerate())
