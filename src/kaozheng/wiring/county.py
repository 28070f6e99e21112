"""The data of counties where the operator keeps it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from kaozheng.county.store import CountyStore
from kaozheng.settings import Settings
from kaozheng.wiring.places import database_file


@asynccontextmanager
async def open_county(settings: Settings) -> AsyncIterator[CountyStore]:
    """The data of counties. Raises StorageError when its database cannot be used, SettingsError when it cannot be
    meant, MissingExtraError for a server without its driver."""
    from kaozheng.providers.stores.county_sql import open_county_store

    async with open_county_store(county_file(settings) or settings.county.strip()) as store:
        yield store


def county_file(settings: Settings) -> Path | None:
    """The file that holds the data of counties; None when a server does. Raises SettingsError."""
    return database_file(settings, "county")


def county_place(settings: Settings) -> str:
    """Where the data of counties is, in words that hold no password. Raises SettingsError."""
    return str(county_file(settings) or "PostgreSQL")
