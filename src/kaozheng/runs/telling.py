"""Teller: tells whoever asked what happens, in the order that `AskEvent` promises."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from kaozheng.workflows.ask.telling import TERMINAL, AskEvent, Kind, OnAskEvent


class Teller:
    """Numbers the events of one answer. A listener that raises is not told any more; the answer goes on. `clock` gives
    seconds; `first_text_s` is when the first text went out, None before that."""

    def __init__(self, listener: OnAskEvent | None, clock: Callable[[], float], progress: bool) -> None:
        self._listener = listener
        self._clock = clock
        self._progress = progress
        self._seq = 0
        self._ended = False
        self._text = ""
        self.first_text_s: float | None = None

    def progress(self, data: dict[str, Any]) -> None:
        """Something went on, for who wants to watch; nothing before the end or behind it is missed without it."""
        if self._progress:
            self._tell("progress", data)

    def delta(self, text: str) -> None:
        """More of the answer."""
        if not text:
            return
        if self.first_text_s is None:
            self.first_text_s = self._clock()
            self._tell("start", {})
        self._text += text
        self._tell("delta", {"text": text})

    def ready(self, result: dict[str, Any], a2ui: list[dict[str, Any]]) -> None:
        """The result is there."""
        self._tell("ready", {"result": result, "a2ui": a2ui})

    def rest(self, answer: str) -> None:
        """The text that was told becomes the answer: what is missing follows, or the whole replaces it."""
        if answer.startswith(self._text):
            self.delta(answer[len(self._text) :])
        else:
            self._text = answer
            self._tell("replace", {"text": answer})

    def warning(self, code: str, message: str) -> None:
        """Something went wrong beside the answer."""
        self._tell("warning", {"code": code, "message": message})

    def end(self, kind: Kind, data: dict[str, Any]) -> None:
        """The one end: done or error. What comes later is not told."""
        if kind not in TERMINAL:
            raise ValueError(f"{kind!r} is no end")
        self._tell(kind, data)
        self._ended = True

    def _tell(self, kind: Kind, data: dict[str, Any]) -> None:
        if self._ended or self._listener is None:
            return
        self._seq += 1
        plain: dict[str, Any] = json.loads(json.dumps(data, ensure_ascii=False, default=str))
        try:
            self._listener(AskEvent(kind, plain, self._seq))
        except Exception:  # noqa: BLE001 - whatever a listener does, the answer that was paid for goes on
            self._listener = None
