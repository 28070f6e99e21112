"""Work that goes on when its answer is out, and is waited for before the desk closes."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

_PATIENCE_S = 10.0


class Background:
    """Tasks that nobody waits for until the end. What they raise is theirs: a task reports its own failures."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Let the work go on beside everything else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settle(self, patience_s: float = _PATIENCE_S) -> None:
        """Wait for what is under way; what takes longer than this is stopped."""
        if not self._tasks:
            return
        _, late = await asyncio.wait(set(self._tasks), timeout=patience_s)
        for task in late:
            task.cancel()
        if late:
            await asyncio.gather(*late, return_exceptions=True)
