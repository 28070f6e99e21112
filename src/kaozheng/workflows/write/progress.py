"""How much of a `write` run is done, read from its events."""

from __future__ import annotations

from kaozheng.journal import Event, EventKind

_READ, _PLANNED, _WRITTEN = 0.02, 0.08, 0.60


class Progress:
    """Takes the events of one run, in order, and says after each what share of the plan is done, 0 to 1.

    Before the outline is known nothing is promised; repairs add nothing, since nobody knows how many there will be. A
    resumed run begins where its first event of a section or review shows it to be. The share never falls.
    """

    def __init__(self) -> None:
        self._share = 0.0
        self._sections: set[int] = set()

    def take(self, event: Event) -> float:
        """The share done, after this event."""
        self._share = max(self._share, self._reached(event))
        return self._share

    def _reached(self, event: Event) -> float:
        if event.kind is EventKind.RUN_FINISHED:
            return 1.0
        data = event.data
        if event.kind is not EventKind.NOTE:
            return 0.0
        if "sources" in data:
            return _READ
        if "outline" in data:
            return _PLANNED
        if "section" in data:
            self._sections.add(data["section"])
            return _PLANNED + (_WRITTEN - _PLANNED) * len(self._sections) / int(data["of"])
        if "assembled" in data:
            return _WRITTEN
        if "violations" in data and (not data["violations"] or data["circuit"]):
            return _WRITTEN + (0.99 - _WRITTEN) * int(data["number"]) / int(data["of"])
        return 0.0
