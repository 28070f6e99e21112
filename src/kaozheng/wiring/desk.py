"""All that running needs: the journal, leases, checkpoints, and the ports of each run."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from kaozheng.journal import RunRecord
from kaozheng.models.budget import Budget
from kaozheng.models.ledger import Ledgered
from kaozheng.models.model import Model
from kaozheng.models.usage import Usage
from kaozheng.ports import Emit, Ports
from kaozheng.providers.fetch.opening import SharedFetcher
from kaozheng.providers.pool import PROCESS
from kaozheng.settings import Settings
from kaozheng.sources.fetching import FetchesNothing
from kaozheng.wiring.embedders import embedder_of
from kaozheng.wiring.files import code_reader, reader, vectors
from kaozheng.wiring.models import budgeted_model, check_priced, model_of, outermost, reported
from kaozheng.wiring.rerankers import reranker_of
from kaozheng.wiring.traces import traces_of

if TYPE_CHECKING:
    from kaozheng.runs.desk import Desk

CHECKPOINTS = "checkpoints.db"
"""The checkpoints of a secret run, in its folder; those of the others are kept beside the journal."""


OF_THE_RUN = {"model": "", "sensitivity": "internal"}
"""Settings that a run keeps in its request, also when it is resumed or forked, and what they were before they stood
there."""


@asynccontextmanager
async def open_desk(settings: Settings) -> AsyncIterator[Desk]:
    """All that running needs, on SQLite in the data folder. Raises StorageError when the folder cannot be used."""
    from kaozheng.providers.stores.artifacts_folder import FolderArtifacts
    from kaozheng.providers.stores.checkpoints import open_checkpoints
    from kaozheng.providers.stores.leases_file import FileLeases
    from kaozheng.providers.stores.ledger import JournalLedger
    from kaozheng.providers.stores.runs_sql import open_runs
    from kaozheng.runs.desk import Desk

    database = settings.folder / "runs.db"
    async with AsyncExitStack() as stack:
        journal = await stack.enter_async_context(open_runs(database))
        answers = JournalLedger(journal, utc_now)
        visit = await stack.enter_async_context(PROCESS.visit())

        def ports_for(record: RunRecord, emit: Emit) -> Ports:
            asked = {name: record.request.get(name, default) for name, default in OF_THE_RUN.items()}
            chosen = settings.model_copy(update=asked)
            budget = Budget(**record.request.get("budget", {}))
            if budget.money is not None:  # a resumed run may have lost the file with its prices
                check_priced(chosen)
            model: Model | None = None
            if (budgeted := budgeted_model(chosen, visit, emit, budget, _spent(record))) is not None:
                model = outermost(reported(Ledgered(budgeted, answers, record.id), budgeted, chosen, emit), chosen)
            return Ports(
                artifacts=FolderArtifacts(Path(record.folder)),
                reader=reader(),
                code=code_reader(),
                fetcher=FetchesNothing() if record.secret else SharedFetcher(visit),
                vectors=vectors(settings),
                now=utc_now,
                model=model,
                embedder=embedder_of(settings, visit, record.request.get("sensitivity", "internal"), emit),
                reranker=reranker_of(settings, visit, record.request.get("sensitivity", "internal"), emit),
                emit=emit,
            )

        traces = traces_of(settings)
        if traces is not None:
            stack.push_async_callback(traces.aclose)
        yield Desk(
            journal=journal,
            leases=FileLeases(settings.runs_folder),
            checkpoints=lambda folder, secret: open_checkpoints(folder / CHECKPOINTS if secret else database),
            runs_folder=settings.runs_folder,
            now=utc_now,
            ports_for=ports_for,
            artifacts=FolderArtifacts,
            listeners=() if traces is None else (traces,),
        )


def studio_ports(settings: Settings, folder: Path) -> Ports:
    """Ports for a host that keeps the runs itself: no journal, no budget. What they open is shared by all runs of an
    event loop and closed when that ends. May be called outside of an event loop."""
    from kaozheng.providers.stores.artifacts_folder import FolderArtifacts

    folder.mkdir(parents=True, exist_ok=True)
    return Ports(
        artifacts=FolderArtifacts(folder),
        reader=reader(),
        code=code_reader(),
        fetcher=FetchesNothing() if settings.sensitivity == "secret" else SharedFetcher(PROCESS.resident),
        vectors=vectors(settings),
        now=utc_now,
        model=outermost(model_of(settings, PROCESS.resident), settings),
        embedder=embedder_of(settings, PROCESS.resident, settings.sensitivity),
        reranker=reranker_of(settings, PROCESS.resident, settings.sensitivity),
    )


def utc_now() -> datetime:
    """The time in UTC."""
    return datetime.now(UTC)


def _spent(record: RunRecord) -> Usage:
    known = record.usage
    return Usage(
        known.get("input_tokens", 0),
        known.get("output_tokens", 0),
        known.get("cached_tokens", 0),
        known.get("calls", 0),
    )
