"""The one place where HTTP clients are made.

`operator_client` is for addresses that the operator wrote into the settings (models, embeddings): loopback and
private networks are allowed, because that is where local models live. Addresses that come from documents or models
get another client with a guard against internal targets.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import httpx2


def operator_client(base_url: str, connect_s: float = 3.0, total_s: float = 600.0) -> httpx2.AsyncClient:
    """A client for one operator address; close it with `aclose`. One client serves one event loop.

    `connect_s` bounds connecting, `total_s` each wait for bytes (words are timed by `models.timed.Timed`: pings count
    as bytes). Redirects are not followed: a provider's answer must not carry the key to another host. Proxies and
    certificates from the environment are honoured (`trust_env`) as companies need them to reach a provider, but
    never for loopback, where a proxy could only be in the way.
    """
    import httpx2  # 0.1 s; nothing that runs offline needs it

    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(total_s, connect=connect_s),
        follow_redirects=False,
        trust_env=not is_loopback(base_url),
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
