"""The file `county.db`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from kaozheng.county.revision import Name
from kaozheng.providers.stores.county_tables import observations
from kaozheng.providers.stores.county_types import json_text
from kaozheng.providers.stores.county_versions import COUNTY
from kaozheng.providers.stores.sqlite_file import SqliteFile, make_sqlite_file

_COLUMNS = tuple(column.name for column in observations.columns)
_ADD = f"INSERT INTO observations ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"
_REMOVE = "DELETE FROM observations WHERE indicator = ? AND region = ? AND period = ? AND source = ?"


class SqliteCounty(SqliteFile):
    """See CountyDatabase."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, json_serializer=json_text)

    def among(self, column: sa.Column[str], values: Collection[str]) -> sa.ColumnElement[bool]:
        """See CountyDatabase.among."""
        # As one JSON text: a statement has room for some thousand parameters only.
        listed = sa.func.json_each(json.dumps([*values])).table_valued("value")
        return column.in_(sa.select(listed.c.value))

    def add(self, connection: sa.Connection, rows: Iterable[Sequence[Any]]) -> None:
        """See CountyDatabase.add."""
        _driver(connection).executemany(_ADD, rows)

    def remove(self, connection: sa.Connection, source: int, names: Sequence[Name]) -> None:
        """See CountyDatabase.remove."""
        _driver(connection).executemany(_REMOVE, ((*name, source) for name in names))


async def open_sqlite_county(path: Path) -> SqliteCounty:
    """The file, made when it is missing, brought to the newest version. Raises StorageError."""
    await make_sqlite_file(path, COUNTY)
    return SqliteCounty(path)


def _driver(connection: sa.Connection) -> Any:
    """The connection of sqlite3: executemany of SQLAlchemy wants a list and takes twice as long."""
    return connection.connection.driver_connection
