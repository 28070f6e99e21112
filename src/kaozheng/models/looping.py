"""An answer that goes round in circles is broken off: small models do that until their context is full."""

from __future__ import annotations

from typing import Final

from kaozheng.errors import ShapeError
from kaozheng.models.messages import Call, Completion, Delta
from kaozheng.models.model import Model, OnDelta

_TAIL_CHARS: Final = 8_192
_STEP_CHARS: Final = 512  # looked at anew after so much: nothing of a delta's cost
_PROBE_CHARS: Final = 64
_ROUNDS: Final = 4
_LEAST_CHARS: Final = 1_200  # a table with many empty rows is no loop yet


class Unlooped:
    """Raises ShapeError when the end of an answer says the same again and again: at least 4 times after the first, in
    at least 1,200 characters, letter for letter, in rounds of at most some 1,600 characters. It is not asked again: the
    next model or the offline twin stands in. Reasoning is heard like text."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        pieces: list[str] = []
        size, looked_at, tail = 0, 0, ""

        def listen(delta: Delta) -> None:
            nonlocal size, looked_at, tail
            said = delta.text or delta.reasoning
            pieces.append(said)
            size += len(said)
            if on_delta:
                on_delta(delta)
            if size - looked_at >= _STEP_CHARS:
                looked_at, tail = size, (tail + "".join(pieces))[-_TAIL_CHARS:]
                pieces.clear()
                if goes_round(tail):
                    raise ShapeError(f"{self.name} repeats itself, broken off after {size} characters ({call.purpose})")

        return await self._model.complete(call, listen)


def goes_round(text: str) -> bool:
    """Whether the end of the text is one passage, over and over."""
    probe = text[-_PROBE_CHARS:]
    before = text.rfind(probe, 0, len(text) - 1)
    if before < 0:
        return False
    round_chars = len(text) - len(probe) - before
    stretch = max(_ROUNDS * round_chars, _LEAST_CHARS)
    return len(text) >= stretch + round_chars and text[-stretch:] == text[-stretch - round_chars : -round_chars]
