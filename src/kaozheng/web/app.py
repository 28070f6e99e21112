"""The app: all resources behind the gate, and errors in one shape."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from kaozheng.access.limits import Pace
from kaozheng.errors import KaozhengError
from kaozheng.web import asking, bases, chat, sessions
from kaozheng.web.gate import Gate
from kaozheng.web.refusals import RefusedError, response_to
from kaozheng.web.running import Answers
from kaozheng.web.service import Service

_CODES = {404: "not_found", 405: "method_not_allowed", 408: "too_slow", 413: "too_large"}


def create_app(service: Service) -> FastAPI:
    """The app over this service, which must stay open for the app's life. When that ends, running answers are let go,
    each written down as cancelled."""
    answers = Answers(service.limits)

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await answers.close()

    # The framework's pages for people load their scripts from elsewhere; the description itself is served.
    app = FastAPI(title="Kaozheng", lifespan=life, docs_url=None, redoc_url=None, version="1")
    app.state.service, app.state.answers = service, answers
    app.state.pace, app.state.desk = Pace(service.limits.per_minute), bases.Desk()
    _add_resources(app)
    for kind in (KaozhengError, RefusedError):
        app.add_exception_handler(kind, _refused)
    app.add_exception_handler(RequestValidationError, _misshapen)
    app.add_exception_handler(HTTPException, _plain)
    if service.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(service.origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Last-Event-ID"],
            expose_headers=["X-Request-Id", "X-Answer-Id"],
        )
    app.add_middleware(Gate, service=service)
    return app


def description() -> dict[str, Any]:
    """All resources in the words of OpenAPI, as `/openapi.json` serves them."""
    app = FastAPI(title="Kaozheng", version="1")
    _add_resources(app)
    return app.openapi()


def _add_resources(app: FastAPI) -> None:
    for room in (asking, chat, sessions, bases):
        app.include_router(room.router)
    app.add_api_route("/healthz", _alive, methods=["GET"], tags=["health"], summary="Whether the server is there")


async def _alive() -> dict[str, str]:
    """Needs no key and says nothing else."""
    return {"status": "ok"}


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    return response_to(error)


async def _misshapen(_request: Request, error: Exception) -> JSONResponse:
    faults: list[Any] = list(error.errors()) if isinstance(error, RequestValidationError) else []
    # By field and what is wrong with it: what was given is not repeated.
    said = "; ".join(f"{_place(one['loc'])}: {one['msg']}" for one in faults[:5])
    return response_to(RefusedError(400, "bad_request", said or "the request is not understood"))


def _place(path: tuple[Any, ...]) -> str:
    return ".".join(str(part) for part in path if part != "body") or "body"


async def _plain(_request: Request, error: Exception) -> JSONResponse:
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = error.headers if isinstance(error, HTTPException) else None
    said = str(error.detail) if isinstance(error, HTTPException) else ""
    return response_to(RefusedError(status, _CODES.get(status, "bad_request"), said, headers))
