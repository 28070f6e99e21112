"""What of a streaming answer may be heard: not what the model thinks before it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from kaozheng.models.messages import Delta
from kaozheng.models.model import OnDelta
from kaozheng.models.reply import after_thinking

_OPENINGS: Final = ("<think>", "<thinking>")


@dataclass(slots=True)
class Aloud:
    """Passes deltas on once it is clear that they are the answer: a `<think>…</think>` at the very beginning, however
    it is cut into pieces, is swallowed."""

    listener: OnDelta
    _held: str = ""
    _clear: bool = False

    def __call__(self, delta: Delta) -> None:
        if delta.restart:
            self._held, self._clear = "", False
            self.listener(delta)
        elif self._clear or not delta.text:
            self.listener(delta)
        else:
            self._held += delta.text
            self._decide(delta)

    def _decide(self, delta: Delta) -> None:
        begun = self._held.lstrip()
        if any(opening.startswith(begun) for opening in _OPENINGS):
            return
        if begun.startswith(_OPENINGS):
            if "</think" not in begun or not (rest := self._held[after_thinking(self._held) :]).strip():
                return
            # What follows may be a second thought.
            if any(opening.startswith(rest.lstrip()) or rest.lstrip().startswith(opening) for opening in _OPENINGS):
                return
            self._held = rest
        self._clear = True
        self.listener(replace(delta, text=self._held.lstrip()))
        self._held = ""
