"""Conversations of the command line: listed, removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kaozheng.api.running import run_sync
from kaozheng.errors import InputError
from kaozheng.settings import Settings, load_settings
from kaozheng.wiring.knowledge import open_conversations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kaozheng.sessions import Session


def list_sessions(limit: int = 50, settings: Settings | None = None) -> Sequence[Session]:
    """The conversations of the command line, the one used last first. Raises StorageError."""

    async def listed() -> Sequence[Session]:
        async with open_conversations(settings or load_settings()) as sessions:
            return await sessions.list("", limit)

    return run_sync(listed())


def remove_session(session: str, settings: Settings | None = None) -> None:
    """Leave nothing of a conversation: its turns, the passages that they cite, the records of its questions. Raises
    InputError when there is none of this id, StorageError."""

    async def removed() -> bool:
        async with open_conversations(settings or load_settings()) as sessions:
            return await sessions.delete("", session)

    if not run_sync(removed()):
        raise InputError(f"there is no session {session!r}: kaozheng sessions list shows them")
