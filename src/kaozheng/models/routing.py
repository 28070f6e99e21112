"""Which of several models answers a call: by its weight, by what its texts may touch, by who is still able to.

Each is a Model around models, so that a role asks one model and never knows how many there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kaozheng.errors import BudgetReachedError, ModelError, NotPrivateError
from kaozheng.models.messages import Call, Completion, Delta, Sensitivity, Weight, strictest
from kaozheng.models.model import Model, OnDelta

_HAN = re.compile(r"[\u3400-\u9fff]")
_ECHO_HAN: Final = 4
_ECHO_LETTERS: Final = 12


class PrivateOnly:
    """Refuses calls of sensitivity "secret" unless the model is private. Raises NotPrivateError before anything of
    the call has left; wiring puts it around every provider, nearer to it than any other wrapper.

    Errors of a secret call leave without the words of its texts: some providers repeat the prompt in them, and errors
    go to logs, reports and screens."""

    def __init__(self, model: Model, private: bool) -> None:
        self._model = model
        self._private = private

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        if call.sensitivity != "secret":
            return await self._model.complete(call, on_delta)
        if not self._private:
            raise NotPrivateError(f"{self.name} is not marked private: a secret text was not sent ({call.purpose})")
        try:
            return await self._model.complete(call, on_delta)
        except ModelError as error:
            said = call.prompt()
            error.args = tuple(_without(said, one) if isinstance(one, str) else one for one in error.args)
            raise


def _without(secret: str, text: str) -> str:
    """The text with whatever it repeats of `secret` put as "…". Short runs of letters are left: they are words that
    any two texts share."""
    kept: list[str] = []
    at = 0
    while at < len(text):
        end = at + (_ECHO_HAN if _HAN.search(text, at, at + _ECHO_HAN) else _ECHO_LETTERS)
        if end > len(text) or text[at:end] not in secret:
            kept.append(text[at])
            at += 1
            continue
        while end < len(text) and text[at : end + 1] in secret:
            end += 1
        kept.append("…")
        at = end
    return "".join(kept)


class Classified:
    """Marks every call with at least this sensitivity; a call that is stricter stays as it is. Wiring puts it around
    all that a run's steps ask, so that no step can forget what the run's texts may touch."""

    def __init__(self, model: Model, sensitivity: Sensitivity) -> None:
        self._model = model
        self._sensitivity = sensitivity

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        marked = replace(call, sensitivity=strictest(call.sensitivity, self._sensitivity))
        return await self._model.complete(marked, on_delta)


class Signed:
    """Writes on each answer who was asked. `asked` is the model as the settings name it: PROVIDER:NAME."""

    def __init__(self, model: Model, asked: str) -> None:
        self._model = model
        self._asked = asked

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        return replace(await self._model.complete(call, on_delta), asked=self._asked)


class Routed:
    """Sends each call to the model of its weight. The one for "deep" answers weights that have no model."""

    def __init__(self, models: Mapping[Weight, Model]) -> None:
        if "deep" not in models:
            raise ValueError("a model for deep calls is needed")
        self._models = dict(models)

    @property
    def name(self) -> str:
        return self._models["deep"].name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        return await self._models.get(call.weight, self._models["deep"]).complete(call, on_delta)


@dataclass(frozen=True, slots=True)
class Fallback:
    """One step down the chain: which model failed at what and why, and which is asked now."""

    role: str
    purpose: str
    failed: str
    instead: str
    reason: str


class FallbackChain:
    """Asks the next model when one fails, refusals (key, unknown model, not private) included; the reader of the
    stream is told to forget what the failed one had said. A reached budget is nobody's failure and is raised at once.

    When all fail, the last error that is about answering is raised: that a further model was not private says nothing
    about why the private one did not answer.
    """

    def __init__(self, models: Sequence[Model], on_fallback: Callable[[Fallback], None] | None = None) -> None:
        if not models:
            raise ValueError("a chain needs at least one model")
        self._models = tuple(models)
        self._on_fallback = on_fallback

    @property
    def name(self) -> str:
        return self._models[0].name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        failure: ModelError | None = None
        for model, following in zip(self._models, (*self._models[1:], None), strict=True):
            stream = _Heard(on_delta)
            try:
                return await model.complete(call, stream if on_delta else None)
            except BudgetReachedError:
                raise
            except ModelError as error:
                if failure is None or not isinstance(error, NotPrivateError):
                    failure = error
                if following is None:
                    break
                stream.forget()
                self._tell(call, model, following, error)
        raise failure or ModelError("no model answered")

    def _tell(self, call: Call, failed: Model, instead: Model, error: ModelError) -> None:
        if self._on_fallback:
            reason = f"{type(error).__name__}: {error}"
            self._on_fallback(Fallback(call.role, call.purpose, failed.name, instead.name, reason))


class _Heard:
    """Passes deltas on and remembers whether the listener has anything to forget."""

    def __init__(self, on_delta: OnDelta | None) -> None:
        self._on_delta = on_delta
        self._anything = False

    def __call__(self, delta: Delta) -> None:
        self._anything = True
        if self._on_delta:
            self._on_delta(delta)

    def forget(self) -> None:
        if self._anything and self._on_delta:
            self._on_delta(Delta("", restart=True))
