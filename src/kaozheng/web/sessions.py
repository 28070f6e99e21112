"""`/v1/sessions`: the conversations of a key, read and deleted."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query

from kaozheng.web.refusals import RefusedError
from kaozheng.web.visitors import Asking, Behind

router = APIRouter(prefix="/v1/sessions", tags=["sessions"])


@router.get("", summary="List sessions")
async def listed(
    visitor: Asking, service: Behind, limit: Annotated[int, Query(ge=1, le=500)] = 50
) -> dict[str, list[dict[str, Any]]]:
    """The sessions of this key, the one used last first."""
    known = await service.sessions.list(visitor.name, limit)
    fields = ("id", "title", "created_at", "updated_at", "turns")
    return {"sessions": [{name: getattr(one, name) for name in fields} for one in known]}


@router.get("/{session}", summary="One session with its turns")
async def one(session: str, visitor: Asking, service: Behind) -> dict[str, Any]:
    """The session and its turns, each with its own citations: the marks of an answer lead into no other turn's."""
    found = await service.sessions.get(visitor.name, session)
    turns = await service.sessions.turns(visitor.name, session)
    shown: dict[str, Any] = visitor.shown(
        {
            "id": found.id,
            "title": found.title,
            "created_at": found.created_at,
            "updated_at": found.updated_at,
            "memory": found.memory.as_dict(),
            "turns": [asdict(turn) for turn in turns],
        }
    )
    return shown


@router.delete("/{session}", summary="Delete a session")
async def deleted(session: str, visitor: Asking, service: Behind) -> dict[str, bool]:
    """Nothing of the session, its turns and the records of its questions is left."""
    if not await service.sessions.delete(visitor.name, session):
        raise RefusedError(404, "unknown_session", f"there is no session {session[:80]}")
    return {"deleted": True}
