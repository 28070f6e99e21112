"""Where the operator wants a database: in a file, or on a server whose address may hold a password."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from kaozheng.errors import SettingsError
from kaozheng.settings import Settings

_SERVERS = ("postgresql:", "postgres:", "postgresql+")


def database_file(settings: Settings, which: Literal["knowledge", "county"]) -> Path | None:
    """The file of this setting, by default `<which>.db` in the data folder; None when it names a server. Raises
    SettingsError."""
    given: str = getattr(settings, which).strip()
    if given.startswith(_SERVERS):
        return None
    if "://" in given:
        raise SettingsError(f"settings: {which}: give a file, or an address that begins with postgresql://")
    try:
        return Path(given).expanduser() if given else settings.folder / f"{which}.db"
    except RuntimeError:
        raise SettingsError(f"settings: {which}: no home folder is known for it; give a full path") from None
