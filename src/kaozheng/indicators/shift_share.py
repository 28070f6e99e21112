"""Shift-share: how much of a region's growth is that of the whole, that of its industries, and its own.

Dunn's variant, with G the growth of the whole and g_i that of industry i in it: national     N = sum e0 G mix
I = sum e0 (g_i - G) competitive  C = sum (e1 - e0 (1 + g_i)) Dunn (1960), Papers and Proceedings of the Regional
Science Association 6; Farhauer & Kroell (2013), REAT::shift. C is written so that it is defined for an industry that
is new to the region (e0 = 0). Esteban's variant splits C once more: not here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from kaozheng.errors import InputError
from kaozheng.indicators.undefined import Undefined, Why

Sectors = Mapping[str, Decimal]


@dataclass(frozen=True, slots=True)
class Component:
    """One industry's share in the three components, in the unit of the values."""

    national: Decimal
    mix: Decimal
    competitive: Decimal


@dataclass(frozen=True, slots=True)
class ShiftShare:
    """national + mix + competitive + unassigned = total, in the unit of the values.

    `unassigned` is the change of the industries in `undefined`, which the whole did not have in the base year: they
    have no g_i. It is zero when there are none. `sectors` are the components of each other industry.
    """

    national: Decimal
    mix: Decimal
    competitive: Decimal
    unassigned: Decimal
    total: Decimal
    sectors: Mapping[str, Component]
    undefined: tuple[str, ...]


def shift_share(before: Sectors, after: Sectors, whole_before: Sectors, whole_after: Sectors) -> ShiftShare | Undefined:
    """The change of a region from `before` to `after`, against the whole (nation, province) over the same time.

    All four in one unit, of comparable calibre, with the same industries: Undefined when one lacks an industry, has a
    negative value, or when the whole was zero. Raises InputError when a region has more of an industry in the base
    year than a whole that had none. That the components add up to the change is asserted on exact fractions.
    """
    given = (before, after, whole_before, whole_after)
    if apart := sorted(set().union(*given) - set(before).intersection(*given)):
        return Undefined(Why.MISSING, ", ".join(apart))
    if any(value < 0 for sectors in given for value in sectors.values()):
        return Undefined(Why.NEGATIVE_PART)
    base = sum(map(Fraction, whole_before.values()), Fraction(0))
    if not base:
        return Undefined(Why.ZERO_TOTAL)
    growth = sum(map(Fraction, whole_after.values()), Fraction(0)) / base - 1
    undefined = tuple(name for name, value in whole_before.items() if not value)
    if odd := [name for name in undefined if before[name]]:
        raise InputError(f"the region has {', '.join(odd)} in the base year, the whole has none")
    exact = {}
    for name in (name for name in before if name not in undefined):
        old, new = Fraction(before[name]), Fraction(after[name])
        own = Fraction(whole_after[name]) / Fraction(whole_before[name]) - 1
        exact[name] = (old * growth, old * (own - growth), new - old * (1 + own))
    return _added_up(before, after, exact, undefined)


def _added_up(
    before: Sectors, after: Sectors, exact: Mapping[str, tuple[Fraction, ...]], undefined: tuple[str, ...]
) -> ShiftShare:
    """The components of all industries, after it is asserted that nothing of the change was lost."""
    sums = [sum((parts[place] for parts in exact.values()), Fraction(0)) for place in range(3)]
    change = sum((Fraction(after[name]) - Fraction(before[name]) for name in before), Fraction(0))
    unassigned = sum((Fraction(after[name]) for name in undefined), Fraction(0))
    if sum(sums) + unassigned != change:
        raise AssertionError(f"shift-share components {sums} and {unassigned} do not add up to {change}")
    sectors = {name: Component(*map(_decimal, parts)) for name, parts in exact.items()}
    national, mix, competitive = map(_decimal, sums)
    return ShiftShare(national, mix, competitive, _decimal(unassigned), _decimal(change), sectors, undefined)


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / value.denominator
