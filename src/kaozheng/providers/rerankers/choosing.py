"""From "PROVIDER:NAME" to a reranker, with the same providers, keys and marks as for models and embedders.

Whatever is opened here refuses the texts of a secret run unless it is private: no other way leads to a reranker.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Final

from kaozheng.errors import NotPrivateError
from kaozheng.models.limits import Slots
from kaozheng.models.messages import Sensitivity
from kaozheng.models.retrying import OnRetry, Patience
from kaozheng.providers.clients import host_of, shared_client
from kaozheng.providers.models.choosing import Endpoint
from kaozheng.providers.pool import Visit
from kaozheng.providers.rerankers.dialects import dialect_of
from kaozheng.providers.rerankers.http_reranker import HttpReranker
from kaozheng.sources.reranking import Reranker

_PATIENCE: Final = Patience(attempts=3, base_s=0.5)
"""Less than for a model: somebody waits for a search that is done already."""


def shared_reranker(
    chosen: Endpoint,
    visit: Visit,
    sensitivity: Sensitivity,
    at_once: int = 8,
    on_retry: OnRetry | None = None,
    patience: Patience | None = None,
) -> Reranker:
    """The reranker for texts of this sensitivity; `visit` holds what is open, `on_retry` hears of further attempts."""
    if sensitivity == "secret" and not chosen.private:
        return OpenOnly(_name(chosen))
    return SharedReranker(chosen, visit, Slots(at_once), patience or _PATIENCE, on_retry)


class OpenOnly:
    """In place of a reranker that may not see secret texts: refuses them with NotPrivateError before any has left."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def rerank(self, query: str, texts: Sequence[str], top: int) -> list[tuple[int, float]]:
        raise NotPrivateError(f"reranker {self.name} is not marked private: texts of a secret run were not sent")


class SharedReranker:
    """A reranker that is opened at the first call in each event loop and shared there; asked again after what may pass.
    A process sends a provider no more calls at once than it takes, those of models and embedders included."""

    def __init__(
        self, chosen: Endpoint, visit: Visit, ours: Slots, patience: Patience, on_retry: OnRetry | None
    ) -> None:
        self._chosen = chosen
        self._visit = visit
        self._ours = ours
        self._all = visit.slots(chosen.account, chosen.provider.at_once)
        self._patience = patience
        self._on_retry = on_retry

    def __repr__(self) -> str:
        return f"SharedReranker({self.name!r})"

    @property
    def name(self) -> str:
        return _name(self._chosen)

    async def rerank(self, query: str, texts: Sequence[str], top: int) -> list[tuple[int, float]]:
        async def once() -> list[tuple[int, float]]:
            async with self._ours, self._all:
                reranker = self._visit.take(("reranker", self._chosen), self._open)
                return await reranker.rerank(query, texts, top)

        return await self._patience.ask(once, f"rerank/{len(texts)}", self._on_retry)

    def _open(self, stack: AsyncExitStack) -> HttpReranker:
        chosen = self._chosen
        client = shared_client(chosen, stack)
        dialect = dialect_of(chosen.provider.prefix, chosen.name)
        return HttpReranker(chosen.name, chosen.base_url, chosen.secret(), client, dialect)


def _name(chosen: Endpoint) -> str:
    return f"{host_of(chosen.base_url)}/{chosen.name}"
