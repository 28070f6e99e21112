"""The location quotient: how much more of an industry a region has than the area that it is compared with."""

from __future__ import annotations

from decimal import Decimal

from kaozheng.indicators.undefined import Undefined, Why


def location_quotient(
    industry_here: Decimal, all_here: Decimal, industry_there: Decimal, all_there: Decimal
) -> Decimal | Undefined:
    """LQ = (e_ij / e_j) / (e_i / e), a pure number: 1 is the same share as in the reference area.

    All four in one unit (persons, 亿元 of one calibre). Undefined for negative values, for a total of zero, and for an
    industry that the reference area does not have. Farhauer & Kroell (2013); REAT::locq.
    """
    given = (industry_here, all_here, industry_there, all_there)
    if min(given) < 0:
        return Undefined(Why.NEGATIVE_PART)
    if 0 in given[1:]:
        return Undefined(Why.ZERO_TOTAL)
    return industry_here / all_here / (industry_there / all_there)
