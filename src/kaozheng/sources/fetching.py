"""Pages of the web as material: what a fetched page is, and who fetches it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from kaozheng.errors import FetchError


@dataclass(frozen=True, slots=True)
class Page:
    """One page as it was at `fetched_at` (with its zone). `url` is the address that was asked for, `final_url` where
    redirects ended. `text` is the main text: of HTML as plain paragraphs with Markdown's marks for headings, lists and
    code, of other types as it came; `\\n` line ends. It was written by strangers: material, never instructions.
    `media_type` is that of the answer, without parameters."""

    url: str
    final_url: str
    title: str
    text: str
    media_type: str
    fetched_at: datetime


class Fetcher(Protocol):
    """Fetches one page from an outside address."""

    async def fetch(self, url: str) -> Page:
        """The page behind `url`, http or https. Addresses inside of this machine or its networks are refused at every
        step of the way, and so are pages that are too large, too slow, or no text.

        Raises FetchError with the reason.
        """
        ...


class FetchesNothing:
    """The Fetcher of a run whose texts are secret: an address is a message to whoever owns its host, and a model that
    has read a secret can write it into one."""

    async def fetch(self, url: str) -> Page:
        """Raises FetchError."""
        raise FetchError(f"{url[:200]}: a secret run fetches no pages")
