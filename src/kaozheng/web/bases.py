"""`/v1/kb`: knowledge bases of a key: listed, filled, searched, emptied."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from contextlib import AsyncExitStack
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.datastructures import UploadFile

from kaozheng.access.limits import Places
from kaozheng.access.naming import owned, shown_name
from kaozheng.sources.index import LABELS
from kaozheng.sources.twins import documents_of
from kaozheng.web.asking import Narrow
from kaozheng.web.refusals import RefusedError, body_of
from kaozheng.web.service import Service
from kaozheng.web.visitors import Asking, Behind, Visitor, searched, unknown_base

router = APIRouter(prefix="/v1/kb", tags=["knowledge bases"])
_NAME_CHARS = 200
_ADDRESS = re.compile(r"https?://[^\s/]", re.IGNORECASE)


class Pages(BaseModel):
    """Pages to be fetched and kept, with labels."""

    model_config = ConfigDict(extra="forbid")
    url: str = Field(default="", max_length=2000)
    urls: list[str] = Field(default=[], max_length=50)
    labels: dict[str, str] = {}


class Search(BaseModel):
    """What is searched for."""

    model_config = ConfigDict(extra="forbid")
    query: str = Field(max_length=2000)
    limit: int = Field(default=5, ge=1, le=50)
    within: Narrow = Narrow()


class Desk:
    """How much is read in at once: files are large, and reading them takes child processes."""

    def __init__(self, at_once: int = 2, waiting: int = 8) -> None:
        self._places = Places(at_once, 2, waiting)
        self._lane = asyncio.Semaphore(at_once)

    async def enter(self, stack: AsyncExitStack, who: str) -> None:
        """Wait for a turn, held until the stack closes. Raises BusyError."""
        stack.enter_context(self._places.claim(who))
        await stack.enter_async_context(self._lane)


@router.get("", summary="List bases")
async def listed(visitor: Asking, service: Behind) -> dict[str, list[dict[str, Any]]]:
    """The bases that this key may search; `shared` ones are the operator's and can only be searched."""
    stats = {one.name: one for one in await service.index.bases()}
    mine = set(owned(visitor.owner, stats))
    seen = await searched(service, visitor, ())
    return {
        "bases": [
            {
                **asdict(stats[name]),
                "name": shown_name(visitor.owner, name),
                "shared": name not in mine,
            }
            for name in seen
        ]
    }


@router.delete("/{base}", summary="Delete a base")
async def dropped(base: str, visitor: Asking, service: Behind) -> dict[str, bool]:
    """Nothing of the base is left; answers given before keep what they cited until their session is deleted."""
    if not await service.index.drop(await _own(service, visitor, base)):
        raise unknown_base(base)
    return {"deleted": True}


@router.get("/{base}/documents", summary="List documents")
async def documents(base: str, visitor: Asking, service: Behind) -> dict[str, list[dict[str, Any]]]:
    """The documents of a base, by name."""
    (kept,) = await searched(service, visitor, [base])
    known = documents_of(await service.index.entries(kept))
    return {
        "documents": [
            {
                "name": one.entry.name,
                "title": one.entry.title,
                "labels": asdict(one.entry.labels),
                "duplicate_of": one.duplicate_of,
            }
            for one in known
        ]
    }


@router.post(
    "/{base}/documents",
    summary="Add documents",
    response_model=None,
    openapi_extra={
        "requestBody": {
            "content": {
                "multipart/form-data": {
                    "schema": {
                        "type": "object",
                        "properties": {
                            "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
                            **{name: {"type": "string"} for name in LABELS},
                        },
                    }
                },
                "application/json": {"schema": Pages.model_json_schema()},
            }
        }
    },
)
async def added(base: str, request: Request, visitor: Asking, service: Behind) -> Response:
    """Files as a form (`files`, as many as there are; labels as fields), or pages as JSON (`{"url": "…"}`). The base is
    made when it is new; a document of the same name is replaced. The report has one line a document; when all of them
    failed the status is 422, and the report says why beside `error`."""
    kept = visitor.kept(base)
    async with AsyncExitStack() as stack:
        await request.app.state.desk.enter(stack, visitor.name)
        if request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
            uploads, labels = await _form(request, service)
            urls: list[str] = []
        else:
            uploads = []
            urls, labels = await _pages(request)
        report: dict[str, Any] = visitor.shown(await service.library.add(kept, uploads, urls, labels))
    documents = report.get("documents", ())
    if documents and all(one["status"] == "failed" for one in documents):
        why = "; ".join(f"{one['name']}: {one.get('reason', '')}" for one in documents[:5])
        return JSONResponse({**report, **body_of(RefusedError(422, "nothing_added", why))}, 422)
    return JSONResponse(report)


@router.delete("/{base}/documents/{name:path}", summary="Delete a document")
async def removed(base: str, name: str, visitor: Asking, service: Behind) -> dict[str, bool]:
    """Nothing of the document is left in the base; no new answer cites it. Answers given before keep the passages that
    they cited until their session is deleted."""
    if not name.strip():  # an address that was put together with an empty variable
        raise RefusedError(400, "bad_name", "name the document, or delete the base itself")
    if not await service.library.remove(await _own(service, visitor, base), name):
        raise RefusedError(404, "unknown_document", f"{base} has no document {name[:200]}")
    return {"deleted": True}


@router.post("/{base}/search", summary="Search a base")
async def search(base: str, given: Search, visitor: Asking, service: Behind) -> dict[str, Any]:
    """The chunks that answer best, with their places and scores."""
    bases = await searched(service, visitor, [base])
    hits = await service.library.search(given.within.within(bases), given.query, given.limit)
    return {"hits": visitor.shown(hits)}


async def _own(service: Service, visitor: Visitor, base: str) -> str:
    """The kept name of a base that this visitor may change. Raises RefusedError (404)."""
    kept = visitor.kept(base)
    if kept not in [one.name for one in await service.index.bases()]:
        raise unknown_base(base)
    return kept


async def _form(request: Request, service: Service) -> tuple[list[tuple[str, bytes]], dict[str, str]]:
    most = service.limits.uploads
    async with request.form(max_files=most, max_fields=20, max_part_size=10_000) as form:
        files = [one for _, one in form.multi_items() if isinstance(one, UploadFile)]
        labels = {name: value for name, value in form.multi_items() if isinstance(value, str)}
        if not files:
            raise RefusedError(400, "no_files", "the form has no file: -F files=@report.pdf")
        uploads = [(_name_of(one), await one.read()) for one in files]
    return uploads, _known(labels)


async def _pages(request: Request) -> tuple[list[str], dict[str, str]]:
    try:
        given = Pages.model_validate_json(await request.body())
    except ValidationError as error:
        raise RefusedError(400, "bad_request", said_of(error)) from None
    urls = [*([given.url] if given.url else []), *given.urls]
    # A path would be one on this machine. What was given is not repeated: it may hold a password.
    if strange := [place for place, one in enumerate(urls, start=1) if not _ADDRESS.match(one)]:
        raise RefusedError(400, "bad_address", f"page {strange[0]} of {len(urls)} has no address: https://…")
    if not urls:
        raise RefusedError(400, "no_pages", 'name a page: {"url": "https://…"}, or send files as a form')
    return urls, _known(given.labels)


def _known(labels: dict[str, str]) -> dict[str, str]:
    if strange := sorted(set(labels) - set(LABELS)):
        raise RefusedError(400, "unknown_label", f"there is no label {strange[0][:80]}: {', '.join(LABELS)}")
    return labels


def _name_of(file: UploadFile) -> str:
    """The file's own name, without folders: it is never a path here, and shall not look like one. What cannot be seen
    in a name is refused and not left out: the rest may be the name of another document."""
    name = unicodedata.normalize("NFC", file.filename or "").replace("\\", "/").rpartition("/")[2]
    if not name.isprintable() or name != name.strip():
        raise RefusedError(400, "bad_name", "a file's name holds control characters, or begins or ends with a blank")
    if not name.strip(".") or len(name) > _NAME_CHARS:
        raise RefusedError(400, "bad_name", f"a file needs a name of at most {_NAME_CHARS} characters")
    return name


def said_of(error: ValidationError) -> str:
    """What does not fit, by field; never what was given."""
    faults = error.errors(include_input=False, include_url=False, include_context=False)
    return "; ".join(f"{'.'.join(map(str, one['loc'])) or 'body'}: {one['msg']}" for one in faults[:5])
