"""Readiness: whether data and design carry a model, item by item, before any estimate leaves the house.

A red item ends it. What more data would mend makes the model `needs_data`; what the data themselves speak against
(trends that already differ, no overlap, a forecast worse than none) makes it `blocked`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from kaozheng.indicators.reason import Reason

Colour = Literal["green", "amber", "red"]
Lack = Literal["data", "design"]
Standing = Literal["ready", "needs_data", "blocked"]
Figure = float | int | str | None

_WORST_FIRST: tuple[Colour, ...] = ("red", "amber", "green")


@dataclass(frozen=True, slots=True)
class Item:
    """One condition: what was found, what is asked for, the colour, and why in words.

    `lack` says what a red item wants: more `data`, or another `design`.
    """

    key: str
    value: Figure
    threshold: str
    colour: Colour
    reason: Reason
    lack: Lack = "design"


@dataclass(frozen=True, slots=True)
class Readiness:
    """All conditions of a model family for one request."""

    family: str
    items: tuple[Item, ...]

    @property
    def colour(self) -> Colour:
        """The worst colour of all items."""
        colours = {item.colour for item in self.items}
        return next(colour for colour in _WORST_FIRST if colour in colours or colour == "green")

    @property
    def standing(self) -> Standing:
        """`ready` without a red item, `blocked` when one speaks against the design, else `needs_data`."""
        lacks = {item.lack for item in self.items if item.colour == "red"}
        if not lacks:
            return "ready"
        return "blocked" if "design" in lacks else "needs_data"

    @property
    def missing(self) -> tuple[Reason, ...]:
        """What stands in the way: the reasons of the red items."""
        return tuple(item.reason for item in self.items if item.colour == "red")

    def item(self, key: str) -> Item:
        """The item of this key. Raises KeyError where the family has no such condition."""
        for item in self.items:
            if item.key == key:
                return item
        raise KeyError(key)


def at_least(key: str, value: float, *, green: float, amber: float | None = None, what: Reason, lack: Lack) -> Item:
    """More is better: green from `green`, amber from `amber` (none: red below green). `what` names the figure."""
    colour: Colour = "green" if value >= green else "amber" if amber is not None and value >= amber else "red"
    return _ranked(key, value, (">=", green, amber), colour, (what, lack))


def at_most(key: str, value: float, *, green: float, amber: float | None = None, what: Reason, lack: Lack) -> Item:
    """Less is better: green up to `green`, amber up to `amber` (none: red above green). `what` names the figure."""
    colour: Colour = "green" if value <= green else "amber" if amber is not None and value <= amber else "red"
    return _ranked(key, value, ("<=", green, amber), colour, (what, lack))


def _ranked(
    key: str, value: float, bound: tuple[str, float, float | None], colour: Colour, told: tuple[Reason, Lack]
) -> Item:
    sign, green, amber = bound
    what, lack = told
    threshold = f"{sign} {green:g}" + (f"; amber {sign} {amber:g}" if amber is not None else "")
    wanted = {"green": ("达到要求", "as asked"), "amber": ("需谨慎", "with caution"), "red": ("不满足", "not met")}[
        colour
    ]
    reason = Reason(
        f"{what.zh}为{value:.4g}，要求{sign.replace('>=', '不低于').replace('<=', '不高于')}{green:g}：{wanted[0]}",
        f"{what.en}: {value:.4g}, wanted {sign} {green:g}: {wanted[1]}",
    )
    return Item(key, value if isfinite(value) else None, threshold, colour, reason, lack)


def documented(key: str, text: str, *, what: Reason, otherwise: Colour) -> Item:
    """Something that a person must say and code cannot find out: green when said, else the colour `otherwise`."""
    said = bool(text.strip())
    reason = (
        Reason(f"{what.zh}：{text}", f"{what.en}: {text}")
        if said
        else Reason(f"{what.zh}未说明，请补充", f"{what.en} is not stated: please add it")
    )
    return Item(key, text or None, "stated", "green" if said else otherwise, reason, "data")


def readiness(family: str, items: Iterable[Item]) -> Readiness:
    """The items of a family together."""
    return Readiness(family, tuple(items))
