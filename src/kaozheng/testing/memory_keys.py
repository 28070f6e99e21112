"""Keys that live as long as the test."""

from __future__ import annotations

from collections.abc import Sequence

from kaozheng.access.key import Key


class MemoryKeys:
    """The KeyStore in a dict."""

    def __init__(self, *keys: Key) -> None:
        self._keys = {key.name: key for key in keys}

    async def add(self, key: Key) -> bool:
        """See KeyStore.add."""
        if key.name in self._keys or any(one.digest == key.digest for one in self._keys.values()):
            return False
        self._keys[key.name] = key
        return True

    async def find(self, digest: str) -> Key | None:
        """See KeyStore.find."""
        return next((key for key in self._keys.values() if key.digest == digest), None)

    async def list(self) -> Sequence[Key]:
        """See KeyStore.list."""
        return [self._keys[name] for name in sorted(self._keys)]

    async def remove(self, name: str) -> bool:
        """See KeyStore.remove."""
        return self._keys.pop(name, None) is not None
