"""As much of an HTTP/1.1 server as a scripted provider needs, on asyncio alone: no dependency, every fault possible."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

_MAX_BODY_BYTES: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Request:
    """One request. Header names are lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> dict[str, Any]:
        """The body as an object; {} when it is none."""
        try:
            value = json.loads(self.body or b"{}")
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}


class Connection:
    """Writes answers to one client. `gone` says that the client has hung up."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @property
    def gone(self) -> bool:
        return self._reader.at_eof() or self._writer.is_closing()

    async def reply(self, status: int, body: bytes, kind: str, headers: dict[str, str]) -> None:
        """A whole answer with its length."""
        await self._head(status, {"Content-Type": kind, "Content-Length": str(len(body)), **headers})
        await self._send(body)

    async def begin_stream(self) -> None:
        """The head of a chunked event stream."""
        await self._head(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})

    async def chunk(self, data: bytes) -> None:
        """One piece of the stream; an empty one ends it."""
        await self._send(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    async def _head(self, status: int, headers: dict[str, str]) -> None:
        lines = [
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
            *(f"{name}: {text}" for name, text in headers.items()),
        ]
        await self._send("\r\n".join((*lines, "", "")).encode("latin-1"))

    async def _send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


Handler = Callable[[Request, Connection], Awaitable[bool]]
"""Answers a request; False hangs up at once, also in the middle of an answer."""


class Listener:
    """Listens on loopback from `start` to `stop`."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.Task[None]] = set()
        self._failures: list[BaseException] = []

    async def start(self, port: int) -> int:
        """The port that is listened on; 0 lets the system choose."""
        self._server = await asyncio.start_server(self._greet, "127.0.0.1", port)
        return int(self._server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Hang up on everyone and free the port. Raises what a handler raised: a wrong answerer must fail its test."""
        if self._server is None:
            return
        self._server.close()
        clients = list(self._clients)
        for client in clients:
            client.cancel()
        await asyncio.gather(*clients, return_exceptions=True)
        await self._server.wait_closed()
        if self._failures:
            raise self._failures[0]

    def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = asyncio.create_task(self._serve(reader, writer))
        self._clients.add(client)
        client.add_done_callback(self._farewell)

    def _farewell(self, client: asyncio.Task[None]) -> None:
        self._clients.discard(client)
        if not client.cancelled() and (failure := client.exception()):
            self._failures.append(failure)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(reader, writer)
        try:
            while (request := await _read_request(reader)) and await self._handler(request, connection):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the client went away or talks something else: nobody is left to be told
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


async def _read_request(reader: asyncio.StreamReader) -> Request | None:
    """The next request of a kept-alive connection, or None when the client has hung up or sends no HTTP."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *rest = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, _, target = first.partition(" ")
    headers = {name.strip().lower(): text.strip() for name, _, text in (line.partition(":") for line in rest)}
    length = headers.get("content-length", "0")
    if not length.isdigit() or int(length) > _MAX_BODY_BYTES:
        return None
    return Request(method, target.split(" ")[0].split("?")[0], headers, await reader.readexactly(int(length)))
