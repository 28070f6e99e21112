"""From settings to a service that listens: the knowledge bases and keys, opened for the life of the server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from kaozheng.api.asking import answer, load_answering
from kaozheng.api.keys import list_keys
from kaozheng.api.knowledge import akb_add, akb_remove, akb_search, open_knowledge_desk
from kaozheng.errors import InputError, SourceError
from kaozheng.runs.knowledge_desk import KnowledgeDesk
from kaozheng.settings import Settings, listed
from kaozheng.sources.files import Upload
from kaozheng.sources.index import Within
from kaozheng.web.service import MB, Limits, Service
from kaozheng.web.serving import address_of, bound, is_loopback, run
from kaozheng.wiring import check_embedder, checked_model
from kaozheng.wiring.access import open_keys
from kaozheng.workflows.ask.request import AskRequest
from kaozheng.workflows.ask.result import AskResult
from kaozheng.workflows.ask.telling import OnAskEvent

_SWITCH_S = 0.0005


def serve(settings: Settings, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C or SIGTERM; `ready` is told the address. Raises InputError: an address that others reach while
    there is no key, or that cannot be had; SettingsError, CredentialsError, StorageError before anything listens."""
    checked_model(settings)
    check_embedder(settings)
    keyless = not list_keys(settings)
    if keyless and not is_loopback(host):
        raise InputError(
            f"{host}: without a key only this machine may ask: kaozheng keys add NAME, or --host 127.0.0.1"
        )
    # An answer that is being checked computes in a thread; the others' words shall not wait 5 ms for each of its turns.
    sys.setswitchinterval(_SWITCH_S)
    listener = bound(host, port)
    run(lambda: open_service(settings, keyless), listener, lambda: ready(address_of(listener)))


@asynccontextmanager
async def open_service(settings: Settings, keyless: bool = False) -> AsyncIterator[Service]:
    """What stands behind the door, with these settings. `keyless`: whoever reaches it is the operator, until there is a
    key. Raises StorageError, SettingsError."""
    limits = Limits(
        upload_bytes=settings.serve_upload_mb * MB,
        per_minute=settings.serve_per_minute,
        each=settings.serve_each,
        at_once=settings.serve_at_once,
        waiting=settings.serve_at_once,
    )
    async with open_knowledge_desk(settings) as desk, open_keys(settings) as keys:
        # Or the first question would hold up whoever else is there.
        await asyncio.to_thread(load_answering)

        async def answered(request: AskRequest, on_event: OnAskEvent | None = None) -> AskResult:
            return await answer(desk, request, on_event)

        yield Service(
            answer=answered,
            library=_Library(desk, settings),
            index=desk.index,
            sessions=desk.sessions,
            keys=keys,
            limits=limits,
            keyless=keyless,
            shared=listed(settings.serve_shared),
            origins=listed(settings.serve_origins),
            sensitivity=settings.sensitivity,
        )


class _Library:
    """The Library over an open desk."""

    def __init__(self, desk: KnowledgeDesk, settings: Settings) -> None:
        self._desk = desk
        self._settings = settings

    async def add(
        self, base: str, uploads: Sequence[tuple[str, bytes]], urls: Sequence[str], labels: Mapping[str, str]
    ) -> dict[str, Any]:
        """See Library.add."""
        if any(not one.lower().startswith(("http://", "https://")) for one in urls):
            raise SourceError("only pages can be named by address")  # the API would take a path of this machine
        options: dict[str, Any] = {"uploads": [Upload(name, data) for name, data in uploads], **labels}
        report = await akb_add(list(urls), base, desk=self._desk, settings=self._settings, **options)
        return report.as_dict()

    async def remove(self, base: str, name: str) -> bool:
        """See Library.remove."""
        if await self._desk.index.entry(base, name) is None:  # the API would also take the end of a name
            return False
        await akb_remove(name, base, desk=self._desk, settings=self._settings)
        return True

    async def search(self, within: Within, text: str, limit: int) -> list[dict[str, Any]]:
        """See Library.search."""
        narrowed = within.narrowed
        found = await akb_search(text, within.bases, limit=limit, desk=self._desk, settings=self._settings, **narrowed)
        return [hit.as_dict() for hit in found.hits]
