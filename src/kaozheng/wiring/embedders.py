"""Which embedder turns texts into vectors."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, replace

from kaozheng.models.messages import Sensitivity
from kaozheng.ports import Emit
from kaozheng.providers.clients import check_environment
from kaozheng.providers.embeddings.choosing import Embedding, embedding_endpoint, shared_embedder
from kaozheng.providers.models.choosing import Endpoint
from kaozheng.providers.pool import PROCESS, Visit
from kaozheng.settings import Settings
from kaozheng.sources.vectors import Embedder
from kaozheng.wiring.models import endpoint_of

MADE_READY = "models"
"""The part of the data folder that holds what was made of models, and can be made again."""


@asynccontextmanager
async def open_embedder(
    settings: Settings, sensitivity: Sensitivity = "internal", emit: Emit | None = None
) -> AsyncIterator[Embedder | None]:
    """The chosen embedder outside of a run."""
    async with PROCESS.visit() as visit:
        yield embedder_of(settings, visit, sensitivity, emit)


def embedder_of(
    settings: Settings, visit: Visit, sensitivity: Sensitivity = "internal", emit: Emit | None = None
) -> Embedder | None:
    """The chosen embedder, or None: texts are then ranked by their words. One that is not private refuses the texts of
    a secret run. `emit` hears of what is made ready once and of further attempts. Raises SettingsError or
    CredentialsError."""
    if not settings.embedder:
        return None
    how = Embedding(settings.embed_batch, settings.at_once, settings.folder / MADE_READY)
    if emit is not None:
        how = replace(how, tell=lambda line: emit("note", {"said": line}))
        how = replace(how, on_retry=lambda retry: emit("retry", asdict(retry)))
    return shared_embedder(embedding_endpoint_of(settings), visit, sensitivity, how)


def check_embedder(settings: Settings) -> None:
    """Raises SettingsError or CredentialsError when the chosen embedder cannot be used, before anything starts."""
    if settings.embedder and (chosen := embedding_endpoint_of(settings)):
        check_environment(chosen.base_url)


def embedding_endpoint_of(settings: Settings) -> Endpoint | None:
    """Where the chosen embedder is asked; None for one inside of this process."""
    return embedding_endpoint(settings.embedder, lambda text: endpoint_of(settings, text))
