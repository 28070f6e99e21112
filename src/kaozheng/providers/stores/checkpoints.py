"""Checkpoints of graphs in one SQLite file, with a serializer that builds no type but those it is told of.

By default LangGraph imports and calls whatever a checkpoint's bytes name. The environment switch against that counts
only when it is set before LangGraph is imported, so the allow-list is given here, to the serializer itself.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import WRITES_IDX_MAP, ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.serde.types import ERROR
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from kaozheng.errors import DamagedError
from kaozheng.providers.stores.private import private_file
from kaozheng.providers.stores.quiet import keep_values_out_of_logs
from kaozheng.providers.stores.refusals import sqlite_refusals
from kaozheng.providers.stores.unbroken import Unbroken, to_its_end

_BUSY_S = 10.0
# The encodings that our own writer uses. The others ("json", "pickle") revive objects by name and are never ours.
_ENCODINGS = frozenset({"null", "bytes", "bytearray", "msgpack"})

_FORGET_CHECKPOINTS = """
DELETE FROM checkpoints WHERE thread_id = ?1 AND checkpoint_id <> (
  SELECT max(newest.checkpoint_id) FROM checkpoints newest
  WHERE newest.thread_id = checkpoints.thread_id AND newest.checkpoint_ns = checkpoints.checkpoint_ns)
"""
_FORGET_WRITES = """
DELETE FROM writes WHERE thread_id = ?1 AND NOT EXISTS (
  SELECT 1 FROM checkpoints kept WHERE kept.thread_id = writes.thread_id
  AND kept.checkpoint_ns = writes.checkpoint_ns AND kept.checkpoint_id = writes.checkpoint_id)
"""


class ListedTypes(JsonPlusSerializer):
    """Msgpack that builds LangGraph's own plain types and the listed ones; any other type comes back as plain data."""

    def __init__(self, allowed: Iterable[type]) -> None:
        super().__init__(pickle_fallback=False, allowed_msgpack_modules=tuple(allowed))

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """The value. DamagedError when the bytes are damaged or in an encoding that we never write."""
        if data[0] not in _ENCODINGS:
            raise DamagedError(f"a checkpoint is encoded as {data[0]!r}, which Kaozheng never writes: start a new run")
        try:
            return super().loads_typed(data)
        except ValueError as error:
            raise DamagedError(f"a checkpoint is damaged ({error}): start a new run") from error


class Checkpoints(AsyncSqliteSaver):
    """LangGraph's SQLite saver; refusals of the disk become StorageError, and old checkpoints can be forgotten."""

    def __init__(self, conn: aiosqlite.Connection, path: Path, serde: JsonPlusSerializer) -> None:
        super().__init__(conn, serde=serde)
        self._path = path
        self.unbroken = Unbroken()

    @to_its_end
    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        with sqlite_refusals(self._path):
            return await super().aget_tuple(config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        with sqlite_refusals(self._path):
            async for kept in super().alist(config, filter=filter, before=before, limit=limit):
                yield kept

    @to_its_end
    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        with sqlite_refusals(self._path):
            return await super().aput(config, checkpoint, metadata, new_versions)

    @to_its_end
    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        with sqlite_refusals(self._path):
            await super().aput_writes(config, _whole(writes), task_id, task_path)

    @to_its_end
    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep the newest checkpoint of each thread only. Hold the run's lease; the file's pages are used again."""
        if strategy != "keep_latest":
            raise NotImplementedError(strategy)
        await self.setup()
        with sqlite_refusals(self._path):
            async with self.lock:
                for thread in thread_ids:
                    await self.conn.execute(_FORGET_CHECKPOINTS, (thread,))
                    await self.conn.execute(_FORGET_WRITES, (thread,))
                await self.conn.commit()


def _whole(writes: Sequence[tuple[str, Any]]) -> Sequence[tuple[str, Any]]:
    """The writes of a task that ended; of one that failed or was cancelled only its error.

    LangGraph keeps what a cancelled task had written so far and takes it for the task's result on resume. Cancelled
    between its changes and its outgoing edge, a step would count as done and lead nowhere: the graph would end early
    and say nothing.
    """
    if all(channel != ERROR for channel, _ in writes):
        return writes
    return [write for write in writes if write[0] in WRITES_IDX_MAP]


@asynccontextmanager
async def open_checkpoints(path: Path, allowed: Iterable[type] = ()) -> AsyncIterator[Checkpoints]:
    """The checkpoints in this file, on a connection of their own. `allowed`: the types that states may hold."""
    keep_values_out_of_logs()
    with sqlite_refusals(path):
        private_file(path)
        connection = await aiosqlite.connect(path, timeout=_BUSY_S)
    try:
        with sqlite_refusals(path):
            # WAL survives kill -9 without a flush a commit; a power cut may cost the last steps, never the file.
            await connection.execute("PRAGMA journal_mode=WAL")
            await connection.execute("PRAGMA synchronous=NORMAL")
        saver = Checkpoints(connection, path, ListedTypes(allowed))
        try:
            yield saver
        finally:
            await saver.unbroken.settle()
    finally:
        await connection.close()
