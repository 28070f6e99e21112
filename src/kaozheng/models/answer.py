"""An answer and who gave it: the model, the offline twin by choice, or the twin because the model failed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from kaozheng.errors import BudgetReachedError, ModelError, ModelRefusedError
from kaozheng.models.messages import Call
from kaozheng.models.model import Model
from kaozheng.models.structured import Check, ask_object, ask_text

if TYPE_CHECKING:
    from pydantic import BaseModel

Answered = Literal["model", "offline", "fallback"]
T = TypeVar("T")
U = TypeVar("U")
B = TypeVar("B", bound="BaseModel")
_REASON_CHARS = 300


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A role's answer. `reason` says why the twin stood in ("fallback"); `model` is the name of the model that was
    asked, "" when there is none; `out_of_budget` says that the run's budget, not the model, was the reason."""

    value: T
    by: Answered
    reason: str = ""
    model: str = ""
    out_of_budget: bool = False

    def carrying(self, value: U) -> Answer[U]:
        """The same answer with what a role has made of its value."""
        return Answer(value, self.by, self.reason, self.model, self.out_of_budget)


async def object_or(
    model: Model | None, call: Call, schema: type[B], otherwise: Callable[[], B], check: Check[B] | None = None
) -> Answer[B]:
    """The model's object, else the twin's. Raises ModelRefusedError (key, unknown model): asking on is of no use
    and the user must know; every other ModelError makes the twin stand in."""
    if model is None:
        return Answer(otherwise(), "offline")
    return await _or_twin(model, ask_object(model, call, schema, check), otherwise)


async def text_or(
    model: Model | None, call: Call, otherwise: Callable[[], str], check: Check[str] | None = None
) -> Answer[str]:
    """The model's text, else the twin's; errors as with `object_or`."""
    if model is None:
        return Answer(otherwise(), "offline")
    return await _or_twin(model, ask_text(model, call, check), otherwise)


async def _or_twin(model: Model, asking: Awaitable[T], otherwise: Callable[[], T]) -> Answer[T]:
    try:
        return Answer(await asking, "model", model=model.name)
    except ModelRefusedError:
        raise
    except ModelError as error:
        reached = isinstance(error, BudgetReachedError)
        return Answer(otherwise(), "fallback", str(error)[:_REASON_CHARS], model.name, reached)
