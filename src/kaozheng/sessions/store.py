"""SessionStore: the port that keeps sessions, their turns and the record of every question, by owner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from kaozheng.sessions.interaction import Interaction
from kaozheng.sessions.memory import Memory
from kaozheng.sessions.session import Session, Turn


class SessionStore(Protocol):
    """Every method is given the owner by who has checked the key, never by a model or a request's body. Another owner's
    session does not exist here. Every method raises StorageError when the database refuses."""

    async def create(self, session: Session) -> bool:
        """Keep a new session. False, and nothing written, when its id is taken."""
        ...

    async def get(self, owner: str, session: str) -> Session:
        """The session. UnknownSessionError when this owner has none of this id."""
        ...

    async def list(self, owner: str, limit: int = 50) -> Sequence[Session]:
        """The sessions of an owner, the one used last first."""
        ...

    async def turns(self, owner: str, session: str, last: int | None = None) -> Sequence[Turn]:
        """The turns in their order, or the last so many. UnknownSessionError."""
        ...

    async def complete(self, owner: str, session: str, turn: Turn, remember: Callable[[Memory], Memory]) -> Session:
        """Add a turn, put `remember(memory)` in the memory's place and raise the version, in one go: turns that end at
        the same moment all stay. The session as it is then. UnknownSessionError."""
        ...

    async def consolidate(self, owner: str, session: str, memory: Memory, version: int) -> bool:
        """Put this memory in the place of the one of this version. False, and nothing written, when the session was
        written to meanwhile, or is gone."""
        ...

    async def delete(self, owner: str, session: str) -> bool:
        """Leave nothing of the session, its turns and its interactions; False when there is none."""
        ...

    async def save(self, interaction: Interaction) -> None:
        """Keep the record of a question; one with its id is replaced if it is this owner's."""
        ...

    async def interaction(self, owner: str, interaction: str) -> Interaction | None:
        """The record of this owner's question."""
        ...
