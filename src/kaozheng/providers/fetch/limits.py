"""How much one fetch may take, as one value for the guard and the fetcher."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """The caps of a fetch. `size_bytes` counts what arrives and, apart from that, what it unpacks to; `total_s` spans
    names, connections, redirects, body and the finding of the main text."""

    ports: frozenset[int] = frozenset({80, 443})
    size_bytes: int = 5_000_000
    connect_s: float = 5.0
    total_s: float = 30.0
    redirects: int = 5
