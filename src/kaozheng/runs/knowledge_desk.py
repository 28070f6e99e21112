"""KnowledgeDesk: all that questions to knowledge bases and work on them need, put together by the wiring."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from kaozheng.models.budget import Budget
from kaozheng.models.messages import Sensitivity
from kaozheng.ports import Emit, Now, Ports
from kaozheng.runs.background import Background
from kaozheng.sessions import SessionStore
from kaozheng.sources.files import Files
from kaozheng.sources.index import Index


@dataclass(frozen=True, slots=True)
class KnowledgeDesk:
    """The index, and the ports of one question or one ingest: its model (with budget, retries and metering, told to
    Emit), embedder, fetcher and index. `files` opens the disk for one ingest. `where` names the database in words for
    the user. `sessions` keeps conversations and records of questions; `background` is work that goes on when an answer
    is out. One open desk serves many at once."""

    index: Index
    files: Callable[[], AbstractAsyncContextManager[Files]]
    ports_for: Callable[[Emit, Budget, Sensitivity], Ports]
    now: Now
    where: str
    sessions: SessionStore
    background: Background = field(default_factory=Background)
