"""The loop: a model asks for tools, gets the results, asks on; a few rounds, then it has to answer.

The loop ends on code's word: no more calls, the last round, the breaker, a reached budget, a model that fails. Each
round is a call with a purpose of its own, so a resumed run gets the turns that were paid for back from the ledger; the
tools are run again, and where they say something else now (a file has changed), the model is asked anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, Literal

from kaozheng.errors import BudgetReachedError, ModelError, ModelRefusedError
from kaozheng.models.messages import Call, Completion, Finish, Message
from kaozheng.models.model import Model
from kaozheng.models.reply import without_thinking
from kaozheng.models.trimming import TAKEN_AWAY, trimmed
from kaozheng.tools.breaker import Breaker, Tally
from kaozheng.tools.gateway import Gateway
from kaozheng.tools.result import ToolResult
from kaozheng.tools.turn import CUT, named_apart, run_calls, told

Ending = Literal["answered", "rounds", "breaker", "length", "filtered", "failed", "budget"]
_REASON_CHARS: Final = 300


@dataclass(frozen=True, slots=True)
class LoopLimits:
    """`calls` of one turn are run at most, `at_once` of them at the same time; further ones of the turn are dropped and
    the model is told. `history_tokens` is what may be sent, estimated."""

    rounds: int = 6
    calls: int = 8
    at_once: int = 4
    history_tokens: int = 48_000


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was said: `messages` from the question on, calls and results paired; `text` is what the model said at the
    end, "" when it never came to that; `why` explains every ending but "answered"."""

    messages: tuple[Message, ...]
    text: str
    ended: Ending
    why: str
    tally: Tally

    def findings(self) -> str:
        """Calls and results as plain text, for the question that follows: sent as messages they would need the tools to
        be offered again, which some endpoints insist on, and then the model might call them again."""
        asked = {call.id: call for message in self.messages for call in message.tool_calls}
        return "\n\n".join(
            f"{asked[message.answers].name} {asked[message.answers].arguments}\n{message.content}"
            for message in self.messages
            if message.role == "tool" and message.content != TAKEN_AWAY
        )


async def converse(model: Model, call: Call, gateway: Gateway, limits: LoopLimits | None = None) -> Conversation:
    """Ask with the gateway's tools until the model has enough or the limits end it. What came until then is returned
    with the reason. Raises ModelRefusedError (key, unknown model, no tools taken); every other ModelError is an ending.
    """
    talk = _Talk(call, gateway, limits or LoopLimits())
    for number in range(1, talk.limits.rounds + 1):
        asked = replace(call, purpose=f"{call.purpose}/round{number}", messages=talk.history(), tools=gateway.offers)
        try:
            completion = await model.complete(asked)
        except ModelRefusedError:
            raise
        except ModelError as error:
            return talk.over("budget" if isinstance(error, BudgetReachedError) else "failed", str(error))
        if not completion.tool_calls:
            return talk.answered(completion)
        if stop := talk.breaker.close_round(await talk.take(completion, number)):
            return talk.over("breaker", stop)
    return talk.over("rounds", f"{talk.limits.rounds} rounds of calls")


@dataclass(slots=True)
class _Talk:
    """A conversation that is under way."""

    call: Call
    gateway: Gateway
    limits: LoopLimits
    breaker: Breaker = field(default_factory=Breaker)
    _turns: list[Message] = field(default_factory=list)
    _keys: dict[str, str] = field(default_factory=dict)  # id of a call -> what it asked for

    def history(self) -> tuple[Message, ...]:
        """What is sent; results that do not fit any more may be asked for again."""
        sent = trimmed([*self.call.messages, *self._turns], self.limits.history_tokens)
        whole = {message.answers: message.content for message in self._turns if message.role == "tool"}
        there = {message.answers for message in sent if message.content == whole.get(message.answers)}
        self.breaker.forget(self._keys[id] for id in whole.keys() - there)
        return sent

    async def take(self, completion: Completion, number: int) -> list[ToolResult]:
        """Run what may be run of a turn. Turn and results are in the history when this returns."""
        kept = named_apart(completion.tool_calls[: self.limits.calls], self._keys, number)
        over = len(completion.tool_calls) - len(kept)
        if completion.finish is Finish.TOOL_CALLS:
            results = await run_calls(self.gateway, kept, self.limits.at_once, self.breaker.is_repeat)
        else:
            results = [self.gateway.stopped(call, CUT) for call in kept]
        if over:
            said = f"{over} more calls of this turn were dropped: {self.limits.calls} are run a turn"
            results[-1] = replace(results[-1], text=f"{results[-1].text}\n{said}")
        self._keys.update((result.call.id, result.key) for result in results)
        self._turns += [told(completion, kept), *(result.message() for result in results)]
        return [*results, *self.gateway.dropped(completion.tool_calls[len(kept) :])]

    def answered(self, completion: Completion) -> Conversation:
        """A turn without calls is the end, whatever it says."""
        text = without_thinking(completion.text)
        if completion.finish is Finish.FILTER:
            return self.over("filtered", "the provider's content filter stopped the answer", text)
        if completion.finish in (Finish.LENGTH, Finish.CUT):
            return self.over("length", "the answer was cut off", text)
        return self.over("answered", "", text)

    def over(self, ended: Ending, why: str, text: str = "") -> Conversation:
        return Conversation(self.history(), text, ended, why[:_REASON_CHARS], self.breaker.tally)
