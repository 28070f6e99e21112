"""The sessions in a database: SQLite by default, PostgreSQL with the same tables. Every statement names the owner."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import fields
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from kaozheng.errors import UnknownSessionError
from kaozheng.models.reply import whole_characters
from kaozheng.providers.stores.engines import server_url, sql_refusals, sqlite_engine
from kaozheng.providers.stores.migrate import Schema, migrate
from kaozheng.providers.stores.private import private_file
from kaozheng.providers.stores.quiet import keep_values_out_of_logs
from kaozheng.providers.stores.refusals import disk_refusals
from kaozheng.providers.stores.sessions_tables import interactions, sessions, turns
from kaozheng.providers.stores.unbroken import Unbroken, to_its_end
from kaozheng.sessions import Interaction, Memory, Session, Turn

SESSIONS = Schema(Path(__file__).parent / "sessions_versions", "0001", "sessions_version")
_PRAGMAS = ("synchronous=NORMAL", "secure_delete=ON")
_SCHEMA = "kaozheng_sessions"
_TURN = 0x73657373
_CONNECT_S = 10
_MOST_ROWS = 2**31 - 1
_KEPT = tuple(field.name for field in fields(Interaction))


class SqlSessions:
    """The SessionStore on one database. Made by `open_sessions`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._where = str(engine.url.database)
        # SQLite lets writers wait by polling, ever more seldom; those of this process take turns instead.
        self._turn = asyncio.Lock() if engine.dialect.name == "sqlite" else nullcontext()
        self.unbroken = Unbroken()

    @to_its_end
    async def create(self, session: Session) -> bool:
        """Keep a new session; False when its id is taken."""
        with sql_refusals(self._where):
            try:
                async with self._turn, self._engine.begin() as connection:
                    await connection.execute(sa.insert(sessions).values(_row(session)))
            except IntegrityError:
                return False
        return True

    @to_its_end
    async def get(self, owner: str, session: str) -> Session:
        """The session of this owner."""
        with sql_refusals(self._where):
            async with self._engine.connect() as connection:
                return await self._session(connection, owner, session)

    @to_its_end
    async def list(self, owner: str, limit: int = 50) -> Sequence[Session]:
        """The owner's sessions, the one used last first."""
        chosen = sa.select(sessions).where(sessions.c.owner == owner)
        newest = chosen.order_by(sessions.c.updated_at.desc(), sessions.c.id).limit(min(limit, _MOST_ROWS))
        with sql_refusals(self._where):
            async with self._engine.connect() as connection:
                return [_session(row) for row in (await connection.execute(newest)).mappings()]

    @to_its_end
    async def turns(self, owner: str, session: str, last: int | None = None) -> Sequence[Turn]:
        """The session's turns, oldest first."""
        newest = sa.select(turns).where(turns.c.session == session).order_by(turns.c.seq.desc())
        with sql_refusals(self._where):
            async with self._engine.connect() as connection:
                await self._session(connection, owner, session)
                rows = await connection.execute(newest if last is None else newest.limit(last))
                return [_turn(row) for row in reversed(rows.mappings().all())]

    @to_its_end
    async def complete(self, owner: str, session: str, turn: Turn, remember: Callable[[Memory], Memory]) -> Session:
        """Add a turn and what is remembered of it."""
        of_owner = sa.and_(sessions.c.id == session, sessions.c.owner == owner)
        raised = {"version": sessions.c.version + 1, "turns": sessions.c.turns + 1, "updated_at": turn.at}
        with sql_refusals(self._where):
            async with self._turn, self._engine.begin() as connection:
                # The update comes first: it locks the row, so that what is read after it stays true.
                await connection.execute(sa.update(sessions).where(of_owner).values(raised))
                now = await self._session(connection, owner, session)
                memory = remember(now.memory)
                await connection.execute(sa.update(sessions).where(of_owner).values(memory=memory.as_dict()))
                await connection.execute(sa.insert(turns).values(_turn_row(session, now.turns, turn)))
                return await self._session(connection, owner, session)

    @to_its_end
    async def consolidate(self, owner: str, session: str, memory: Memory, version: int) -> bool:
        """Put the memory down if the session still has this version."""
        same = sa.and_(sessions.c.id == session, sessions.c.owner == owner, sessions.c.version == version)
        new = sa.update(sessions).where(same).values(memory=memory.as_dict(), version=version + 1)
        with sql_refusals(self._where):
            async with self._turn, self._engine.begin() as connection:
                return bool((await connection.execute(new)).rowcount)

    @to_its_end
    async def delete(self, owner: str, session: str) -> bool:
        """Leave nothing of the session."""
        of_owner = sa.and_(sessions.c.id == session, sessions.c.owner == owner)
        with sql_refusals(self._where):
            async with self._turn, self._engine.begin() as connection:
                if not (await connection.execute(sa.delete(sessions).where(of_owner))).rowcount:
                    return False
                await connection.execute(sa.delete(turns).where(turns.c.session == session))
                asked = sa.and_(interactions.c.session == session, interactions.c.owner == owner)
                await connection.execute(sa.delete(interactions).where(asked))
        return True

    @to_its_end
    async def save(self, interaction: Interaction) -> None:
        """Keep the record, in the place of the owner's one with its id."""
        own = sa.and_(interactions.c.id == interaction.id, interactions.c.owner == interaction.owner)
        with sql_refusals(self._where):
            async with self._turn, self._engine.begin() as connection:
                await connection.execute(sa.delete(interactions).where(own))
                await connection.execute(sa.insert(interactions).values(_interaction_row(interaction)))

    @to_its_end
    async def interaction(self, owner: str, interaction: str) -> Interaction | None:
        """The owner's record of this id."""
        own = sa.and_(interactions.c.id == interaction, interactions.c.owner == owner)
        with sql_refusals(self._where):
            async with self._engine.connect() as connection:
                row = (await connection.execute(sa.select(interactions).where(own))).mappings().first()
        return None if row is None else Interaction(**{**row, "citations": tuple(row["citations"])})

    async def _session(self, connection: AsyncConnection, owner: str, session: str) -> Session:
        chosen = sa.select(sessions).where(sessions.c.id == session, sessions.c.owner == owner)
        row = (await connection.execute(chosen)).mappings().first()
        if row is None:
            raise UnknownSessionError(f"there is no session {session!r}")
        return _session(row)


@asynccontextmanager
async def open_sessions(place: Path | str) -> AsyncIterator[SqlSessions]:
    """The sessions in this SQLite file (made when it is missing), or at this SQLAlchemy address of PostgreSQL. Raises
    StorageError when they cannot be opened, MissingExtraError for a server without its driver."""
    keep_values_out_of_logs()
    path = place if isinstance(place, Path) else None
    engine = sqlite_engine(path, *_PRAGMAS, json_serializer=_json) if path else _server_engine(str(place))
    try:
        with sql_refusals(str(engine.url.database)):
            if path:
                with disk_refusals(path):
                    private_file(path)
            else:
                async with engine.begin() as connection:
                    # Processes that start at once take turns.
                    await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_TURN})")
                    await connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {_SCHEMA}")
            await migrate(engine, path, SESSIONS)
        store = SqlSessions(engine)
        try:
            yield store
        finally:
            await store.unbroken.settle()
    finally:
        await engine.dispose()


def _server_engine(address: str) -> AsyncEngine:
    """A pool for the server, in a schema of its own, so that one database can hold everything."""
    options = {"connect_timeout": _CONNECT_S, "prepare_threshold": None, "options": f"-csearch_path={_SCHEMA}"}
    return create_async_engine(
        server_url(address), json_serializer=_json, hide_parameters=True, pool_pre_ping=True, connect_args=options
    )


def _row(session: Session) -> dict[str, Any]:
    row = {field.name: getattr(session, field.name) for field in fields(session)}
    return {**row, "title": _text(session.title), "memory": session.memory.as_dict()}


def _session(row: Mapping[Any, Any]) -> Session:
    return Session(**{**row, "memory": Memory.from_dict(row["memory"])})


def _turn_row(session: str, seq: int, turn: Turn) -> dict[str, Any]:
    said = {"question": _text(turn.question), "answer": _text(turn.answer)}
    kept = {"at": turn.at, "citations": [*turn.citations], "interaction": turn.interaction}
    return {"session": session, "seq": seq, **said, **kept}


def _turn(row: Mapping[Any, Any]) -> Turn:
    return Turn(row["question"], row["answer"], tuple(row["citations"]), row["interaction"], row["at"])


def _interaction_row(interaction: Interaction) -> dict[str, Any]:
    row = {name: getattr(interaction, name) for name in _KEPT}
    texts = {name: _text(row[name]) for name in ("question", "answer", "error")}
    return {**row, **texts, "citations": [*interaction.citations]}


def _text(text: str) -> str:
    """The text as every database keeps it: PostgreSQL takes no NUL, none takes half a character."""
    return whole_characters(text.replace("\0", ""))


def _json(value: Any) -> str:
    return whole_characters(json.dumps(value, ensure_ascii=False))
