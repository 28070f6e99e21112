"""Where the keys are kept that let somebody in over the network."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from kaozheng.access import KeyStore
from kaozheng.settings import Settings

DATABASE = "keys.db"


def open_keys(settings: Settings) -> AbstractAsyncContextManager[KeyStore]:
    """The keys in the data folder. Raises StorageError when it cannot be used."""
    from kaozheng.providers.stores.keys_sql import open_keys as opened

    return opened(settings.folder / DATABASE)
