"""How far an ingest is: the one place where its numbers are counted."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from kaozheng.workflows.ingest.report import OnProgress, Outcome, Progress


@dataclass(slots=True)
class Tally:
    """What became of the documents so far, told to whoever watches. `of` is how many there are, `began` the reading of
    the monotonic clock when it all began."""

    of: int
    began: float
    on_progress: OnProgress | None = None
    outcomes: list[Outcome] = field(default_factory=list)
    chunks: int = 0
    embedded: int = 0
    reused: int = 0

    def done(self, outcome: Outcome) -> None:
        """A document is done."""
        self.outcomes.append(outcome)
        self.chunks += outcome.chunks
        self._tell(outcome)

    def has_embedded(self, texts: int) -> None:
        """So many texts more were embedded."""
        self.embedded += texts
        self._tell()

    def _tell(self, latest: Outcome | None = None) -> None:
        if self.on_progress is None:
            return
        done, took_s = len(self.outcomes), time.monotonic() - self.began
        left_s = took_s / done * (self.of - done) if done and took_s > 1 else None
        self.on_progress(Progress(done, self.of, self.chunks, self.embedded, left_s, latest))
