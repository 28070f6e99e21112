"""Server-sent events: frames, and a response that knows when its reader is gone or too slow."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

HEARTBEAT: Final = b": still here\n\n"
_HEADERS: Final = {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}


def frame(data: Any, event: str = "", id: str = "") -> bytes:
    """One event. JSON has no line ends of its own, so `data` is one line."""
    head = (f"id: {id}\n" if id else "") + (f"event: {event}\n" if event else "")
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"{head}data: {text}\n\n".encode("utf-8", "backslashreplace")


class EventStream(Response):
    """Sends pieces as they come. Ends when they end, when the reader hangs up, or when it takes none for `send_s`;
    `on_gone` is called in the end, whichever it is. The generator is closed then."""

    def __init__(
        self,
        pieces: AsyncGenerator[bytes, None],
        send_s: float,
        on_gone: Callable[[], None],
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.status_code = 200
        self.background = None
        self.init_headers({**_HEADERS, **(headers or {})})
        self._pieces = pieces
        self._send_s = send_s
        self._on_gone = on_gone

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response."""
        try:
            gone = asyncio.create_task(until_gone(receive))
            pump = asyncio.create_task(self._pump(send))
            try:
                await asyncio.wait((gone, pump), return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (gone, pump):
                    task.cancel()
                _, ended = await asyncio.gather(gone, pump, return_exceptions=True)
            # A reader that is too slow finds the connection closed in the middle, which it will not take for the end.
            if isinstance(ended, Exception) and not isinstance(ended, TimeoutError | OSError):
                raise ended
        finally:
            self._on_gone()

    async def _pump(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        try:
            async for piece in self._pieces:
                async with asyncio.timeout(self._send_s):
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
        finally:
            await self._pieces.aclose()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def until_gone(receive: Receive) -> None:
    """Returns when the client has hung up."""
    with suppress(OSError):
        while (await receive())["type"] != "http.disconnect":
            pass
