"""Leases as locked files: `<run folder>/lock`. The kernel frees the lock when its process ends, also by kill -9.

Who holds it stands in `lock.json` beside it, not in the locked file: Windows lets nobody read that one.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from kaozheng.errors import RunHeldError, UnknownRunError
from kaozheng.journal.lease import Holder
from kaozheng.providers.stores.atomic import write_atomically
from kaozheng.providers.stores.refusals import disk_refusals

# `holder` looks by taking the lock for a moment; a real taker must not be turned away by that look.
_TRIES = 5
_PAUSE_S = 0.03


class FileLeases:
    """The Leases of one folder of runs, each run in the sub-folder of its id."""

    def __init__(self, runs_folder: Path) -> None:
        self._runs = runs_folder

    @asynccontextmanager
    async def take(self, run_id: str) -> AsyncIterator[Holder]:
        """Hold a run; also keeps two tasks of one process apart."""
        folder = self._runs / run_id
        if not folder.is_dir():
            raise UnknownRunError(f"{run_id}: its folder {folder} is gone, so the run cannot go on; start a new one")
        lock = _lock(folder)
        with disk_refusals(folder):
            await self._acquire(lock, run_id)
        try:
            holder = Holder(os.getpid(), datetime.now(UTC).isoformat(timespec="seconds"))
            said = json.dumps({"pid": holder.pid, "since": holder.since})
            with disk_refusals(folder):
                write_atomically(folder / "lock.json", said.encode())
            yield holder
        finally:
            (folder / "lock.json").unlink(missing_ok=True)
            lock.release()

    def holder(self, run_id: str) -> Holder | None:
        """Who holds the run now."""
        folder = self._runs / run_id
        if not (folder / "lock.json").exists():
            return None
        lock = _lock(folder)
        with disk_refusals(folder):
            try:
                lock.acquire(timeout=0)
            except Timeout:
                return _read_holder(folder)
        lock.release()
        return None

    async def _acquire(self, lock: FileLock, run_id: str) -> None:
        for attempt in range(_TRIES):
            try:
                lock.acquire(timeout=0)
            except Timeout:
                if attempt + 1 == _TRIES:
                    holder = _read_holder(self._runs / run_id)
                    by = f"process {holder.pid} since {holder.since}" if holder.pid else "another process"
                    raise RunHeldError(f"run {run_id} is being worked on by {by}; wait for it or end it") from None
                await asyncio.sleep(_PAUSE_S)
            else:
                return


def _lock(folder: Path) -> FileLock:
    return FileLock(folder / "lock", thread_local=False)


def _read_holder(folder: Path) -> Holder:
    try:
        said = json.loads((folder / "lock.json").read_bytes())
        return Holder(int(said["pid"]), str(said["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Holder(0, "")
