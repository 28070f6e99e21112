"""Stores that live as long as the test, and a clock that only a test moves."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

from kaozheng.errors import StorageError
from kaozheng.models.messages import Call, Completion


class MemoryLedger:
    """Answers kept in a dict; `asked` counts the look-ups and `kept` the answers."""

    def __init__(self) -> None:
        self.asked = 0
        self.kept: dict[tuple[str, str], tuple[Call, Completion]] = {}

    async def get(self, run_id: str, fingerprint: str) -> Completion | None:
        self.asked += 1
        found = self.kept.get((run_id, fingerprint))
        return found[1] if found else None

    async def put(self, run_id: str, fingerprint: str, call: Call, completion: Completion) -> None:
        self.kept[run_id, fingerprint] = (call, completion)


class MemoryArtifacts:
    """Texts kept under their hash, names pointing to the newest."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._refs: dict[str, str] = {}

    async def put(self, name: str, text: str) -> str:
        ref = f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
        self._texts[ref] = text
        self._refs[name] = ref
        return ref

    async def get(self, ref: str) -> str:
        if ref not in self._texts:
            raise StorageError(f"no artifact {ref}")
        return self._texts[ref]

    async def names(self) -> dict[str, str]:
        return dict(self._refs)


class FrozenClock:
    """Stands still until `pass_s`. `now` gives the time of day (UTC), a call the monotonic seconds."""

    def __init__(self, at: datetime = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)) -> None:
        self._at = at
        self._passed_s = 0.0

    def __call__(self) -> float:
        return self._passed_s

    def now(self) -> datetime:
        return self._at + timedelta(seconds=self._passed_s)

    def pass_s(self, seconds: float) -> None:
        self._passed_s += seconds

    async def sleep(self, seconds: float) -> None:
        """Sleep as `asyncio.sleep` would, at once."""
        self.pass_s(seconds)
