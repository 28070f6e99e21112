"""Keys in a database of their own, `keys.db`: looked up at every request, written almost never."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from kaozheng.access.key import Key
from kaozheng.providers.stores.engines import sql_refusals, sqlite_engine
from kaozheng.providers.stores.migrate import Schema, migrate
from kaozheng.providers.stores.private import private_file
from kaozheng.providers.stores.quiet import keep_values_out_of_logs
from kaozheng.providers.stores.refusals import disk_refusals
from kaozheng.providers.stores.unbroken import Unbroken, to_its_end

KEYS = Schema(Path(__file__).parent / "key_versions", "0001", "keys_version")
metadata = sa.MetaData()

keys = sa.Table(
    "keys",
    metadata,
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),
    sa.Column("admin", sa.Boolean, nullable=False),
    sa.Column("created_at", sa.String(40), nullable=False),
)


class SqlKeys:
    """The KeyStore on one database. Made by `open_keys`."""

    def __init__(self, engine: AsyncEngine, path: Path) -> None:
        self._engine = engine
        self._where = str(path)
        self.unbroken = Unbroken()

    @to_its_end
    async def add(self, key: Key) -> bool:
        """See KeyStore.add."""
        row = {"name": key.name, "digest": key.digest, "admin": key.admin, "created_at": key.created_at}
        with sql_refusals(self._where):
            try:
                async with self._engine.begin() as connection:
                    await connection.execute(sa.insert(keys).values(row))
            except IntegrityError:
                return False
        return True

    async def find(self, digest: str) -> Key | None:
        """See KeyStore.find."""
        # The look-up goes by the hash, which nobody can steer towards another one; the last word has a comparison
        # that takes as long whatever it finds.
        found = await self._keys(sa.select(keys).where(keys.c.digest == digest))
        return next((key for key in found if hmac.compare_digest(key.digest, digest)), None)

    async def list(self) -> Sequence[Key]:
        """See KeyStore.list."""
        return await self._keys(sa.select(keys).order_by(keys.c.name))

    @to_its_end
    async def remove(self, name: str) -> bool:
        """See KeyStore.remove."""
        with sql_refusals(self._where):
            async with self._engine.begin() as connection:
                return bool((await connection.execute(sa.delete(keys).where(keys.c.name == name))).rowcount)

    @to_its_end
    async def _keys(self, statement: sa.Select[Any]) -> Sequence[Key]:
        with sql_refusals(self._where):
            async with self._engine.connect() as connection:
                return [Key(**row) for row in (await connection.execute(statement)).mappings()]


@asynccontextmanager
async def open_keys(path: Path) -> AsyncIterator[SqlKeys]:
    """The keys in this SQLite file, which is made, for its owner's eyes only, when it is missing. Raises
    StorageError."""
    keep_values_out_of_logs()
    _make(path)
    engine = sqlite_engine(path, "synchronous=FULL", "secure_delete=ON", pool_size=4)
    try:
        with sql_refusals(str(path)):
            await migrate(engine, path, KEYS)
        store = SqlKeys(engine, path)
        try:
            yield store
        finally:
            await store.unbroken.settle()
    finally:
        await engine.dispose()


def _make(path: Path) -> None:
    with disk_refusals(path):
        private_file(path)
