"""Whether the data folder can be worked in: looked at by `doctor`, which must find what a run would stumble over."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from kaozheng.providers.stores.migrate import NEWEST
from kaozheng.providers.stores.refusals import database_refusal
from kaozheng.providers.stores.tables import metadata
from kaozheng.providers.stores.writable import folder_fault, write_fault

_BUSY_S = 2.0


def data_folder_fault(folder: Path) -> str:
    """What is wrong with the data folder, "" when nothing is. Nothing is made or changed in it."""
    for place in (folder, folder / "runs", folder / "vectors"):
        if fault := folder_fault(place):
            return f"{place} cannot be written: {fault}"
    return _database_fault(folder / "runs.db")


def _database_fault(path: Path) -> str:
    if not path.exists():
        return ""
    if fault := write_fault(path):
        return f"{path} cannot be written: {fault}"
    try:
        # Read-only: a database that is only looked at must not be migrated by it.
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=_BUSY_S)) as connection:
            return _schema_fault(connection, path)
    except sqlite3.Error as error:
        return str(database_refusal(error, str(path)))


def _schema_fault(connection: sqlite3.Connection, path: Path) -> str:
    broken = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if broken != "ok":
        return f"{path}: the file is damaged ({broken}): move it away or put a copy back"
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "alembic_version" not in there:  # empty, or never used: the first run makes the tables
        return ""
    (version,) = connection.execute("SELECT max(version_num) FROM alembic_version").fetchone()
    if version is not None and version > NEWEST:
        return f"{path}: made by a newer Kaozheng (version {version}): upgrade this one"
    missing = sorted(set(metadata.tables) - there)
    if version == NEWEST and missing:
        return f"{path}: it lacks the table {missing[0]}: move the file away or put a copy back"
    return ""
