"""The schema `county` of a PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from kaozheng.county.revision import Name
from kaozheng.providers.stores.county_tables import observations
from kaozheng.providers.stores.county_types import json_text
from kaozheng.providers.stores.county_versions import COUNTY
from kaozheng.providers.stores.engines import server_url
from kaozheng.providers.stores.postgres_schema import PostgresSchema, Room, make_postgres_schema

ROOM: Final = Room("county", COUNTY, turn=0x636E7479, per_connection=("SET jit = off",))
_COLUMNS = ", ".join(column.name for column in observations.columns)
_REMOVE = sa.text(
    "DELETE FROM observations USING unnest(:indicators, :regions, :periods) AS gone (indicator, region, period)"
    " WHERE source = :source AND observations.indicator = gone.indicator AND observations.region = gone.region"
    " AND observations.period = gone.period"
).bindparams(*(sa.bindparam(name, type_=ARRAY(sa.Text)) for name in ("indicators", "regions", "periods")))


class PostgresCounty(PostgresSchema):
    """See CountyDatabase."""

    def __init__(self, url: sa.URL) -> None:
        super().__init__(url, ROOM, json_serializer=json_text)

    def among(self, column: sa.Column[str], values: Collection[str]) -> sa.ColumnElement[bool]:
        """See CountyDatabase.among."""
        return column == sa.any_(sa.literal([*values], ARRAY(sa.Text)))

    def add(self, connection: sa.Connection, rows: Iterable[Sequence[Any]]) -> None:
        """See CountyDatabase.add."""
        driver: Any = connection.connection.driver_connection
        with driver.cursor() as cursor, cursor.copy(f"COPY observations ({_COLUMNS}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def remove(self, connection: sa.Connection, source: int, names: Sequence[Name]) -> None:
        """See CountyDatabase.remove."""
        if names:
            gone = dict(zip(("indicators", "regions", "periods"), map(list, zip(*names, strict=True)), strict=True))
            connection.execute(_REMOVE, {"source": source, **gone})


async def open_postgres_county(address: str) -> PostgresCounty:
    """The schema at this postgresql:// address, made when it is missing, brought to the newest version. Raises
    MissingExtraError, SettingsError for what is no such address, StorageError."""
    url = server_url(address)
    await make_postgres_schema(url, ROOM)
    return PostgresCounty(url)
