"""Which pages of the web a conversation may fetch. An address is a message to whoever owns its host, so a text that has
been read must not be able to choose it (decision 0029)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

_LINK = re.compile(r"https?://[^\s<>\"'`\\|^{}\u2e80-\uffef]+", re.IGNORECASE)
_TRAILING = ".,;:!?*_~"
_PATH_CHARS = 200


def links_in(text: str) -> tuple[str, ...]:
    """The http and https addresses of a text, each once, without the marks of the sentence around them."""
    return tuple(dict.fromkeys(_bare(found[0]) for found in _LINK.finditer(text)))


@dataclass(frozen=True, slots=True)
class WebReach:
    """`named` are the addresses that the user's request names: they and other pages of their hosts may be fetched,
    those without a query. `open_web` lifts that; the operator chooses it."""

    named: tuple[str, ...] = ()
    open_web: bool = False

    @property
    def anything(self) -> bool:
        """Whether there is any page that may be fetched."""
        return self.open_web or bool(self.named)

    def refusal(self, url: str) -> str:
        """Why this address may not be fetched; "" when it may."""
        if self.open_web or url in self.named:
            return ""
        parts = _split(url)
        if parts is None or not _host(parts):
            return "not an address that can be fetched"
        if parts.username is not None or _host(parts) not in {_host(_split(one)) for one in self.named}:
            return "only pages of the hosts that the request names are fetched"
        if parts.query or parts.fragment or len(parts.path) > _PATH_CHARS:
            return (
                "only the addresses of the request may have a query; others are a plain path of at most 200 characters"
            )
        return ""


def _split(url: str) -> SplitResult | None:
    if re.search(r"[\s\\\x00-\x20]", url):
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme in ("http", "https") else None


def _host(parts: SplitResult | None) -> str:
    """Host and port, as two addresses have them in common that lead to the same server."""
    if parts is None or not parts.hostname:
        return ""
    port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    return parts.hostname.casefold().rstrip(".") + ("" if port in (80, 443) else f":{port}")


def _bare(link: str) -> str:
    while link:
        end = link[-1]
        unopened = (end == ")" and link.count("(") < link.count(")")) or (
            end == "]" and link.count("[") < link.count("]")
        )
        if end not in _TRAILING and not unopened:
            break
        link = link[:-1]
    return link


def without_links(text: str) -> str:
    """The text without its addresses."""
    return " ".join(_LINK.sub(" ", text).split())
