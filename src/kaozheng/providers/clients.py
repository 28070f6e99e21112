"""The one place where HTTP clients are made.

`operator_client` is for addresses that the operator wrote into the settings (models, embeddings): loopback and
private networks are allowed, because that is where local models live. `outside_client` is for addresses that come from
documents, models or users' texts: it reaches the public internet or nothing.
"""

from __future__ import annotations

import ipaddress
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from kaozheng.errors import SettingsError
from kaozheng.providers.pool import PROCESS

if TYPE_CHECKING:
    import httpx2

    from kaozheng.providers.fetch.guard import GuardedBackend
    from kaozheng.providers.fetch.limits import FetchLimits
    from kaozheng.providers.models.choosing import Endpoint


def operator_client(base_url: str, connect_s: float = 3.0, total_s: float = 600.0) -> httpx2.AsyncClient:
    """A client for one operator address; close it with `aclose`. One client serves one event loop.

    `connect_s` bounds connecting, `total_s` each wait for bytes (words are timed by `models.timed.Timed`: pings count
    as bytes). Redirects are not followed: a provider's answer must not carry the key to another host. Proxies and
    certificates from the environment are honoured (`trust_env`) as companies need them to reach a provider, but
    never for loopback, where a proxy could only be in the way.
    """
    import httpx2  # 0.1 s; nothing that runs offline needs it

    try:
        return httpx2.AsyncClient(
            timeout=httpx2.Timeout(total_s, connect=connect_s),
            follow_redirects=False,
            trust_env=not is_loopback(base_url),
        )
    except (ValueError, OSError, httpx2.InvalidURL) as error:
        # Not what the library says: it repeats the address, and a proxy's may hold a password.
        raise SettingsError(
            f"a proxy or certificate that the environment names cannot be used ({type(error).__name__}): look at "
            "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE and SSL_CERT_DIR"
        ) from None


def check_environment(base_url: str) -> None:
    """Raises SettingsError when the environment's proxies or certificates would keep `operator_client` from being made:
    a run must hear of it before it starts."""
    operator_client(base_url)


def shared_client(chosen: Endpoint, stack: AsyncExitStack) -> httpx2.AsyncClient:
    """The `operator_client` that the running event loop has for this address, key and times: all models and embedders
    of one account share its connections. `stack` gives it back; the last one closes it."""
    key = ("client", chosen.base_url, chosen.key, chosen.connect_s, chosen.call_s)

    def make(own: AsyncExitStack) -> httpx2.AsyncClient:
        client = operator_client(chosen.base_url, chosen.connect_s, chosen.call_s)
        own.push_async_callback(client.aclose)
        return client

    client = PROCESS.take(key, make, stack)
    stack.push_async_callback(PROCESS.leave, stack)
    return client


def outside_client(limits: FetchLimits) -> httpx2.AsyncClient:
    """The guarded client for addresses that others named; close it with `aclose`. One client serves one event loop.

    Every connection is checked by `providers.fetch.guard`, whoever asks for it. No proxies from the environment: behind
    one, the guard would check the proxy's address and the proxy would connect anywhere. No cookies are kept. Redirects
    are not followed by the client, because it would read their bodies without a limit.
    """
    from kaozheng.providers.fetch.guard import GuardedBackend

    return guarded_client(limits, GuardedBackend(limits.ports))


def guarded_client(limits: FetchLimits, backend: GuardedBackend) -> httpx2.AsyncClient:
    """`outside_client` over a guard at hand, whose resolver or network may be another's (tests)."""
    from http.cookiejar import CookieJar, DefaultCookiePolicy

    import httpx2

    from kaozheng.providers.fetch.guard import GuardedTransport

    return httpx2.AsyncClient(
        transport=GuardedTransport(backend, limits.ports),
        timeout=httpx2.Timeout(limits.total_s, connect=limits.connect_s),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        headers={"User-Agent": "kaozheng", "Accept-Encoding": "gzip, deflate"},
        follow_redirects=False,
        trust_env=False,
    )


def is_loopback(url: str) -> bool:
    """True for localhost, 127.0.0.0/8 and ::1, judged by the written name without asking a resolver."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def host_of(url: str) -> str:
    """Host and port for messages: no path, no user name, no password, no query."""
    parts = urlsplit(url)
    return parts.netloc.rpartition("@")[2] or url.split("?")[0][:60]
