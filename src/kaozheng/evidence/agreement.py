"""Whether the numbers of a claim are carried by the numbers of its source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kaozheng.evidence.numbers import Number


def agree(claim: Number, source: Number) -> bool:
    """Whether a number of a claim is carried by a number of its source.

    Quantities: same dimension and unit, and equal when rounded to the last digit that the claim writes. A number
    without a unit agrees with the same written number of any unit (tables keep units in their head). Dates: every
    part that the claim names is the same. Others: the same written form.
    """
    if claim.is_quantity != source.is_quantity:
        return "version" in (claim.dimension, source.dimension) and claim.written == source.written
    if not claim.is_quantity:
        return _same_mark(claim, source)
    if not claim.dimension or not source.dimension:
        return abs(claim.written) == abs(source.written)
    if claim.dimension != source.dimension:
        return False
    if claim.unit != source.unit and not _loose_count(claim, source):
        return False
    return abs(abs(claim.value) - abs(source.value)) <= claim.step / 2


def _loose_count(claim: Number, source: Number) -> bool:
    """Counted nouns differ between languages (30 个节点, 30 nodes), and 个 counts anything."""
    if claim.dimension != "count":
        return False
    return "个" in (claim.unit, source.unit) or claim.unit.isascii() or source.unit.isascii()


def _same_mark(claim: Number, source: Number) -> bool:
    if claim.dimension == "date" == source.dimension:
        pairs = zip(claim.unit.split("-"), source.unit.split("-"), strict=True)
        return all(mine == theirs or not int(mine) for mine, theirs in pairs)
    if {claim.dimension, source.dimension} <= {"id", "version"}:
        return _figures(claim) == _figures(source)
    return claim.dimension == source.dimension and claim.unit == source.unit


def _figures(number: Number) -> list[str]:
    return re.findall(r"\d+", number.unit)


def unsupported(claims: Iterable[Number], sources: Sequence[Number]) -> list[Number]:
    """The numbers of a claim that no number of its source carries. One number of the source carries one of the claim,
    so "2 wins, 2 losses" is not carried by "3 wins, 2 losses"."""
    free = list(sources)
    missing = []
    for claim in sorted(claims, key=lambda number: -len(number.text)):
        match = next((index for index, source in enumerate(free) if agree(claim, source)), None)
        if match is None:
            missing.append(claim)
        else:
            free.pop(match)
    return sorted(missing, key=lambda number: number.span)
