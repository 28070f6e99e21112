"""A conversation cut to what a model may be sent, without ever parting a tool call from its result: endpoints refuse a
history in which one of the two is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from kaozheng.documents.tokens import estimate_tokens, truncate_tokens
from kaozheng.models.messages import Message

TAKEN_AWAY: Final = "(taken away to save room; call again if it is needed)"
"""What stands in place of a result that had to go."""


def trimmed(messages: Sequence[Message], most_tokens: int) -> tuple[Message, ...]:
    """The conversation within about `most_tokens`; the same one when it fits.

    What goes first: the texts of the oldest results, then the oldest exchanges (calls with all their results), then the
    ends of the newest results. What was said before the first call stays whole, so a beginning that is too long alone
    comes back too long.
    """
    units = list(_units(messages))
    left = sum(map(_tokens, messages)) - most_tokens
    older = [place for place, unit in enumerate(units[:-1]) if unit[0].tool_calls]
    for place in older:
        if left <= 0:
            break
        before = sum(map(_tokens, units[place]))
        units[place] = [units[place][0], *(_hollow(result) for result in units[place][1:])]
        left -= before - sum(map(_tokens, units[place]))
    for place in older:
        if left <= 0:
            break
        left -= sum(map(_tokens, units[place]))
        units[place] = []
    if left > 0 and units and units[-1] and units[-1][0].tool_calls:
        units[-1] = _shortened(units[-1], left)
    return tuple(message for unit in units for message in unit)


def is_paired(messages: Sequence[Message]) -> bool:
    """Whether each call is followed by its result, and each result follows its call."""
    waiting: set[str] = set()
    for message in messages:
        if message.role == "tool":
            if message.answers not in waiting:
                return False
            waiting.discard(message.answers)
        elif waiting:
            return False
        else:
            waiting = {call.id for call in message.tool_calls}
    return not waiting


def _units(messages: Sequence[Message]) -> Iterator[list[Message]]:
    """What stays or goes together: a turn with calls and the results that follow it, or any other turn alone."""
    unit: list[Message] = []
    for message in messages:
        if message.role == "tool" and unit:
            unit.append(message)
            continue
        if unit:
            yield unit
        unit = [message]
    if unit:
        yield unit


def _tokens(message: Message) -> int:
    return estimate_tokens(message.said())


def _hollow(result: Message) -> Message:
    return result if _tokens(result) <= estimate_tokens(TAKEN_AWAY) else replace(result, content=TAKEN_AWAY)


def _shortened(unit: list[Message], left: int) -> list[Message]:
    """The newest exchange, `left` tokens smaller: the longest results give most."""
    turn, *results = unit
    room = max(0, sum(map(_tokens, results)) - left)
    sizes = sorted(map(_tokens, results))
    share, rest = 0, room
    for place, size in enumerate(sizes):
        share = rest // (len(sizes) - place)
        if size > share:
            break
        rest -= size
    else:
        return unit
    return [turn, *(one if _tokens(one) <= share else _cut(one, share) for one in results)]


def _cut(result: Message, share: int) -> Message:
    mark = estimate_tokens(TAKEN_AWAY)
    if share <= mark:
        return _hollow(result)
    return replace(result, content=f"{truncate_tokens(result.content, share - mark)}\n{TAKEN_AWAY}")
