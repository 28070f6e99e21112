"""What every request passes before a resource sees it: whose name the host has, which page sent it, how large it is.

Plain ASGI: a wrapper of whole responses would hold back streams.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import Final
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kaozheng.web.refusals import RefusedError, response_to
from kaozheng.web.service import Service

_log = logging.getLogger(__name__)
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_BYTES_A_SECOND: Final = 100_000
_ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
)


class Gate:
    """The outermost layer of the app. Of a keyless service only requests to a name of this machine come in, and none
    that a page of somebody else's sent: the operator's browser could be made to ask (DNS rebinding, forms)."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._local = service.keyless
        self._origins = frozenset(service.origins)
        self._body_s = service.limits.body_s
        self._most = service.limits.body_bytes
        self._most_upload = self._most + service.limits.upload_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        begun = False

        async def marked(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message["headers"] = [*message["headers"], *_ALWAYS, (b"x-request-id", request_id.encode())]
            await send(message)

        try:
            most = self._checked(scope)
            await self._app(scope, _counted(receive, most, self._body_s), marked)
        except RefusedError as error:
            await response_to(error)(scope, receive, marked)
        except Exception as error:
            _log.exception("request %s failed", request_id)
            if begun:
                raise
            await response_to(error)(scope, receive, marked)

    def _checked(self, scope: Scope) -> int:
        """How many bytes the body may have. Raises RefusedError."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if self._local:
            self._require_near(headers)
        upload = headers.get("content-type", "").lower().startswith("multipart/form-data")
        most = self._most_upload if upload else self._most
        length = headers.get("content-length", "0")
        if length.isascii() and length.isdigit() and int(length[:20]) > most:
            raise _too_large(most)
        return most

    def _require_near(self, headers: dict[str, str]) -> None:
        if _name_of(f"//{headers.get('host', '')}") not in _LOOPBACK:
            raise RefusedError(403, "wrong_host", "without a key only requests to localhost are answered")
        origin = headers.get("origin", "")
        if origin and origin not in self._origins and _name_of(origin) not in _LOOPBACK:
            raise RefusedError(403, "wrong_origin", "this page may not call: serve_origins names those that may")


def _name_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _counted(receive: Receive, most: int, body_s: float) -> Receive:
    """`receive` that refuses a body that grows too large, whatever its head said, or that does not get on: it has
    `body_s`, and a second more for each piece of 100 kB that has come. What comes after the body waits as long as it
    likes: it says that the client has hung up."""
    clock = asyncio.get_running_loop().time
    began, seen, whole = clock(), 0, False

    async def counted() -> Message:
        nonlocal seen, whole
        if whole:
            return await receive()
        try:
            async with asyncio.timeout_at(began + body_s + seen / _BYTES_A_SECOND):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, "the body came too slowly", {"Connection": "close"}) from None
        seen += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if seen > most:
            # The one error that the framework's reading of bodies lets through as it is.
            raise HTTPException(413, _too_large(most).message)
        return message

    return counted


def _too_large(most: int) -> RefusedError:
    return RefusedError(413, "too_large", f"the request is too large: {most} bytes are allowed")
