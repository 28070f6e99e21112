"""Service: what stands behind the HTTP door, and how much of it one may have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from kaozheng.access import KeyStore
from kaozheng.models.messages import Sensitivity
from kaozheng.sessions import SessionStore
from kaozheng.sources.index import Index, Within
from kaozheng.workflows.ask.request import AskRequest
from kaozheng.workflows.ask.result import AskResult
from kaozheng.workflows.ask.telling import OnAskEvent

MB: Final = 1024 * 1024


class Answer(Protocol):
    """Answers a question and tells of it in the order that `workflows.ask.telling` promises. Cancelled, it frees all
    that it holds and records the question as cancelled."""

    async def __call__(self, request: AskRequest, on_event: OnAskEvent | None = None) -> AskResult: ...


class Library(Protocol):
    """Work on knowledge bases, by the names under which they are kept. Raises as `kaozheng.api.knowledge` does."""

    async def add(
        self, base: str, uploads: Sequence[tuple[str, bytes]], urls: Sequence[str], labels: Mapping[str, str]
    ) -> dict[str, Any]:
        """Read, embed and store; the report as plain JSON."""
        ...

    async def remove(self, base: str, name: str) -> bool:
        """Leave nothing of the document; False when there is none."""
        ...

    async def search(self, within: Within, text: str, limit: int) -> list[dict[str, Any]]:
        """The chunks that were found, best first, as plain JSON."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request, one key and all together may take. `per_minute`: requests of a key; `each`: its answers at
    once; `at_once`: answers of all; `waiting`: how many more may wait for that. Seconds: `grace_s` an answer goes on
    after its reader has gone, `kept_s` its events are kept after its end, `heartbeat_s` between two signs of life,
    `body_s` a body may take (and longer as it comes), `head_s` a head, `send_s` a reader may take for what is sent,
    `answer_s` a whole answer may take."""

    body_bytes: int = MB
    upload_bytes: int = 50 * MB
    uploads: int = 50
    per_minute: int = 120
    each: int = 8
    at_once: int = 64
    waiting: int = 64
    grace_s: float = 5.0
    kept_s: float = 60.0
    heartbeat_s: float = 10.0
    body_s: float = 30.0
    head_s: float = 30.0
    send_s: float = 30.0
    answer_s: float = 900.0


@dataclass(frozen=True, slots=True)
class Service:
    """`keyless`: whoever reaches the port is the operator, as long as there is no key; only for loopback. `shared`
    are bases of the command line that every key may search. `origins` are web pages that may call."""

    answer: Answer
    library: Library
    index: Index
    sessions: SessionStore
    keys: KeyStore
    limits: Limits = field(default_factory=Limits)
    keyless: bool = False
    shared: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    sensitivity: Sensitivity = "internal"
