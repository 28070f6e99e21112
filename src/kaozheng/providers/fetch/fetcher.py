"""The Fetcher over the guarded client: redirects one by one, caps on size and time, text in a known encoding."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from datetime import UTC, datetime

import httpx2

from kaozheng.errors import EncodingError, FetchError
from kaozheng.providers.fetch.html_text import main_text, visible
from kaozheng.providers.fetch.limits import FetchLimits
from kaozheng.providers.fetch.page_encoding import decoded_page
from kaozheng.providers.fetch.urls import Target, checked_url, joined
from kaozheng.sources.fetching import Page
from kaozheng.sources.source import Source, normal_lines

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_TEXT = frozenset({"text/plain", "text/markdown", "text/x-markdown", "application/json"})
_TAKEN = "web pages, plain text, Markdown and JSON are fetched"
_PACKINGS = frozenset({"", "identity", "gzip", "deflate"})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ACCEPT = {"Accept": "text/html, text/markdown, text/plain, application/json;q=0.9"}


class WebFetcher:
    """Fetches pages with `client`, which must be `clients.outside_client(limits)`."""

    def __init__(
        self,
        client: httpx2.AsyncClient,
        limits: FetchLimits | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._client = client
        self._limits = limits or FetchLimits()
        self._now = now

    async def fetch(self, url: str) -> Page:
        """See Fetcher.fetch."""
        target = checked_url(url, self._limits.ports)
        try:
            async with asyncio.timeout(self._limits.total_s):
                return await self._follow(url, target)
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise FetchError(f"{target.host}: the page did not come in time ({self._limits.total_s:g} s)") from error
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            raise FetchError(f"{target.host}: the page did not come: {error}") from error

    async def _follow(self, url: str, target: Target) -> Page:
        for _ in range(self._limits.redirects + 1):
            async with self._client.stream("GET", target.url, headers=_ACCEPT, follow_redirects=False) as response:
                if response.status_code in _REDIRECTS and "location" in response.headers:
                    target = self._next(target, response.headers["location"])
                    continue
                media_type = _media_type(target, response)
                body = await self._body(target, response)
            title, text = await asyncio.to_thread(_read, body, media_type, response.charset_encoding, target)
            if not text.strip():
                raise FetchError(f"{target.host}: the page holds no text")
            return Page(url, target.url, title, text, media_type, self._now())
        raise FetchError(f"{target.host}: more than {self._limits.redirects} redirects")

    def _next(self, target: Target, location: str) -> Target:
        try:
            return joined(target, location, self._limits.ports)
        except FetchError as error:
            raise FetchError(f"{target.host} redirects to where nothing is fetched: {error}") from error

    async def _body(self, target: Target, response: httpx2.Response) -> bytes:
        """The body unpacked. Both what arrives and what it unpacks to are counted as they come, so a small archive
        of a large nothing ends at the cap too."""
        cap = self._limits.size_bytes
        too_large = FetchError(f"{target.host}: the page is larger than {cap:,} bytes")
        length = response.headers.get("content-length", "0")
        if length.isascii() and length.isdigit() and (len(length) > 15 or int(length) > cap):
            raise too_large
        body = bytearray()
        async for part in response.aiter_bytes():
            body += part
            if len(body) > cap or response.num_bytes_downloaded > cap:
                raise too_large
        return bytes(body)


def _media_type(target: Target, response: httpx2.Response) -> str:
    """The answer's type. Raises FetchError for errors, types and packings that are not taken."""
    if response.status_code != 200:
        raise FetchError(f"{target.host} answered with status {response.status_code}")
    packing = response.headers.get("content-encoding", "").strip().lower()
    if packing not in _PACKINGS:
        raise FetchError(f"{target.host}: the page is packed as {packing[:40]!r}, which was not asked for")
    given = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given == "application/pdf":
        raise FetchError(f"{target.host}: this is a PDF, which is not read; {_TAKEN}")
    if given not in _HTML | _TEXT and not re.fullmatch(r"application/[\w.-]{1,80}\+json", given):
        raise FetchError(f"{target.host}: the type is {given[:80] or 'not given'!r}; {_TAKEN}")
    return given


def _read(body: bytes, media_type: str, charset: str | None, target: Target) -> tuple[str, str]:
    """(title, text)"""
    text = normal_lines(_decoded(body, media_type, charset, target))
    name = target.url.partition("?")[0].rstrip("/").rpartition("/")[2]
    if media_type in _HTML:
        title, text = main_text(text)
        return title or name, text
    path = name if media_type != "text/markdown" or name.endswith(".md") else f"{name}.md"
    return Source.of(text[:20_000], path).title, visible(text)


def _decoded(body: bytes, media_type: str, charset: str | None, target: Target) -> str:
    try:
        return decoded_page(body, charset, media_type in _HTML)
    except EncodingError as error:
        raise FetchError(f"{target.host}: {error}") from error
