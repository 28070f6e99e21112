"""Which reranker reads what a search found."""

from __future__ import annotations

from dataclasses import asdict

from kaozheng.models.messages import Sensitivity
from kaozheng.ports import Emit
from kaozheng.providers.clients import check_environment
from kaozheng.providers.models.choosing import Endpoint, protocol_endpoint
from kaozheng.providers.pool import Visit
from kaozheng.providers.rerankers.choosing import shared_reranker
from kaozheng.settings import Settings
from kaozheng.sources.reranking import Reranker
from kaozheng.wiring.models import endpoint_of


def reranker_of(
    settings: Settings, visit: Visit, sensitivity: Sensitivity = "internal", emit: Emit | None = None
) -> Reranker | None:
    """The chosen reranker, or None: what is found keeps its fused order. One that is not private refuses the texts of a
    secret run. `emit` hears of further attempts. Raises SettingsError or CredentialsError."""
    if not settings.reranker:
        return None
    told = (lambda retry: emit("retry", asdict(retry))) if emit else None
    return shared_reranker(reranking_endpoint_of(settings), visit, sensitivity, settings.at_once, told)


def check_reranker(settings: Settings) -> None:
    """Raises SettingsError or CredentialsError when the chosen reranker cannot be used, before anything starts."""
    if settings.reranker:
        check_environment(reranking_endpoint_of(settings).base_url)


def reranking_endpoint_of(settings: Settings) -> Endpoint:
    """Where the chosen reranker is asked. Raises SettingsError or CredentialsError."""
    return protocol_endpoint("reranker", settings.reranker, lambda text: endpoint_of(settings, text))
