"""How much of a `summarize` run is done, read from its events."""

from __future__ import annotations

from typing import Any

from kaozheng.journal import Event, EventKind

_READ, _SUMMARISED, _PLANNED, _WRITTEN, _CHECKED = 0.02, 0.62, 0.66, 0.90, 0.97
_MOST_CHECKS = 3  # the first one, and one behind each round


class SummaryProgress:
    """Takes the events of one run, in order, and says after each what share of it is done, 0 to 1.

    A run that was resumed among its blocks does not say again how many there are: its share stands still until the
    outline is made. The share never falls.
    """

    def __init__(self) -> None:
        self._share = 0.0
        self._blocks = 0
        self._done = 0

    def take(self, event: Event) -> float:
        """The share done, after this event."""
        if event.kind is EventKind.RUN_FINISHED:
            self._share = 1.0
        elif event.kind is EventKind.NOTE:
            self._share = max(self._share, self._reached(event.data))
        return self._share

    def _reached(self, data: dict[str, Any]) -> float:
        if "sources" in data:
            self._blocks = sum(data["blocks"])
            return _READ
        if "block" in data and self._blocks:
            self._done += 1
            return _part(_READ, _SUMMARISED, self._done / self._blocks)
        if "outline" in data:
            return _PLANNED
        if "section" in data and "of" in data:
            return _part(_PLANNED, _WRITTEN, data["section"] / data["of"])
        if "lost" in data:
            return _part(_WRITTEN, _CHECKED, data["round"] / _MOST_CHECKS)
        return _CHECKED if "assembled" in data else 0.0


def _part(start: float, end: float, share: float) -> float:
    return start + (end - start) * min(1.0, share)
