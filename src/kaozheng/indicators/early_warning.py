"""Early warning: red, yellow or green with the rule that fired. What cannot be judged is grey and never green."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from kaozheng.indicators.reason import Reason
from kaozheng.indicators.undefined import Undefined

_HUNDREDTH: Final = Decimal("0.01")


class Colour(StrEnum):
    """How urgent a signal is, the worst first."""

    RED = "red"
    YELLOW = "yellow"
    GREY = "grey"
    GREEN = "green"


@dataclass(frozen=True, slots=True)
class WarningRule:
    """A rule with its number. `figure` says what is judged (税收收入同比, %), `unit` its unit; with `below` it is
    worse the lower it is, else the higher. A figure exactly at a bound has not crossed it. Raises ValueError when red
    is the milder of the two bounds."""

    id: str
    figure: str
    unit: str
    yellow: Decimal
    red: Decimal
    below: bool = True

    def __post_init__(self) -> None:
        if self.red != self.yellow and (self.red > self.yellow) is self.below:
            raise ValueError(f"{self.id}: red at {self.red} is milder than yellow at {self.yellow}")


@dataclass(frozen=True, slots=True)
class Signal:
    """What a rule says of one figure: `threshold` is the bound that was crossed, None when none was."""

    rule: WarningRule
    colour: Colour
    value: Decimal | Undefined
    threshold: Decimal | None
    reason: Reason


def judged(rule: WarningRule, value: Decimal | Undefined) -> Signal:
    """The signal of a rule for a figure. A figure that is not defined gives grey, with its reason."""
    if isinstance(value, Undefined):
        return Signal(rule, Colour.GREY, value, None, value.reason)
    for colour, bound in ((Colour.RED, rule.red), (Colour.YELLOW, rule.yellow)):
        if value < bound if rule.below else value > bound:
            zh, en = ("低于", "below") if rule.below else ("高于", "above")
            shown = _shown(value)
            said = Reason(
                f"规则 {rule.id}：{rule.figure} {shown:f}{rule.unit}，{zh} {bound:f}{rule.unit}",
                f"rule {rule.id}: {rule.figure} {shown:f} {rule.unit}, {en} {bound:f} {rule.unit}",
            )
            return Signal(rule, colour, value, bound, said)
    said = Reason(f"规则 {rule.id}：未触发", f"rule {rule.id}: not fired")
    return Signal(rule, Colour.GREEN, value, None, said)


def _shown(value: Decimal) -> Decimal:
    """Computed rates have as many digits as there is room for; a reader needs two. The judging is done on all."""
    return value if value.as_tuple().exponent in (0, -1, -2) else value.quantize(_HUNDREDTH)


def worst(signals: Iterable[Signal]) -> Colour:
    """The colour of several signals: the worst of them, grey before green, grey for none."""
    order = list(Colour)
    return min((signal.colour for signal in signals), key=order.index, default=Colour.GREY)
