"""The breaker of a conversation with tools: notices calls that lead nowhere, and counts what was wasted.

It is pure: it sees results and says why to stop. How many rounds there are at most is the loop's own limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kaozheng.tools.result import ToolResult

PATIENCE: Final = 2
"""Rounds in a row that bring nothing new before the conversation is stopped."""
SAME, BACK_AND_FORTH, NO_GAIN = "the same calls again", "calls that go back and forth", "nothing new"
_UNREAD = frozenset({"bad_arguments", "unknown"})


@dataclass(frozen=True, slots=True)
class Tally:
    """Calls by what became of them. A call counts once: as stopped, as one whose name or arguments did not fit, or as
    one that brought nothing new (nothing found, failed, or only lines that had been shown before)."""

    rounds: int = 0
    calls: int = 0
    stopped: int = 0
    bad_arguments: int = 0
    no_gain: int = 0

    @property
    def wasted(self) -> float:
        """(stopped + argument errors + no gain) / calls; 0 without calls."""
        return (self.calls - self.gained) / self.calls if self.calls else 0.0

    @property
    def gained(self) -> int:
        """Calls that brought something new."""
        return self.calls - self.stopped - self.bad_arguments - self.no_gain


@dataclass(slots=True)
class Breaker:
    """The memory of one conversation."""

    tally: Tally = field(default_factory=Tally)
    _answered: set[str] = field(default_factory=set)
    _lines: set[int] = field(default_factory=set)
    _rounds: list[frozenset[str]] = field(default_factory=list)
    _idle: int = 0

    def is_repeat(self, key: str) -> bool:
        """Whether the same was asked before and its result still stands in the conversation."""
        return key in self._answered

    def forget(self, keys: Iterable[str]) -> None:
        """These results had to leave the conversation: to ask for them again is no mistake."""
        self._answered.difference_update(keys)

    def close_round(self, results: Sequence[ToolResult]) -> str:
        """Take the results of a round in; why the conversation shall stop, or ""."""
        tally = replace(self.tally, rounds=self.tally.rounds + 1, calls=self.tally.calls + len(results))
        gained = False
        for result in results:
            if result.status == "stopped":
                tally = replace(tally, stopped=tally.stopped + 1)
            elif result.status in _UNREAD:
                tally = replace(tally, bad_arguments=tally.bad_arguments + 1)
            elif result.status == "done" and self._is_new(result.text):
                gained = True
            else:
                tally = replace(tally, no_gain=tally.no_gain + 1)
            if result.status in ("done", "empty"):
                self._answered.add(result.key)
        self.tally = tally
        self._rounds.append(frozenset(result.key for result in results))
        self._idle = 0 if gained else self._idle + 1
        return self._why() if self._idle >= PATIENCE else ""

    def _is_new(self, text: str) -> bool:
        lines = {hash(line) for line in text.split("\n")[1:] if line.strip() and not line.startswith("</tool_result")}
        new = not lines <= self._lines
        self._lines |= lines
        return new

    def _why(self) -> str:
        *_, before, last = [frozenset[str](), *self._rounds]
        if last == before:
            return SAME
        return BACK_AND_FORTH if self._rounds[-4:-2] == [before, last] else NO_GAIN
