"""The SDK's errors as ours, decided once. Imports the SDK: only `openai_compatible` imports this, lazily."""

from __future__ import annotations

from collections.abc import Callable

import openai

from kaozheng.errors import ModelError, ModelUnavailableError
from kaozheng.providers.models.refusals import Refusal, error_of, redactor, retry_after_s, shortened, untrusted

__all__ = ["complaint", "redactor", "translated"]


def translated(error: openai.OpenAIError, model: str, host: str, redact: Callable[[str], str]) -> ModelError:
    """Our error for the SDK's."""
    if isinstance(error, openai.APITimeoutError):
        return ModelUnavailableError(f"{host} did not answer in time", kind="time-out")
    if isinstance(error, openai.APIConnectionError):
        if refused := untrusted(error, host):
            return refused
        cause = type(error.__cause__).__name__ if error.__cause__ else "connection error"
        return ModelUnavailableError(f"the connection to {host} failed ({cause})", kind="no connection")
    if isinstance(error, openai.APIStatusError):
        wait_s = retry_after_s(error.response.headers.get("retry-after", ""))
        return error_of(Refusal(error.status_code, complaint(error), _detail(error, redact), wait_s), model, host)
    return ModelUnavailableError(f"{host} broke the answer off: {_detail(error, redact)}", kind="broken stream")


def complaint(error: openai.APIStatusError) -> str:
    """All that a refusal says, for reading by code; may hold secrets, so never for people."""
    return f"{error.message} {error.param or ''} {error.code or ''} {error.body or ''}"


def _detail(error: openai.OpenAIError, redact: Callable[[str], str]) -> str:
    body = getattr(error, "body", None)
    said = body.get("message") if isinstance(body, dict) else None
    return shortened(redact(str(said or error)))
