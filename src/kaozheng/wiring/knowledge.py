"""All that knowledge bases need: the index that the operator chose, and the ports of each question."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kaozheng.artifacts.in_memory import MemoryArtifacts
from kaozheng.models.budget import Budget
from kaozheng.models.messages import Sensitivity
from kaozheng.models.model import Model
from kaozheng.ports import Emit, Ports
from kaozheng.providers.fetch.opening import SharedFetcher
from kaozheng.providers.pool import PROCESS, Visit
from kaozheng.sessions import SessionStore
from kaozheng.settings import Settings
from kaozheng.sources.fetching import FetchesNothing
from kaozheng.sources.index import Index
from kaozheng.wiring.desk import studio_ports, utc_now
from kaozheng.wiring.embedders import embedder_of
from kaozheng.wiring.files import code_reader, open_files, reader, vectors
from kaozheng.wiring.models import budgeted_model, check_priced, outermost, reported
from kaozheng.wiring.places import database_file
from kaozheng.wiring.rerankers import reranker_of

if TYPE_CHECKING:
    from kaozheng.runs.knowledge_desk import KnowledgeDesk

SESSIONS = "sessions.db"


@asynccontextmanager
async def open_knowledge(settings: Settings) -> AsyncIterator[KnowledgeDesk]:
    """The knowledge bases and what working with them needs. Raises StorageError when their database cannot be used,
    SettingsError when it cannot be meant."""
    from kaozheng.runs.knowledge_desk import KnowledgeDesk

    async with AsyncExitStack() as stack:
        index = await stack.enter_async_context(_open_index(settings))
        visit = await stack.enter_async_context(PROCESS.visit())

        def ports_for(emit: Emit, budget: Budget, sensitivity: Sensitivity) -> Ports:
            chosen = settings.model_copy(update={"sensitivity": sensitivity})
            return _ports(chosen, visit, index, emit, budget)

        sessions = await stack.enter_async_context(open_conversations(settings))
        desk = KnowledgeDesk(index, open_files, ports_for, utc_now, knowledge_place(settings), sessions)
        stack.push_async_callback(desk.background.settle)
        yield desk


def open_conversations(settings: Settings) -> AbstractAsyncContextManager[SessionStore]:
    """Sessions and records of questions, alone. Raises StorageError, SettingsError."""
    from kaozheng.providers.stores.sessions_sql import open_sessions

    # A server that many machines share keeps their conversations too.
    return open_sessions(settings.folder / SESSIONS if knowledge_file(settings) else settings.knowledge.strip())


def studio_knowledge_ports(settings: Settings, folder: Path) -> Ports:
    """The ports of a host that keeps its runs itself, with the knowledge bases of the settings. May be called outside
    of an event loop."""
    from kaozheng.providers.indexes.at_need import IndexAtNeed

    return replace(studio_ports(settings, folder), index=IndexAtNeed(lambda: _open_index(settings)))


def knowledge_file(settings: Settings) -> Path | None:
    """The file that holds the knowledge bases; None when a server does. Raises SettingsError."""
    return database_file(settings, "knowledge")


def knowledge_place(settings: Settings) -> str:
    """Where the knowledge bases are, in words that hold no password. Raises SettingsError."""
    return str(knowledge_file(settings) or "PostgreSQL")


def _open_index(settings: Settings) -> AbstractAsyncContextManager[Index]:
    from kaozheng.providers.indexes.opening import open_bases

    return open_bases(knowledge_file(settings) or settings.knowledge.strip())


def _ports(settings: Settings, visit: Visit, index: Index, emit: Emit, budget: Budget) -> Ports:
    if budget.money is not None:
        check_priced(settings)
    model: Model | None = None
    if (budgeted := budgeted_model(settings, visit, emit, budget)) is not None:
        # No ledger: a question is asked once, and what it cost is in its record.
        model = outermost(reported(budgeted, budgeted, settings, emit), settings)
    return Ports(
        artifacts=MemoryArtifacts(),  # an answer is not resumed, and its evidence is stored with it
        reader=reader(),
        code=code_reader(),
        fetcher=FetchesNothing() if settings.sensitivity == "secret" else SharedFetcher(visit),
        vectors=vectors(settings),
        now=utc_now,
        model=model,
        embedder=embedder_of(settings, visit, settings.sensitivity, emit),
        reranker=reranker_of(settings, visit, settings.sensitivity, emit),
        index=index,
        emit=emit,
    )
