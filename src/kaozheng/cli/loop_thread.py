"""An event loop in a thread of its own, for a command that waits for the keyboard while something goes on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar

T = TypeVar("T")
_PATIENCE_S = 10.0


class LoopThread:
    """`with LoopThread() as loop: loop.run(work())`. What was opened in one `run` stays open for the next."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="kaozheng-loop", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(CancelledError, TimeoutError):
            asyncio.run_coroutine_threadsafe(_ended(), self._loop).result(_PATIENCE_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_PATIENCE_S)
        if not self._thread.is_alive():
            self._loop.close()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work returns or raises. Ctrl-C cancels the work, waits until it has let go, and is raised here."""
        begun, ended = threading.Event(), threading.Event()

        async def watched() -> T:
            begun.set()
            try:
                return await work
            finally:
                ended.set()

        future: Future[T] | None = None
        try:
            future = asyncio.run_coroutine_threadsafe(watched(), self._loop)
            return future.result()
        except KeyboardInterrupt:
            if future is not None:
                future.cancel()
            else:  # it came before the work had a name here: then all that is under way is the work
                asyncio.run_coroutine_threadsafe(_ended(), self._loop)
            if begun.is_set():
                ended.wait(_PATIENCE_S)
            raise


async def _ended() -> None:
    """Everything that is still under way ends."""
    rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
