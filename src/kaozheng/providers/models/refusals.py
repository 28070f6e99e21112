"""What a provider's refusal means, by its status and words; the same for every vendor, so decided in one place."""

from __future__ import annotations

import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from kaozheng.errors import (
    CredentialsError,
    ModelError,
    ModelRefusedError,
    ModelUnavailableError,
    ToolsRefusedError,
    UnknownModelError,
)

_SECRET_LIKE = re.compile(
    r"\b(?:sk|ak|pk|key|nvapi|gsk|xai)[-_][A-Za-z0-9_*.-]{6,}|\bAIza[\w-]{10,}|Bearer\s+\S+", re.IGNORECASE
)
_NO_SUCH_MODEL = re.compile(r"model.{0,80}(?:not exist|not found|unknown|no such|invalid|unsupported)", re.I | re.S)
_WRONG_MODEL = re.compile(r"(?:unknown|no such|invalid|unsupported)\s+model|model_not_found|invalid_model", re.I)
_TOO_LONG = re.compile(r"context.{0,20}(?:length|window|size)|maximum context|too many tokens|prompt is too long", re.I)
_FILTERED = re.compile(r"content_filter|content filter|data_inspection|sensitive|inappropriate content", re.I)
_NO_CREDIT = re.compile(
    r"insufficient_quota|insufficient balance|arrearage|exceeded your current quota|credit balance is too low", re.I
)
_BAD_KEY = re.compile(r"api[ _]key.{0,20}(?:not valid|invalid|expired)|api_key_invalid", re.I)
_TOOLS = r"\b(?:tools?(?:[ _-](?:use|calls?|calling|choice|param\w*))?|function[ _-]calling)\b"
_NO_TOOLS = re.compile(
    rf"(?:\bnot|n't|\bno\b.{{0,40}}) support(?:ed)?\b.{{0,30}}{_TOOLS}"  # Ollama, OpenRouter, DeepSeek
    rf"|{_TOOLS}.{{0,40}}(?:\bnot (?:be )?supported|\bunsupported|\brequires\b)"  # OpenAI, DashScope, vLLM, llama.cpp
    rf"|(?:unsupported|unrecognized|unknown|unexpected).{{0,60}}\btools\b",
    re.I,
)
_DETAIL_CHARS = 200
_LINKS = 10  # of a chain of causes


@dataclass(frozen=True, slots=True)
class Refusal:
    """An HTTP answer that is no success. `said` is all its text, for reading by code and never for people;
    `detail` is what a person may read of it, already without secrets."""

    status: int
    said: str
    detail: str
    retry_after_s: float | None = None


def redactor(key: str) -> Callable[[str], str]:
    """A function that takes the key, and whatever looks like one, out of a text."""

    def redact(text: str) -> str:
        return _SECRET_LIKE.sub("***", text.replace(key, "***") if key else text)

    return redact


def shortened(text: str) -> str:
    """One line of at most 200 characters."""
    line = " ".join(text.split())
    return line if len(line) <= _DETAIL_CHARS else line[:_DETAIL_CHARS] + "…"


def untrusted(error: BaseException, host: str) -> ModelRefusedError | None:
    """Our error where the connection failed because the server's certificate is not trusted: it will not be another one
    when asked again, and whoever sits in between must not get the key. None where something else went wrong."""
    link: BaseException | None = error
    for _ in range(_LINKS):
        if isinstance(link, ssl.SSLCertVerificationError):
            said = getattr(link, "verify_message", "") or "certificate verify failed"
            return ModelRefusedError(
                f"the certificate of {host} is not trusted ({said}); check the address and SSL_CERT_FILE"
            )
        link = link and (link.__cause__ or link.__context__)
    return None


def error_of(refusal: Refusal, model: str, host: str) -> ModelError:
    """Our error. What may be tried again is ModelUnavailableError; a refusal that concerns this one prompt (too long,
    filtered) is a plain ModelError, so that an offline twin can stand in for this one answer."""
    status, said = refusal.status, refusal.said
    detail = f"{refusal.detail} (HTTP {status})"
    if status in (401, 403) or (status == 400 and _BAD_KEY.search(said)):
        # The provider's own words are left out: some repeat the key, whole or in part.
        return CredentialsError(f"{host} did not accept the key (HTTP {status})")
    if status == 402 or _NO_CREDIT.search(said):
        return CredentialsError(f"{host} says that the account has no credit (HTTP {status})")
    if status not in (408, 409, 425, 429) and _NO_TOOLS.search(said):
        # Before the others: some send it as 404, llama.cpp as 500.
        return ToolsRefusedError(f"{model} at {host} takes no tools: {detail}")
    if status in (408, 409, 425, 429) or status >= 500:
        reason = "is overloaded" if status in (429, 529) else "failed"
        return ModelUnavailableError(f"{host} {reason}: {detail}", refusal.retry_after_s, kind=str(status))
    if _TOO_LONG.search(said):
        return ModelError(f"the prompt is longer than {model} can read: {detail}")
    if status == 404 or _NO_SUCH_MODEL.search(said) or _WRONG_MODEL.search(said):
        return UnknownModelError(f"{host} does not know the model {model!r}: {detail}; check its name and the base URL")
    if _FILTERED.search(said):
        return ModelError(f"the content filter of {host} refused the prompt: {detail}")
    if status < 300:
        # An error inside a stream that had begun well.
        return ModelUnavailableError(f"{host} broke the answer off: {refusal.detail}", kind="broken stream")
    if status < 400:
        return ModelRefusedError(f"{host} redirects to another address, which is not followed (HTTP {status})")
    return ModelRefusedError(f"{host} refused the request: {detail}")


def retry_after_s(said: str) -> float | None:
    """Seconds that a Retry-After header asks to wait: a number, or a date in the future; None when it says nothing
    usable."""
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(said)
    except ValueError:
        return None
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
