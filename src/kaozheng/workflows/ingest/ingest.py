"""The ingest: find, tell what is unchanged, read side by side, embed in batches, store one document after another.

Whatever was stored stays stored: an ingest that was stopped or killed goes on when it is asked for again, because what
is there is told by its hash before it is read.
"""

from __future__ import annotations

import re
import time
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from kaozheng.errors import InputError, KnowledgeBaseError
from kaozheng.sources.fetching import Fetcher
from kaozheng.sources.files import Files
from kaozheng.sources.index import LABELS, Index, require_base_name
from kaozheng.sources.vectors import Embedder, VectorShelf
from kaozheng.workflows.ingest.ahead import in_order
from kaozheng.workflows.ingest.examining import Examiner
from kaozheng.workflows.ingest.holdings import Holdings, open_holdings
from kaozheng.workflows.ingest.labelling import LABEL_CHARS
from kaozheng.workflows.ingest.report import IngestReport, OnProgress
from kaozheng.workflows.ingest.request import IngestRequest, gone, listed
from kaozheng.workflows.ingest.stash import Stash
from kaozheng.workflows.ingest.tally import Tally
from kaozheng.workflows.ingest.writing import Writer

_USER: Final = re.compile(r"https?:[/\\]*[^/\\?#]*@", re.IGNORECASE)
READ_AHEAD: Final = 4
"""Documents that are looked at while another one is embedded or stored; their texts are held in memory."""


@dataclass(frozen=True, slots=True)
class IngestPorts:
    """What an ingest asks of the world. Without an embedder the base is searched by words; the shelf keeps vectors of
    long documents until these are stored."""

    index: Index
    files: Files
    fetcher: Fetcher
    shelf: VectorShelf
    embedder: Embedder | None = None


async def ingest(request: IngestRequest, ports: IngestPorts, on_progress: OnProgress | None = None) -> IngestReport:
    """Bring the base up to date with the documents of the request. A document that cannot be read or kept is one line
    of the report, the others go in.

    Raises before anything is done: SourceError (a path is not there), KnowledgeBaseError (no name for a base; the base
    is embedded by somebody else). On the way: ModelError when the embedder refuses or is not to be had, StorageError.
    """
    began = time.monotonic()
    _require_sound(request)
    items, folders = await listed(request, ports.files)
    holdings = await open_holdings(ports.index, request.base)
    _require_embedder(request.base, holdings, ports.embedder)
    lost = gone(folders, holdings.names) if request.prune else []
    tally = Tally(len(items) + len(lost), began, on_progress)
    embedder = Stash(ports.embedder, ports.shelf, request.base) if ports.embedder else None
    writer = Writer(ports.index, holdings, embedder, tally)
    examiner = Examiner(request, holdings, ports.files, ports.fetcher)
    async with aclosing(in_order(items, examiner.look, READ_AHEAD)) as looked_at:
        async for one in looked_at:
            await writer.take(one)
    await writer.flush()
    if embedder is not None:
        await embedder.clear()
    for name in lost:
        tally.done(await holdings.remove(name, "its file is gone"))
    order = {item.name: place for place, item in enumerate(items)}
    outcomes = sorted(map(holdings.as_it_is, tally.outcomes), key=lambda one: order.get(one.name, len(order)))
    return IngestReport(request.base, tuple(outcomes), tally.embedded, tally.reused, time.monotonic() - began)


def _require_sound(request: IngestRequest) -> None:
    require_base_name(request.base)
    if not (request.paths or request.urls or request.uploads):
        raise InputError("nothing to add: give files, folders or addresses")
    if unknown := request.labels.keys() - set(LABELS):
        raise InputError(f"no such label: {', '.join(sorted(unknown))}; there are {', '.join(LABELS)}")
    if long := sorted(name for name, value in request.labels.items() if len(value) > LABEL_CHARS):
        raise InputError(f"the label {long[0]} has more than {LABEL_CHARS} characters")
    if any(_USER.match(url) for url in request.urls):  # said here, or a report would repeat the password
        raise InputError("an address names a user or password: pages are fetched without; take it out")


def _require_embedder(base: str, holdings: Holdings, embedder: Embedder | None) -> None:
    """A base is embedded by one embedder, or by none: said once, and not of each document."""
    asked = embedder.name if embedder else ""
    if holdings.embedder in (None, asked):
        return
    kept = f"embedded by {holdings.embedder}" if holdings.embedder else "searched by words alone"
    offered = f"now {asked} is chosen" if asked else "now no embedder is chosen"
    raise KnowledgeBaseError(
        f"{base} is {kept}, {offered}: choose the same (KAOZHENG_EMBEDDER), another base, or remove this one first"
    )
