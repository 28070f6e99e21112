"""Texts that live as long as the question, or the test, that they belong to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from kaozheng.artifacts.artifact import Version, checked_name, digest_of, ref_of
from kaozheng.artifacts.provenance import version_of
from kaozheng.errors import StorageError


def _utc_now() -> datetime:
    return datetime.now(UTC)


class MemoryArtifacts:
    """Texts kept under their hash, names with all that stood under them."""

    def __init__(self, now: Callable[[], datetime] = _utc_now) -> None:
        self._now = now
        self._texts: dict[str, str] = {}
        self._versions: dict[str, list[Version]] = {}

    async def put(self, name: str, text: str) -> str:
        ref = ref_of(text)
        versions = self._versions.setdefault(checked_name(name), [])
        if not versions or versions[-1].ref != ref:
            versions.append(version_of(ref, self._now))
        self._texts[ref] = text
        return ref

    async def get(self, ref: str) -> str:
        if digest_of(ref) and ref not in self._texts:
            raise StorageError(f"{ref}: a text of this run is missing")
        return self._texts[ref]

    async def names(self) -> dict[str, str]:
        return {name: versions[-1].ref for name, versions in sorted(self._versions.items())}

    async def versions(self, name: str) -> Sequence[Version]:
        return list(self._versions.get(checked_name(name), ()))
