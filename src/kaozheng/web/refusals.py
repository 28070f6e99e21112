"""Errors as HTTP says them: one shape for all resources, which is the one that clients of OpenAI's API know.

    {"error": {"message": "…", "type": "invalid_request_error", "param": null, "code": "unknown_base"}}

What went wrong on our side is named by its kind alone: messages of databases and providers hold paths and addresses
that are nobody's business outside. Whoever has the log finds the rest by the request id.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from fastapi.responses import JSONResponse

from kaozheng import errors
from kaozheng.access.naming import SEAM

_KINDS: tuple[tuple[type[errors.KaozhengError], int, str], ...] = (
    (errors.UnknownSessionError, 404, "unknown_session"),
    (errors.KnowledgeBaseError, 400, "bad_base"),
    (errors.FetchError, 400, "bad_address"),
    (errors.SettingsError, 500, "misconfigured"),
    (errors.MissingExtraError, 500, "misconfigured"),
    (errors.InputError, 400, "bad_request"),
    (errors.BudgetReachedError, 429, "budget_reached"),
    (errors.NotPrivateError, 403, "not_private"),
    (errors.ModelRefusedError, 502, "model_refused"),
    (errors.ModelUnavailableError, 503, "model_unavailable"),
    (errors.ModelError, 502, "model_failed"),
    (errors.StorageError, 503, "storage_refused"),
)
_TYPES = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error"}
_TYPES |= dict.fromkeys((405, 408, 413, 422), "invalid_request_error") | {429: "rate_limit_error"}


# Messages name a base as it is kept; its owner knows it without the own name.
_OWNER = re.compile(rf"(?<![\w.-])[a-z0-9][a-z0-9-]*{re.escape(SEAM)}(?=[^\W_])")


class RefusedError(Exception):
    """The door's own no: a status, a code for programs, a sentence for people."""

    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.headers = status, code, message, dict(headers or {})


def refusal_of(error: BaseException) -> RefusedError:
    """What to say of an error, foreseen or not."""
    if isinstance(error, RefusedError):
        return error
    if isinstance(error, errors.BusyError):
        status, code = (429, "too_many_requests") if error.own else (503, "overloaded")
        return RefusedError(status, code, str(error), {"Retry-After": str(max(1, math.ceil(error.retry_after_s)))})
    for kind, status, code in _KINDS:
        if isinstance(error, kind):
            said = _OWNER.sub("", str(error)) if status < 500 else (type(error).__doc__ or "").split("\n")[0]
            return RefusedError(status, code, said)
    return RefusedError(500, "internal", "something went wrong on this side; the log has it under the request id")


def body_of(refusal: RefusedError) -> dict[str, Any]:
    """The JSON of a refusal."""
    kind = _TYPES.get(refusal.status, "server_error" if refusal.status >= 500 else "invalid_request_error")
    return {"error": {"message": refusal.message, "type": kind, "param": None, "code": refusal.code}}


def response_to(error: BaseException) -> JSONResponse:
    """The whole response."""
    refusal = refusal_of(error)
    return JSONResponse(body_of(refusal), refusal.status, headers=refusal.headers)
