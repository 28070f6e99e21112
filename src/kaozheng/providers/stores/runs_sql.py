"""The journal in a database: SQLite by default, PostgreSQL with the same tables."""

from __future__ import annotations

import difflib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from kaozheng.errors import UnknownRunError
from kaozheng.journal import Event, EventKind, LedgerEntry, RunRecord, RunStatus
from kaozheng.providers.stores.engines import sql_refusals, sqlite_engine
from kaozheng.providers.stores.migrate import migrate
from kaozheng.providers.stores.private import private_file
from kaozheng.providers.stores.quiet import keep_values_out_of_logs
from kaozheng.providers.stores.refusals import disk_refusals
from kaozheng.providers.stores.tables import answers, events, runs
from kaozheng.providers.stores.together import Together
from kaozheng.providers.stores.unbroken import Unbroken, to_its_end

_NEAR = 3
_MOST_ROWS = 2**31 - 1  # what a database takes for a number


class SqlRuns:
    """The RunStore on one database. Made by `open_runs`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._where = str(engine.url.database)
        # What stands between a model and the step that waits for its answer: made once, one statement, shared.
        self._put = _put_answer(engine.dialect.name)
        self._answers = Together(self._put_answers)
        self.unbroken = Unbroken()

    @to_its_end
    async def create(self, record: RunRecord) -> bool:
        """Write a new record down; False when the id is taken."""
        return await self._insert(sa.insert(runs).values(_row(record)))

    @to_its_end
    async def get(self, run_id: str) -> RunRecord:
        """The record of a run."""
        if not _is_utf8(run_id):  # no database would take the question
            raise UnknownRunError(unknown(run_id, []))
        with sql_refusals(self._where):
            async with self._engine.connect() as connection:
                row = (await connection.execute(sa.select(runs).where(runs.c.id == run_id))).mappings().first()
                if row is not None:
                    return _record(row)
                newest = await connection.execute(sa.select(runs.c.id).order_by(runs.c.created_at.desc()).limit(500))
                raise UnknownRunError(unknown(run_id, list(newest.scalars())))

    async def list(self, limit: int = 50) -> Sequence[RunRecord]:
        """The newest records first."""
        newest = sa.select(runs).order_by(runs.c.created_at.desc(), runs.c.id.desc()).limit(min(limit, _MOST_ROWS))
        return [_record(row) for row in await self._rows(newest)]

    @to_its_end
    async def update(self, record: RunRecord) -> None:
        """Write the record over the one with its id."""
        row = _row(record)
        with sql_refusals(self._where):
            async with self._engine.begin() as connection:
                done = await connection.execute(sa.update(runs).where(runs.c.id == record.id).values(row))
        if not done.rowcount:
            raise UnknownRunError(unknown(record.id, []))

    @to_its_end
    async def add_event(self, *new: Event) -> None:
        """Append events in one transaction."""
        if not new:
            return
        with sql_refusals(self._where):
            async with self._engine.begin() as connection:
                await connection.execute(sa.insert(events), [asdict(event) for event in new])

    async def events(self, run_id: str, after: int = 0) -> Sequence[Event]:
        """The events of a run, in order."""
        of_run = sa.select(events).where(events.c.run_id == run_id, events.c.seq > after).order_by(events.c.seq)
        return [Event(**{**row, "kind": EventKind(row["kind"])}) for row in await self._rows(of_run)]

    async def get_answer(self, run_id: str, fingerprint: str) -> LedgerEntry | None:
        """The answer that was kept for this call of this run."""
        rows = await self._rows(_answers(run_id).where(answers.c.fingerprint == fingerprint))
        return LedgerEntry(**rows[0]) if rows else None

    async def answered(self, run_id: str) -> set[str]:
        """The fingerprints of the answers that were kept for this run."""
        return {row["fingerprint"] for row in await self._rows(_fingerprints(run_id))}

    async def answers(self, run_id: str) -> Sequence[LedgerEntry]:
        """All answers that were kept for this run, oldest first."""
        return [LedgerEntry(**row) for row in await self._rows(_answers(run_id).order_by(answers.c.at))]

    @to_its_end
    async def put_answer(self, run_id: str, entry: LedgerEntry) -> None:
        """Keep an answer; a newer one takes its place."""
        await self._answers.put({"run_id": run_id, **asdict(entry)})

    async def _put_answers(self, rows: Sequence[dict[str, Any]]) -> None:
        with sql_refusals(self._where):
            async with self._engine.begin() as connection:
                await connection.execute(self._put, rows)

    async def _insert(self, statement: sa.Insert) -> bool:
        with sql_refusals(self._where):
            try:
                async with self._engine.begin() as connection:
                    await connection.execute(statement)
            except IntegrityError:
                return False
        return True

    @to_its_end
    async def _rows(self, statement: sa.Select[Any]) -> Sequence[dict[str, Any]]:
        with sql_refusals(self._where):
            async with self._engine.connect() as connection:
                return [dict(row) for row in (await connection.execute(statement)).mappings()]


@asynccontextmanager
async def open_runs(place: Path | str) -> AsyncIterator[SqlRuns]:
    """The journal in this SQLite file (made when it is missing), or at this SQLAlchemy address of PostgreSQL."""
    keep_values_out_of_logs()
    path = place if isinstance(place, Path) else None
    engine = (
        sqlite_engine(path, "synchronous=NORMAL", json_serializer=_json, pool_size=4)
        if path
        else create_async_engine(str(place), json_serializer=_json, hide_parameters=True)
    )
    try:
        with sql_refusals(str(engine.url.database)):
            if path:
                with disk_refusals(path):
                    private_file(path)
            await migrate(engine, path)
        store = SqlRuns(engine)
        try:
            yield store
        finally:
            await store.unbroken.settle()
    finally:
        await engine.dispose()


def unknown(run_id: str, known: Sequence[str]) -> str:
    """What to say about an id that no run has: the ids that look alike, else the newest ones."""
    near = [name for name in known if run_id and run_id in name][:_NEAR] or difflib.get_close_matches(
        run_id, known, n=_NEAR, cutoff=0.6
    )
    if near:
        return f"no run has the id {run_id!r}; near it: {', '.join(near)}"
    if known:
        return f"no run has the id {run_id!r}; the newest: {', '.join(known[:_NEAR])}"
    return f"no run has the id {run_id!r}; there are no runs yet"


def _put_answer(dialect: str) -> sa.Insert:
    """Insert an answer, or put it in the place of the one with its fingerprint."""
    insert = (sqlite_insert if dialect == "sqlite" else postgresql_insert)(answers)
    return insert.on_conflict_do_update(
        index_elements=[answers.c.run_id, answers.c.fingerprint],
        set_={name: insert.excluded[name] for name in ("purpose", "completion", "at")},
    )


def _fingerprints(run_id: str) -> sa.Select[Any]:
    return sa.select(answers.c.fingerprint).where(answers.c.run_id == run_id)


def _answers(run_id: str) -> sa.Select[Any]:
    columns = (answers.c.fingerprint, answers.c.purpose, answers.c.completion, answers.c.at)
    return sa.select(*columns).where(answers.c.run_id == run_id)


def _row(record: RunRecord) -> dict[str, Any]:
    return {**asdict(record), "status": record.status.value}


def _record(row: Mapping[Any, Any]) -> RunRecord:
    return RunRecord(**{**row, "status": RunStatus(row["status"])})


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # Half of a surrogate pair (a cut answer may hold one) cannot be written as UTF-8, but as an escape it can.
    return text if _is_utf8(text) else json.dumps(value)


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
