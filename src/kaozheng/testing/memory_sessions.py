"""Sessions that live as long as the test. Keeps the promises of the port, and can be told to refuse."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace

from kaozheng.errors import StorageError, UnknownSessionError
from kaozheng.sessions import Interaction, Memory, Session, Turn


class MemorySessions:
    """The SessionStore in dicts; what is put in and handed out are copies. Methods whose names stand in `refusing`
    raise StorageError, as with a full disk."""

    def __init__(self, refusing: Sequence[str] = ()) -> None:
        self.refusing = set(refusing)
        self.interactions: dict[str, Interaction] = {}
        self._sessions: dict[str, Session] = {}
        self._turns: dict[str, list[Turn]] = {}

    async def create(self, session: Session) -> bool:
        self._refuse("create")
        if session.id in self._sessions:
            return False
        self._sessions[session.id] = session
        return True

    async def get(self, owner: str, session: str) -> Session:
        self._refuse("get")
        found = self._sessions.get(session)
        if found is None or found.owner != owner:
            raise UnknownSessionError(f"there is no session {session!r}")
        return found

    async def list(self, owner: str, limit: int = 50) -> Sequence[Session]:
        self._refuse("list")
        own = [session for session in self._sessions.values() if session.owner == owner]
        return sorted(sorted(own, key=lambda one: one.id), key=lambda one: one.updated_at, reverse=True)[:limit]

    async def turns(self, owner: str, session: str, last: int | None = None) -> Sequence[Turn]:
        self._refuse("turns")
        await self.get(owner, session)
        kept = self._turns.get(session, [])
        return copy.deepcopy(kept if last is None else kept[max(0, len(kept) - last) :])

    async def complete(self, owner: str, session: str, turn: Turn, remember: Callable[[Memory], Memory]) -> Session:
        self._refuse("complete")
        known = await self.get(owner, session)
        self._turns.setdefault(session, []).append(copy.deepcopy(turn))
        self._sessions[session] = replace(
            known,
            memory=remember(known.memory),
            turns=known.turns + 1,
            version=known.version + 1,
            updated_at=turn.at,
        )
        return self._sessions[session]

    async def consolidate(self, owner: str, session: str, memory: Memory, version: int) -> bool:
        self._refuse("consolidate")
        known = self._sessions.get(session)
        if known is None or known.owner != owner or known.version != version:
            return False
        self._sessions[session] = replace(known, memory=memory, version=version + 1)
        return True

    async def delete(self, owner: str, session: str) -> bool:
        self._refuse("delete")
        known = self._sessions.get(session)
        if known is None or known.owner != owner:
            return False
        del self._sessions[session]
        self._turns.pop(session, None)
        self.interactions = {id: one for id, one in self.interactions.items() if one.session != session}
        return True

    async def save(self, interaction: Interaction) -> None:
        self._refuse("save")
        known = self.interactions.get(interaction.id)
        if known is not None and known.owner != interaction.owner:
            raise StorageError("an interaction of this id is somebody else's")
        self.interactions[interaction.id] = copy.deepcopy(interaction)

    async def interaction(self, owner: str, interaction: str) -> Interaction | None:
        self._refuse("interaction")
        found = self.interactions.get(interaction)
        return copy.deepcopy(found) if found and found.owner == owner else None

    def _refuse(self, method: str) -> None:
        if method in self.refusing:
            raise StorageError(f"memory: {method} is refused")
