"""Listening: a socket, uvicorn on it, and how both end."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final

import uvicorn

from kaozheng.errors import InputError
from kaozheng.web.app import create_app

if TYPE_CHECKING:
    from kaozheng.web.service import Service

_GRACE_S: Final = 20
"""How long running answers may take to end after the first Ctrl-C."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine reaches the address."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def bound(host: str, port: int) -> socket.socket:
    """A socket that has the address; port 0 lets the system choose. Raises InputError when it cannot be had."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
        except OSError:
            listener.close()
            raise
    except OSError as error:
        raise InputError(f"{host}:{port} cannot be listened on: {error.strerror or error}") from None
    return listener


def address_of(listener: socket.socket) -> str:
    """The address for clients."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def serve(service: Service, listener: socket.socket, ready: Callable[[], None], stop: asyncio.Event) -> None:
    """Serve until `stop` is set: no new questions, running answers get some time. Set once more, at once. Answers that
    have not ended by then are cancelled, and waited for until they have written that down. The listener is closed."""
    app = create_app(service)
    server = _Server(
        uvicorn.Config(
            app,
            lifespan="off",  # what it would do is done below, also when the server is stopped at once
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_GRACE_S,
        ),
        ready,
    )
    beside = (
        asyncio.create_task(_watch(server, stop)),
        asyncio.create_task(_close_slow_heads(server, service.limits.head_s)),
    )
    try:
        await server.serve(sockets=[listener])
    finally:
        for task in beside:
            task.cancel()
        await app.state.answers.close()


def run(opened: Callable[[], Any], listener: socket.socket, ready: Callable[[], None]) -> None:
    """Open the service, serve it until Ctrl-C or SIGTERM, close it. Raises what opening raises."""

    async def whole() -> None:
        stop = asyncio.Event()
        with _signals(stop):
            async with opened() as service:
                await serve(service, listener, ready, stop)

    with listener:
        asyncio.run(whole())


class _Server(uvicorn.Server):
    """uvicorn, which says when it listens and leaves signals to us."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


async def _watch(server: _Server, stop: asyncio.Event) -> None:
    await stop.wait()
    server.should_exit = True
    stop.clear()
    await stop.wait()
    server.force_exit = True


async def _close_slow_heads(server: _Server, head_s: float) -> None:
    """Cut connections that have no request under way for so long: uvicorn waits for the end of a head for ever, and
    takes each byte of a body that nobody reads for a sign of life."""
    clock = asyncio.get_running_loop().time
    idle: dict[Any, tuple[Any, float]] = {}
    while True:
        await asyncio.sleep(head_s / 6)
        now, known = clock(), idle
        idle = {}
        for connection in list(server.server_state.connections):
            cycle = getattr(connection, "cycle", None)
            if cycle is not None and not cycle.response_complete:
                continue
            before, since = known.get(connection, (cycle, now))
            idle[connection] = (cycle, since if before is cycle else now)
            if now - idle[connection][1] >= head_s:
                connection.transport.abort()


@contextmanager
def _signals(stop: asyncio.Event) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    try:
        for number in _SIGNALS:
            loop.add_signal_handler(number, stop.set)
    except NotImplementedError:  # Windows: Ctrl-C raises KeyboardInterrupt there
        yield
        return
    try:
        yield
    finally:
        for number in _SIGNALS:
            with contextlib.suppress(ValueError):
                loop.remove_signal_handler(number)
