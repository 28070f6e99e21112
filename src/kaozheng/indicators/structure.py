"""How industries are divided up: shares, Krugman index, similarity (同构), concentration.

Industries are joined by name. One that only one region lists is a gap, not a zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from kaozheng.indicators.undefined import Undefined, Why

Sectors = Mapping[str, Decimal]
_POINTS: Final = 10_000


def shares(sectors: Sectors, total: Decimal | None = None) -> dict[str, Decimal] | Undefined:
    """Each sector's share (0-1) of their sum, or of `total` where that is published: with suppressed cells it is more
    than the sum, and the shares are then less than 1 together. Undefined for negative values and a total of zero."""
    if any(value < 0 for value in sectors.values()):
        return Undefined(Why.NEGATIVE_PART, ", ".join(name for name, value in sectors.items() if value < 0))
    whole = sum(sectors.values(), Decimal(0)) if total is None else total
    if whole <= 0:
        return Undefined(Why.ZERO_TOTAL)
    return {name: value / whole for name, value in sectors.items()}


def krugman(here: Sectors, there: Sectors) -> Decimal | Undefined:
    """K = sum |s_ik - s_jk| over the shares of the sums, 0 (same structure) to 2 (nothing in common).

    Krugman (1991), Geography and Trade; Farhauer & Kroell (2013), REAT::krugman.spec.
    """
    both = _both(here, there)
    if isinstance(both, Undefined):
        return both
    return sum((abs(mine - theirs) for mine, theirs in both), Decimal(0))


def similarity(here: Sectors, there: Sectors) -> Decimal | Undefined:
    """结构相似系数 S = sum(a b) / sqrt(sum(a^2) sum(b^2)), 0 to 1 (the same structure).

    UNIDO International Research Center (1979). A text that says 同构 must say which of the two indices it means.
    """
    both = _both(here, there)
    if isinstance(both, Undefined):
        return both
    product = sum((mine * theirs for mine, theirs in both), Decimal(0))
    squares = [sum((pair[side] ** 2 for pair in both), Decimal(0)) for side in (0, 1)]
    return product / (squares[0] * squares[1]).sqrt()


def _both(here: Sectors, there: Sectors) -> list[tuple[Decimal, Decimal]] | Undefined:
    if apart := sorted(set(here) ^ set(there)):
        return Undefined(Why.MISSING, ", ".join(apart))
    mine, theirs = shares(here), shares(there)
    if isinstance(mine, Undefined):
        return mine
    if isinstance(theirs, Undefined):
        return theirs
    return [(share, theirs[name]) for name, share in mine.items()]


@dataclass(frozen=True, slots=True)
class Concentration:
    """`hhi` on the scale 0-1; `normalised` is 0 for equal shares and 1 for one alone (Undefined when there is only
    one); `equivalent` is how many equal ones would be as concentrated."""

    hhi: Decimal
    normalised: Decimal | Undefined
    equivalent: Decimal

    @property
    def points(self) -> Decimal:
        """The index on the scale 0-10,000, as competition authorities write it."""
        return self.hhi * _POINTS


def concentration(sectors: Sectors) -> Concentration | Undefined:
    """Herfindahl-Hirschman index H = sum s^2, normalised (H - 1/n) / (1 - 1/n), equivalent number 1 / H.

    Doersam (2004), REAT::herf. Undefined for negative values and a sum of zero.
    """
    parts = shares(sectors)
    if isinstance(parts, Undefined):
        return parts
    hhi = sum((share**2 for share in parts.values()), Decimal(0))
    least = Decimal(1) / len(parts)
    normalised = (hhi - least) / (1 - least) if len(parts) > 1 else Undefined(Why.TOO_FEW, "n = 1")
    return Concentration(hhi, normalised, 1 / hhi)
