"""What became of each document, and how far an ingest is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Status = Literal["added", "replaced", "unchanged", "duplicate", "empty", "skipped", "failed", "removed"]
"""`added` and `replaced` documents have chunks; `empty` ones have no words; `skipped` ones are of a kind that is not
read, or links; `failed` ones should have been read and were not."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one document. `reason` says why where that is not plain; `duplicate_of` names the document that
    has the same content and labels; `left_out` are parts of it that gave no text, with the reason."""

    name: str
    status: Status
    chunks: int = 0
    reason: str = ""
    duplicate_of: str = ""
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """After each document, and in the middle of long ones: how many documents of all are done, the chunks written and
    the texts embedded so far, and about how long the rest takes (None while that cannot be said). `latest` is the
    document that is done now."""

    done: int
    of: int
    chunks: int
    embedded: int
    seconds_left: float | None
    latest: Outcome | None = None


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class IngestReport:
    """All documents in the order in which they were found, then what was removed. `embedded` counts the texts that were
    given to the embedder, `reused` those whose vectors were there already."""

    base: str
    outcomes: tuple[Outcome, ...]
    embedded: int
    reused: int
    seconds: float

    @property
    def counts(self) -> dict[str, int]:
        """How many documents of each status."""
        return dict(Counter(one.status for one in self.outcomes))

    @property
    def chunks(self) -> int:
        """Chunks written."""
        return sum(one.chunks for one in self.outcomes if one.status in ("added", "replaced"))

    @property
    def exit_code(self) -> int:
        """0, or 1 when a document failed."""
        return int(any(one.status == "failed" for one in self.outcomes))

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON; of a document only what there is to say."""
        documents = [
            {key: value for key in Outcome.__slots__ if (value := getattr(one, key)) or key in ("name", "status")}
            for one in self.outcomes
        ]
        return {
            "base": self.base,
            "counts": self.counts,
            "chunks": self.chunks,
            "embedded": self.embedded,
            "reused": self.reused,
            "seconds": round(self.seconds, 3),
            "documents": documents,
        }
