"""The guard at connect time: an outside address reaches the public internet or nothing.

It stands where connections are made (httpcore2's network backend), below redirects, retries and whatever asked, so
nothing passes beside it. A name is resolved once, every address of the answer must be public, and the connection goes
to an address that was checked: a name that answers differently a second later (rebinding) gains nothing.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpcore2
import httpx2

from kaozheng.errors import FetchError
from kaozheng.providers.fetch.addresses import Address, parsed, why_not_public
from kaozheng.providers.fetch.urls import check_port, checked_url

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a name, as text; raises OSError when there is no such name."""
_TRIED = 4  # addresses of one name; they share the time to connect


async def resolve(name: str, port: int) -> list[str]:
    """What the system's resolver says, each address once, in its order."""
    found = await asyncio.get_running_loop().getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to public addresses on allowed ports, over `network`, and refuses all else with FetchError."""

    def __init__(
        self, ports: frozenset[int], look_up: Resolve = resolve, network: httpcore2.AsyncNetworkBackend | None = None
    ) -> None:
        self._ports = ports
        self._look_up = look_up
        self._network = network or httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore2's
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        check_port(port, self._ports)
        try:
            async with asyncio.timeout(timeout):
                addresses = await self._checked(host, port)
        except TimeoutError:
            raise httpcore2.ConnectTimeout(f"no answer about the name {host} in {timeout} s") from None
        options = list(socket_options or ())
        share = timeout / len(addresses) if timeout else None
        broken: httpcore2.ConnectError | httpcore2.ConnectTimeout | None = None
        for address in addresses:
            try:
                return await self._network.connect_tcp(str(address), port, share, local_address, options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                broken = broken or error
        raise broken or httpcore2.ConnectError(f"{host} cannot be reached")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore2's
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """There is no outside address behind a socket file."""
        raise FetchError("socket files are not outside addresses")

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)

    async def _checked(self, host: str, port: int) -> list[Address]:
        """All addresses of the host; raises FetchError if one of them is not public: an answer that mixes both is
        an attempt, or a name inside of the company."""
        try:
            texts = [host] if parsed(host) else await self._look_up(host, port)
        except (OSError, UnicodeError) as error:
            raise httpcore2.ConnectError(f"there is no address for {host}: {error}") from error
        if not texts:
            raise httpcore2.ConnectError(f"there is no address for {host}")
        addresses: list[Address] = []
        for text in texts:
            address = parsed(text)
            why = "an address with a scope" if address is None else why_not_public(address)
            if address is None or why:
                raise FetchError(f"{host} leads to {text}, which is not on the public internet ({why})")
            addresses.append(address)
        return addresses[:_TRIED]


class GuardedTransport(httpx2.AsyncBaseTransport):
    """httpx2's way to the guarded pool. Each request's URL is checked here as well, so whoever follows a redirect
    cannot leave http and https. Built on public parts only, so that an update cannot take the guard away quietly."""

    def __init__(self, backend: GuardedBackend, ports: frozenset[int]) -> None:
        self._ports = ports
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=httpcore2.default_ssl_context(), network_backend=backend, max_connections=20, retries=0
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        target = checked_url(str(request.url), self._ports)
        raw = request.url
        inner = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(
                scheme=target.scheme.encode(), host=target.host.encode(), port=target.port, target=raw.raw_path
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _as_httpx():
            response = await self._pool.handle_async_request(inner)
        return httpx2.Response(
            status_code=response.status,
            headers=response.headers,
            stream=_Body(response),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Body(httpx2.AsyncByteStream):
    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _as_httpx():
            async for part in self._response.aiter_stream():
                yield part

    async def aclose(self) -> None:
        await self._response.aclose()


@contextmanager
def _as_httpx() -> Iterator[None]:
    try:
        yield
    except httpcore2.TimeoutException as error:
        raise httpx2.TimeoutException(str(error)) from error
    except httpcore2.NetworkError as error:
        raise httpx2.NetworkError(str(error)) from error
    except (httpcore2.ProtocolError, httpcore2.ProxyError, httpcore2.UnsupportedProtocol) as error:
        raise httpx2.TransportError(str(error)) from error
