"""Which county a name or code in a table means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kaozheng.county.importing.finding import Code
from kaozheng.county.importing.footnotes import without_marks
from kaozheng.county.regions.gazetteer import Gazetteer, NamedBy, Unresolved
from kaozheng.evidence.folding import narrow
from kaozheng.indicators.reason import Reason
from kaozheng.indicators.region import Region

_TOTAL: Final = re.compile(
    r".*(?:合计|总计|小计|平均|平均值|平均数)|全[国省市州县区]|[省市州县]?(?:本级|直属|直)|市辖区|县级合计|其他|[省市州]级"
)
_CODE: Final = re.compile(r"(?P<code>\d{6})(?:0{6}|\.0+)?")
_PART: Final = re.compile(r"^(?:[#＃]|其中[:：]?)")


@dataclass(frozen=True, slots=True)
class RegionRead:
    """The region, with what is told of it; or (None) why there is none. `candidates` are all that may be meant."""

    region: Region | None
    code: Code | None = None
    reason: Reason | None = None
    is_part: bool = False
    candidates: tuple[Region, ...] = ()


class RegionNames:
    """Reads names of regions, each once a year."""

    def __init__(self, gazetteer: Gazetteer, above_counties: bool = False) -> None:
        self._gazetteer = gazetteer
        self._above_counties = above_counties
        self._known: dict[tuple[str, int, str], RegionRead] = {}

    def read(self, text: str, year: int, within: str = "") -> RegionRead:
        """What a name or code in a table means in a year; `within` is the level above."""
        asked = (text, year, within)
        if asked not in self._known:
            self._known[asked] = self._read(text, year, within)
        return self._known[asked]

    def _read(self, text: str, year: int, within: str) -> RegionRead:
        plain = plain_region(text)
        is_part = _PART.match("".join(narrow(text).split())) is not None
        if not plain:
            return RegionRead(None, Code.UNKNOWN_REGION, Reason("没有写明地区", "no region is named"))
        if _TOTAL.fullmatch(plain):
            said = Reason(f"“{plain}”是合计，不是一个县", f"{plain} is a total, not a county")
            return RegionRead(None, Code.NOT_A_COUNTY, said)
        found = self._gazetteer.resolve(plain, year, within)
        if isinstance(found, Unresolved):
            several = len(found.candidates) > 1 and all(_bears(one, plain) for one in found.candidates)
            code = Code.AMBIGUOUS_REGION if several else Code.UNKNOWN_REGION
            return RegionRead(None, code, found.reason, is_part, found.candidates if several else ())
        if found.region.code.endswith("00") and not self._above_counties:
            said = Reason(f"“{plain}”是县以上的地区", f"{plain} is above the counties")
            return RegionRead(None, Code.NOT_A_COUNTY, said)
        if found.note is None:
            return RegionRead(found.region, None, None, is_part, (found.region,))
        code = Code.RENAMED_REGION if found.by is NamedBy.FORMER and not plain.isdecimal() else Code.ALIAS_REGION
        return RegionRead(found.region, code, found.note, is_part, (found.region,))

    def mentioned(self, text: str, year: int) -> RegionRead:
        """The one county that a title or the name of a sheet mentions."""
        counties = {
            tuple(sorted({region.code for region in one.regions})): one.regions
            for one in self._gazetteer.mentions(text, year)
            if not all(region.code.endswith("00") for region in one.regions)
        }
        regions = [region for found in counties.values() for region in found]
        if len(regions) == 1:
            return RegionRead(regions[0], candidates=(regions[0],))
        if regions:
            names = "、".join(dict.fromkeys(f"{one.name}（{one.code}）" for one in regions))
            said = Reason(f"“{text}”可指 {names}", f"{text!r} may mean {names}")
            return RegionRead(None, Code.AMBIGUOUS_REGION, said)
        return RegionRead(None, Code.UNKNOWN_REGION, Reason(f"“{text}”没有写明哪个县", f"{text!r} names no county"))

    def above(self, text: str, year: int) -> str:
        """The code of the prefecture or province that a text is the name of, or else mentions alone; "" for none."""
        plain = plain_region(text)
        found = self._gazetteer.resolve(plain, year) if plain else None
        if found is not None and not isinstance(found, Unresolved):
            return found.region.code if found.region.code.endswith("00") else ""
        mentioned = {region.code for one in self._gazetteer.mentions(text, year) for region in one.regions}
        prefectures = {code for code in mentioned if code.endswith("00") and not code.endswith("0000")}
        return prefectures.pop() if len(prefectures) == 1 else ""


def _bears(region: Region, name: str) -> bool:
    """Whether a candidate is one that the name means, and not only close to it; a code means all that had it."""
    return name.isdecimal() or region.name in name or name in region.name


def plain_region(text: str) -> str:
    """A region's name without blanks, marks of notes and 其中; a code without what a number format added."""
    plain = without_marks("".join(text.split()))[0]
    plain = _PART.sub("", "".join(narrow(plain).split()))
    found = _CODE.fullmatch(plain)
    return found["code"] if found else plain
