"""The data of counties where the operator keeps it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from kaozheng.county.regions.sichuan import sichuan_entries
from kaozheng.county.store import CountyStore
from kaozheng.settings import Settings
from kaozheng.wiring.places import database_file


@asynccontextmanager
async def open_county(settings: Settings) -> AsyncIterator[CountyStore]:
    """The data of counties, with the regions that ship. Raises StorageError when its database cannot be used,
    SettingsError when it cannot be meant, MissingExtraError for a server without its driver."""
    from kaozheng.providers.stores.county_sql import open_county_store

    async with open_county_store(county_file(settings) or settings.county.strip()) as store:
        await _bring_up_to_date(store)
        yield store


def county_file(settings: Settings) -> Path | None:
    """The file that holds the data of counties; None when a server does. Raises SettingsError."""
    return database_file(settings, "county")


def county_place(settings: Settings) -> str:
    """Where the data of counties is, in words that hold no password. Raises SettingsError."""
    return str(county_file(settings) or "PostgreSQL")


async def _bring_up_to_date(store: CountyStore) -> None:
    """Put the regions of this version in, so that who asks the tables can join them; others are left alone.

    The indicators that ship are not put in: the catalogue lays those of the store over them, so that copies would stay
    as they were when a newer version corrects them.
    """
    kept = {(entry.code, entry.since): entry for entry in await store.regions()}
    new = [entry for entry in sichuan_entries() if kept.get((entry.code, entry.since)) != entry]
    if new:
        await store.put_regions(new)
