"""A reranker behind an HTTP endpoint."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.request import getproxies

from kaozheng.errors import ModelError, ModelUnavailableError, ShapeError
from kaozheng.providers.clients import host_of
from kaozheng.providers.models.discreet import hushed, secrets_of
from kaozheng.providers.models.refusals import Refusal, error_of, redactor, retry_after_s, shortened, untrusted
from kaozheng.providers.rerankers.dialects import Dialect

if TYPE_CHECKING:
    import httpx2


class HttpReranker:
    """A Reranker at the operator's `base_url`, in one dialect. Nothing is tried again here. The key appears in no text,
    repr or log."""

    def __init__(self, model: str, base_url: str, key: str, client: httpx2.AsyncClient, dialect: Dialect) -> None:
        self._model = model
        self._host = host_of(base_url)
        self._url = dialect.url(base_url)
        self._dialect = dialect
        self._client = client
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._redact = redactor(key)
        self._secrets = secrets_of(key, base_url, *getproxies().values())

    def __repr__(self) -> str:
        return f"HttpReranker({self._model!r}, {self._host!r})"

    @property
    def name(self) -> str:
        return f"{self._host}/{self._model}"

    async def rerank(self, query: str, texts: Sequence[str], top: int) -> list[tuple[int, float]]:
        """See Reranker.rerank. Raises ModelError; ShapeError when the answer is not a score for each of these texts."""
        wanted = min(top, len(texts))
        if wanted < 1:
            return []
        # An empty text is refused by most endpoints.
        asked = [text if text.strip() else "-" for text in texts]
        outcome = await self._attempt(self._dialect.body(self._model, query, asked, wanted))
        if isinstance(outcome, ModelError):
            # Raised here and not in the handler: a chained error would carry the request with the key.
            raise outcome
        return _best(self._dialect.results(outcome), wanted, len(texts), self._host)

    async def _attempt(self, body: dict[str, Any]) -> Any:
        import httpx2

        try:
            with hushed(self._secrets, wholly=False):
                response = await self._client.post(self._url, json=body, headers=self._headers)
        except httpx2.TimeoutException:
            return ModelUnavailableError(f"{self._host} did not answer in time", kind="time-out")
        except httpx2.TransportError as error:
            if refused := untrusted(error, self._host):
                return refused
            said = f"the connection to {self._host} failed ({type(error).__name__})"
            return ModelUnavailableError(said, kind="no connection")
        return self._read(response)

    def _read(self, response: httpx2.Response) -> Any:
        try:
            answer = response.json()
        except ValueError:
            answer = None
        if response.status_code != 200:
            detail = shortened(self._redact(_complaint(answer) or response.text))
            wait_s = retry_after_s(response.headers.get("retry-after", ""))
            return error_of(Refusal(response.status_code, response.text, detail, wait_s), self._model, self._host)
        if not isinstance(answer, dict):
            return ModelUnavailableError(f"{self._host} sent a broken answer", kind="broken answer")
        return answer


def _complaint(answer: Any) -> str:
    """What a refusal says, under the names that are in use."""
    while isinstance(answer, dict):
        answer = answer.get("error") or answer.get("message") or answer.get("detail")
    return answer if isinstance(answer, str) else ""


def _best(results: Any, wanted: int, count: int, host: str) -> list[tuple[int, float]]:
    """The results as (place, score), best first; ShapeError when they are not those of our texts."""
    if not isinstance(results, list) or not all(isinstance(one, dict) for one in results):
        raise ShapeError(f"{host} sent no list of results")
    found: dict[int, float] = {}
    for one in results:
        place, score = one.get("index"), one.get("relevance_score")
        if type(place) is not int or not 0 <= place < count or place in found:
            raise ShapeError(f"{host} sent a result for text {place!r}, of {count} and each once")
        if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
            raise ShapeError(f"{host} sent a score that is no number: {score!r}")
        found[place] = float(score)
    if len(found) < wanted:
        raise ShapeError(f"{host} sent {len(found)} results, not {wanted}")
    return sorted(found.items(), key=lambda item: -item[1])[:wanted]
