"""Every endpoint that speaks OpenAI's embeddings protocol (OpenAI, Ark, DashScope, a local server with bge-m3, …)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.request import getproxies

from kaozheng.errors import CredentialsError, ModelError, ModelUnavailableError, ShapeError
from kaozheng.providers.clients import host_of
from kaozheng.providers.models.discreet import hushed, secrets_of
from kaozheng.sources.vectors import Kind

if TYPE_CHECKING:
    import httpx2

    from kaozheng.sources.vectors import Vectors

OPENAI_URL = "https://api.openai.com/v1"
_NO_KEY = "none"  # local servers want a header but read nothing from it


class OpenAIEmbedder:
    """An Embedder behind an OpenAI-compatible endpoint; `base_url` None is OpenAI itself. All texts go into one request
    (`Batched` makes them few), queries and passages as they are. `dimensions` asks for shorter vectors where the model
    offers that. Nothing is tried again here. Raises CredentialsError when OpenAI is asked without a key. The key
    appears in no text, repr or log."""

    def __init__(
        self,
        model: str,
        base_url: str | None,
        key: str | None,
        client: httpx2.AsyncClient,
        dimensions: int | None = None,
    ) -> None:
        if not key and base_url is None:
            raise CredentialsError("no key is set for api.openai.com")
        from openai import AsyncOpenAI

        from kaozheng.providers.models import openai_errors

        url = base_url or OPENAI_URL
        self._model = model
        self._host = host_of(url)
        self._dimensions = dimensions
        self._errors = openai_errors
        self._redact = openai_errors.redactor(key or "")
        self._secrets = secrets_of(key or "", url, *getproxies().values())
        self._sdk = AsyncOpenAI(
            api_key=key or _NO_KEY, base_url=url, http_client=client, timeout=client.timeout, max_retries=0
        )
        # The SDK takes these from the environment, where they belong to another account than this endpoint's.
        self._sdk.organization = self._sdk.project = self._sdk.admin_api_key = self._sdk.webhook_secret = None

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self._model!r}, {self._host!r})"

    @property
    def name(self) -> str:
        size = f"/{self._dimensions}" if self._dimensions else ""
        return f"{self._host}/{self._model}{size}"

    async def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """See Embedder.embed. Raises ModelError; ShapeError when the answer is not one vector a text."""
        import numpy as np

        rows = await self._batch(texts) if texts else []
        if len({len(row) for row in rows}) > 1:
            raise ShapeError(f"{self._host} sent vectors of different lengths")
        vectors = np.asarray(rows, dtype=np.float32).reshape(len(rows), len(rows[0]) if rows else 0)
        if not np.isfinite(vectors).all():
            raise ShapeError(f"{self._host} sent a vector that is not made of numbers")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Vectors = vectors / np.maximum(lengths, np.float32(1e-12))
        return unit

    async def _batch(self, batch: Sequence[str]) -> list[list[float]]:
        outcome = await self._attempt(batch)
        if isinstance(outcome, ModelError):
            # Raised here and not in the handler: a chained SDK error would carry the request with the key.
            raise outcome
        rows = sorted(outcome.data or [], key=lambda item: item.index)
        if [item.index for item in rows] != list(range(len(batch))):
            raise ShapeError(f"{self._host} sent {len(rows)} vectors for {len(batch)} texts")
        return [item.embedding for item in rows]

    async def _attempt(self, batch: Sequence[str]) -> Any:
        import openai

        wanted: dict[str, Any] = {"dimensions": self._dimensions} if self._dimensions else {}
        # An empty text is refused by most endpoints.
        texts = [text if text.strip() else "-" for text in batch]
        try:
            with hushed(self._secrets, wholly=False):
                return await self._sdk.embeddings.create(
                    input=texts, model=self._model, encoding_format="float", **wanted
                )
        except openai.OpenAIError as error:
            return self._errors.translated(error, self._model, self._host, self._redact)
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            return ModelUnavailableError(f"{self._host} sent a broken answer ({type(error).__name__})")
