"""The regions that a text names, and whether they are what is spoken of or what is compared with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kaozheng.county.regions.gazetteer import Gazetteer
from kaozheng.documents.span import Span

UNKNOWN: Final = "?"
"""The code of a region that has no rows here."""
_OWN: Final = re.compile(r"全[市县区](?!域)|(?:我|(?<!样)本)[市县区]")
_ABOVE: Final = re.compile(r"全省|全国|全川|四川省?|[一-鿿]{2}市(?=平均)|全市平均")
_STRANGE: Final = re.compile(
    r"(?:^|(?<=[，。;:、(和与及对较比为]))(?!全|我|本|该|各|多|同|两|几|每|其|以|在|到)[一-鿿]{2,4}?"
    r"(?<![园地社景辖小库灾山城郊片校新特牧林矿港湖超都样本点贫脱])(?:自治县|县|区|市)(?=(?:19|20)\d\d[年\ue000]|[一-鿿]{0,6}\ue000)"
)
"""A region that the gazetteer does not know, before a year or an indicator (marked)."""
_AGAINST: Final = re.compile(r"(?:比|较|相当于|占|高于|低于|快于|慢于|多于|少于|超过|落后于?|不及|相比|于)(?:同期)?$")
_BESIDE: Final = re.compile(r"(?:为|是|和|与|同)$")
_COMPARED: Final = re.compile(r"的|相比|之比|高|低|多|少|快|慢|之差|相差")


@dataclass(frozen=True, slots=True)
class Where:
    """One mention. `codes` are several where the name alone does not say which; `base`: what is compared with;
    `scope`: among whose counties a place is."""

    span: Span
    codes: frozenset[str]
    base: bool = False
    scope: bool = False


def wheres(text: str, year: int, gazetteer: Gazetteer, region: str, own: str, whats: Sequence[Span]) -> list[Where]:
    """The mentions of a text, in order. A name of several regions is that of them which was spoken of last, else the
    report's own `region`; 全市 and 我县 are the report's own."""
    found: list[Where] = []
    known = frozenset({region})
    for mention in gazetteer.mentions(text, year):
        codes = frozenset(one.code for one in mention.regions)
        if len(codes) > 1 and len(codes & known) == 1:
            codes &= known
        elif len(codes) == 1:
            known = codes
        found.append(Where(mention.span, codes, _is_base(text, mention.span)))
    taken = bytearray(len(text))
    for where in found:
        taken[where.span.start : where.span.end] = b"\1" * len(where.span)
    marked = list(text)
    for what in whats:
        marked[what.start] = "\ue000"
    for pattern, code in ((_ABOVE, UNKNOWN), (_OWN, own), (_STRANGE, UNKNOWN)):
        for match in pattern.finditer("".join(marked) if pattern is _STRANGE else text):
            span = Span(*match.span())
            if code and not any(taken[span.start : span.end]):
                found.append(Where(span, frozenset({code}), _is_base(text, span)))
                taken[span.start : span.end] = b"\1" * len(span)
    return sorted(found, key=lambda where: where.span)


def _is_base(text: str, span: Span) -> bool:
    before = text[max(0, span.start - 6) : span.start]
    if _AGAINST.search(before):
        return True
    return bool(_BESIDE.search(before)) and _COMPARED.match(text, span.end) is not None
