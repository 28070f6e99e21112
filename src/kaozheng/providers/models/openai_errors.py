"""The SDK's errors as ours, decided once. Imports the SDK: only `openai_compatible` imports this, lazily."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import openai

from kaozheng.errors import (
    CredentialsError,
    ModelError,
    ModelRefusedError,
    ModelUnavailableError,
    UnknownModelError,
)

_SECRET_LIKE = re.compile(r"\b(?:sk|ak|pk|key|nvapi|gsk|xai)[-_][A-Za-z0-9_*.-]{6,}|Bearer\s+\S+", re.IGNORECASE)
_NO_SUCH_MODEL = re.compile(r"model.{0,80}(?:not exist|not found|unknown|no such|invalid|unsupported)", re.I | re.S)
_WRONG_MODEL = re.compile(r"(?:unknown|no such|invalid|unsupported)\s+model|model_not_found|invalid_model", re.I)
_TOO_LONG = re.compile(r"context.{0,20}(?:length|window)|maximum context|too many tokens|prompt is too long", re.I)
_FILTERED = re.compile(r"content_filter|content filter|data_inspection|sensitive|inappropriate content", re.I)
_NO_CREDIT = re.compile(r"insufficient_quota|insufficient balance|arrearage|exceeded your current quota", re.I)
_DETAIL_CHARS = 200


def redactor(key: str) -> Callable[[str], str]:
    """A function that takes the key, and whatever looks like one, out of a text."""

    def redact(text: str) -> str:
        return _SECRET_LIKE.sub("***", text.replace(key, "***") if key else text)

    return redact


def translated(error: openai.OpenAIError, model: str, host: str, redact: Callable[[str], str]) -> ModelError:
    """Our error for the SDK's. What may be tried again is ModelUnavailableError; a refusal that concerns this one
    prompt (too long, filtered) is a plain ModelError, so that an offline twin can stand in for this one answer."""
    if isinstance(error, openai.APITimeoutError):
        return ModelUnavailableError(f"{host} did not answer in time", kind="time-out")
    if isinstance(error, openai.APIConnectionError):
        cause = type(error.__cause__).__name__ if error.__cause__ else "connection error"
        return ModelUnavailableError(f"the connection to {host} failed ({cause})", kind="no connection")
    if isinstance(error, openai.APIStatusError):
        return _by_status(error, model, host, redact)
    return ModelUnavailableError(f"{host} broke the answer off: {_detail(error, redact)}", kind="broken stream")


def complaint(error: openai.APIStatusError) -> str:
    """All that a refusal says, for reading by code; may hold secrets, so never for people."""
    return f"{error.message} {error.param or ''} {error.code or ''} {error.body or ''}"


def _by_status(error: openai.APIStatusError, model: str, host: str, redact: Callable[[str], str]) -> ModelError:
    status, said = error.status_code, complaint(error)
    detail = f"{_detail(error, redact)} (HTTP {status})"
    if status in (401, 403):
        # The provider's own words are left out: some repeat the key, whole or in part.
        return CredentialsError(f"{host} did not accept the key (HTTP {status})")
    if status == 402 or _NO_CREDIT.search(said):
        return CredentialsError(f"{host} says that the account has no credit (HTTP {status})")
    if status in (408, 409, 425, 429) or status >= 500:
        reason = "is overloaded" if status == 429 else "failed"
        return ModelUnavailableError(f"{host} {reason}: {detail}", retry_after_s(error), kind=str(status))
    if _TOO_LONG.search(said):
        return ModelError(f"the prompt is longer than {model} can read: {detail}")
    if status == 404 or _NO_SUCH_MODEL.search(said) or _WRONG_MODEL.search(said):
        return UnknownModelError(f"{host} does not know the model {model!r}: {detail}; check its name and the base URL")
    if _FILTERED.search(said):
        return ModelError(f"the content filter of {host} refused the prompt: {detail}")
    if status < 400:
        return ModelRefusedError(f"{host} redirects to another address, which is not followed (HTTP {status})")
    return ModelRefusedError(f"{host} refused the request: {detail}")


def retry_after_s(error: openai.APIStatusError) -> float | None:
    """Seconds that the provider asks to wait: a number, or a date in the future; None when it says nothing usable."""
    said = error.response.headers.get("retry-after", "")
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(said)
    except ValueError:
        return None
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


def _detail(error: openai.OpenAIError, redact: Callable[[str], str]) -> str:
    body = getattr(error, "body", None)
    said = body.get("message") if isinstance(body, dict) else None
    text = " ".join(redact(str(said or error)).split())
    return text if len(text) <= _DETAIL_CHARS else text[:_DETAIL_CHARS] + "…"
