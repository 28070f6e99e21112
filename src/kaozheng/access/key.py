"""Key: what lets somebody in over the network, and how it is told without being kept."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from kaozheng.errors import InputError

PREFIX: Final = "kz_"
_BYTES: Final = 32
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,23}")


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it is kept: its name is the owner of what is made with it, `digest` stands for the token. `admin` may
    work on the bases of the command line. `created_at` is ISO 8601 in UTC."""

    name: str
    digest: str
    admin: bool
    created_at: str


def new_token() -> str:
    """A token that nobody can guess: `kz_` and 32 random bytes as text. It is shown once and kept nowhere."""
    return PREFIX + secrets.token_urlsafe(_BYTES)


def digest_of(token: str) -> str:
    """What is kept of a token. A quick hash is right here: there is no dictionary of 256 random bits, and a slow one
    would only make every request slow."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def checked_key_name(name: str) -> str:
    """The name. Raises InputError unless it is up to 24 small letters, digits and hyphens, no hyphen first: it becomes
    a part of names of bases."""
    if not _NAME.fullmatch(name):
        raise InputError(f"{name!r} is no name for a key: up to 24 of a-z, 0-9 and -, no hyphen first")
    return name


class KeyStore(Protocol):
    """Keeps keys. Every method raises StorageError when the database refuses."""

    async def add(self, key: Key) -> bool:
        """Keep a new key. False, and nothing written, when its name is taken."""
        ...

    async def find(self, digest: str) -> Key | None:
        """The key whose token has this digest."""
        ...

    async def list(self) -> Sequence[Key]:
        """All keys, by name."""
        ...

    async def remove(self, name: str) -> bool:
        """Forget the key: it lets nobody in from now on. False when there is none of this name."""
        ...
