"""Answers that obey the order of `workflows.ask.telling` without a workflow: for tests and benchmarks of doors."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kaozheng.workflows.ask.request import AskRequest, cleaned
from kaozheng.workflows.ask.result import AskResult
from kaozheng.workflows.ask.telling import AskEvent, Kind, OnAskEvent

Script = Callable[[AskRequest], Sequence[str]]
"""The pieces of the answer to a question; a piece that begins with \\x00 takes the place of all before it."""


class ScriptedAnswers:
    """Answers with the pieces of `script`, `pause_s` before each. `failing` is raised after the pieces, `result` is
    what the result is made of. What was asked is in `requests`; `under_way` and `cancelled` count."""

    def __init__(
        self,
        script: Script,
        pause_s: float = 0.0,
        failing: BaseException | None = None,
        result: AskResult | None = None,
    ) -> None:
        self._script = script
        self._pause_s = pause_s
        self._failing = failing
        self._result = result or AskResult("answered", "", by="model", interaction="i_1")
        self.requests: list[AskRequest] = []
        self.under_way = 0
        self.cancelled = 0

    async def __call__(self, request: AskRequest, on_event: OnAskEvent | None = None) -> AskResult:
        """Answer."""
        self.requests.append(request)
        self.under_way += 1
        try:
            return await self._answered(request, on_event)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.under_way -= 1

    async def _answered(self, request: AskRequest, on_event: OnAskEvent | None) -> AskResult:
        seq = 0

        def tell(kind: Kind, **data: Any) -> None:
            nonlocal seq
            seq += 1
            if on_event is not None:
                on_event(AskEvent(kind, data, seq))

        cleaned(request.question)
        streams = request.live_progress and request.stream_answer
        if request.live_progress:
            tell("progress", step="intake", state="begun")
        answer = ""
        for place, piece in enumerate(self._script(request)):
            await asyncio.sleep(self._pause_s)
            whole = piece.startswith("\x00")
            answer = piece[1:] if whole else answer + piece
            if streams:
                if not place:
                    tell("start")
                tell("replace" if whole else "delta", text=piece.removeprefix("\x00"))
        if self._failing is not None:
            raise self._failing
        result = replace(self._result, answer=answer, session=request.session or "s_new")
        if not streams:
            tell("start")
        tell("ready", result=result.as_dict(), a2ui=[])
        if not streams:
            tell("delta", text=answer)
        tell("done", interaction=result.interaction, session=result.session, timings=result.timings, usage=result.usage)
        return result
