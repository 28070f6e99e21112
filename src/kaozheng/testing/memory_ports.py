"""Ports that touch nothing outside this process."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from kaozheng.errors import SourceError
from kaozheng.ports import Ports
from kaozheng.testing.memory import MemoryArtifacts
from kaozheng.testing.memory_vectors import MemoryVectors
from kaozheng.testing.scripted_fetcher import ScriptedFetcher


class NoFiles:
    """A reader of texts and of code on a disk that holds nothing."""

    async def read(self, path: Path) -> NoReturn:
        """SourceError, always."""
        raise SourceError(f"{path}: there are no files here")


def memory_ports(**given: Any) -> Ports:
    """Ports in memory, no model, the clock at its machine's time; what is `given` takes a default's place."""
    ports: dict[str, Any] = {
        "artifacts": MemoryArtifacts(),
        "reader": NoFiles(),
        "code": NoFiles(),
        "fetcher": ScriptedFetcher({}),
        "vectors": MemoryVectors(),
        "now": lambda: datetime.now(UTC),
    }
    return Ports(**{**ports, **given})
