"""Keys for `kaozheng serve`: made, listed, taken back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kaozheng.access.key import Key, checked_key_name, digest_of, new_token
from kaozheng.api.running import run_sync
from kaozheng.errors import InputError
from kaozheng.settings import Settings, load_settings
from kaozheng.wiring.access import open_keys
from kaozheng.wiring.desk import utc_now

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was made, with its token, which nobody can show again."""

    key: Key
    token: str

    def __repr__(self) -> str:
        return f"NewKey({self.key.name!r})"


def add_key(name: str, admin: bool = False, settings: Settings | None = None) -> NewKey:
    """Make a key. Raises InputError for a name that is taken or none, StorageError."""
    checked_key_name(name)
    token = new_token()
    key = Key(name, digest_of(token), admin, utc_now().isoformat(timespec="seconds"))

    async def added() -> bool:
        async with open_keys(settings or load_settings()) as keys:
            return await keys.add(key)

    if not run_sync(added()):
        raise InputError(f"there is a key {name} already: kaozheng keys remove {name}, or choose another name")
    return NewKey(key, token)


def list_keys(settings: Settings | None = None) -> Sequence[Key]:
    """All keys by name, without their tokens. Raises StorageError."""

    async def listed() -> Sequence[Key]:
        async with open_keys(settings or load_settings()) as keys:
            return await keys.list()

    return run_sync(listed())


def remove_key(name: str, settings: Settings | None = None) -> None:
    """Let the key in no more; its sessions and bases stay. Raises InputError when there is none, StorageError."""

    async def removed() -> bool:
        async with open_keys(settings or load_settings()) as keys:
            return await keys.remove(name)

    if not run_sync(removed()):
        raise InputError(f"there is no key {name}: kaozheng keys list shows them")
