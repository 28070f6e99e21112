"""What can go wrong at a provider, by count or by pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

FaultKind = Literal[
    "status",  # this HTTP status with an error body; Retry-After when `retry_after_s` is set
    "unauthorized",  # 401 with the key that was sent in the message, as some providers do
    "no_model",  # 404 model_not_found
    "refuse",  # 400 that names the request parameter in `text` when the request has it
    "delay",  # wait `delay_s` before answering as planned
    "ping",  # keep-alive comments for `delay_s`, then the answer
    "stall",  # half of the text, then nothing for `delay_s`
    "drip",  # `delay_s` before each piece of the text
    "html",  # 200 with a page for people instead of the answer
    "choices",  # a second choice beside the first
    "reasoning",  # thinking and no text
    "drop",  # hang up without an answer
    "cut_stream",  # hang up in the middle of the stream
    "no_finish",  # end the stream properly, but in the middle and without a finish reason
    "broken_stream",  # an event whose data is no JSON
    "event",  # an event with the data `text` before those of the answer
    "error_event",  # an error object inside the stream
    "broken_json",  # the answer's text is broken JSON
    "text",  # the answer's text is `text`
    "empty",  # an answer without text
    "length",  # half of the text and the finish reason "length"
    "filter",  # finish reason "content_filter"
    "wrong_index",  # a reranker's result for a text that was not given
    "nan",  # a reranker's score that is no number
    "missing",  # one result of a reranker too few
]


@dataclass(frozen=True, slots=True)
class Fault:
    """One planned fault. It hits requests whose purpose or last message matches `match` (a regular expression;
    "" matches all): after `skip` of them the next `count`, or all when `count` is None."""

    kind: FaultKind
    count: int | None = 1
    skip: int = 0
    match: str = ""
    status: int = 500
    retry_after_s: float | None = None
    delay_s: float = 0.0
    text: str = ""

    def __post_init__(self) -> None:
        if self.kind not in get_args(FaultKind):
            raise ValueError(f"no such fault: {self.kind!r}")
        re.compile(self.match)


class FaultPlan:
    """Counts requests and says which fault hits which."""

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        self._faults = tuple(faults)
        self._seen = [0] * len(self._faults)

    def hit(self, purpose: str, prompt: str) -> Fault | None:
        """The first planned fault whose turn it is with this request. Every matching fault counts the request."""
        hit: Fault | None = None
        for index, fault in enumerate(self._faults):
            if not (re.search(fault.match, purpose) or re.search(fault.match, prompt)):
                continue
            turn = self._seen[index]
            self._seen[index] += 1
            due = turn >= fault.skip and (fault.count is None or turn < fault.skip + fault.count)
            hit = hit or (fault if due else None)
        return hit
