"""The words by which a text speaks of indicators, directions and prices."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from kaozheng.county.figures.growth_rates import grown
from kaozheng.documents.span import Span
from kaozheng.indicators.indicator import Indicator

_UP: Final = (
    "高出|增收|净增|增长|增加|提高|上升|上涨|回升|加快|扩大|提升|攀升|前移|多出|增幅|涨幅"
    "|(?<!新)增|升|涨|(?<!最)[多高快]"
)
_DOWN: Final = (
    "负增长|减收|净减|下降|减少|降低|回落|下滑|下跌|收窄|缩小|放缓|减缓|后移|降幅|跌幅|减|降|跌|(?<![最至不])[少低慢]"
)
_LEADS: Final = r"(?:了|约|近|超|超过|逾|达到?|为|是|以|按|幅度[为达]?|速度[为达]?|:)*\s?"
CHANGE: Final = re.compile(rf"(?:(?P<down>{_DOWN})|(?P<up>{_UP}))(?P<to>[至到])?{_LEADS}$")
"""The word of direction right before a number; with `to` (增至) the number is a level and not the change."""
CHANGE_ENGLISH: Final = re.compile(
    r"\b(?:(?P<up>grew|grown|rose|risen|increased|climbed|up|gained|added|growth of|increase of)"
    r"|(?P<down>fell|fallen|dropped|declined|decreased|shrank|down|lost|fall of|decrease of))"
    r"(?: by)?(?P<to> to)?(?: about| nearly| almost)?\s$",
    re.I,
)
BESIDE: Final = re.compile(r"(?P<up>高于|快于|超过|多于|领先)|(?P<down>低于|慢于|少于|落后于?|不及)")
RATE: Final = re.compile(r"(?:增速|增长率|增长速度|增幅|涨幅|降幅)(?:分别|依次|均)?" + _LEADS + "$")
RATE_SAID: Final = re.compile(r"增速|增长率|增长速度|增幅|涨幅|降幅")
RATE_BEHIND: Final = re.compile(r"的(?:同比|平均)?(?:增速|增长率|增幅|速度增长)")
BEHIND: Final = re.compile(r"的(?P<word>增长|增加|提高|提升|上升|回升|(?P<down>下降|减少|降低|回落|下滑))")
YEARLY: Final = re.compile(r"年均|年平均|复合增")
_PRICES: Final = re.compile(r"(?P<nominal>名义|现价|现行价)|可比价|不变价|实际增长|实际增速")
_PRICES_OF_SENTENCE: Final = re.compile(r"按[^，。]{0,4}(?:(?P<nominal>现价|现行价)|可比价|不变价)")
OVER_YEARS: Final = re.compile(r"(?:连续|近|过去)[两二三四五六七八九十\d]{1,2}(?:年|个季度|个月)")
PER_HEAD: Final = re.compile(r"人均|每人")
GAP: Final = re.compile(r"相差|[还尚]差|差距|差额|之差|相距|缺口")
EACH: Final = re.compile(r"分别|依次|各为|各达")
_GENERIC: Final = re.compile(
    r"经济总量|人口总量|企业总数|财政总量|收入总量|总量|总数|总额|规模|增速|增长率|增幅|降幅|涨幅|比重|占比|人均|年末数|累计数|绝对额"
)
_HEAD: Final = re.compile(
    r"[一-鿿]{1,12}?(?:总额|总值|余额|收入|支出|面积|投资|企业|人口|税收|存款|贷款|消费|能耗|强度|产量|利润|销售额?|进出口"
    r"|出口|进口|(?<![一-鿿]比)率|覆盖|项目|园区|岗位|就业|产值|增加值|价格|指数|车辆|游客|床位|学校|医院|农户|农房|资金|债券|里程)"
)


@dataclass(frozen=True, slots=True)
class What:
    """A mention of indicators: those whose own name it is, and those that are the growth of what it names."""

    span: Span
    levels: frozenset[str]
    growths: frozenset[str]


class Vocabulary:
    """The names of the indicators of a sheet."""

    def __init__(self, indicators: Iterable[Indicator]) -> None:
        self._levels: dict[str, set[str]] = {}
        self._growths: dict[str, set[str]] = {}
        for indicator in indicators:
            for name in indicator.names():
                self._levels.setdefault(name, set()).add(indicator.key)
            for name in grown(indicator):
                self._growths.setdefault(name, set()).add(indicator.key)
        for key, names in self._same_things().items():
            for name in names:
                self._growths.setdefault(name, set()).add(key)
        self._speak_of_what_grows()
        known = sorted({*self._levels, *self._growths} - {""}, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, known)) or r"(?!)")

    def _speak_of_what_grows(self) -> None:
        """A name of the growth speaks of what grows too: 地区生产总值增长6.1%，达到379.45亿元."""
        for name, keys in self._levels.items():
            for base in (base for base in tuple(self._growths) if base and name != base and name.startswith(base)):
                if keys & self._growths[base]:
                    self._growths.setdefault(name, set()).update(self._growths[base])
                    keys |= self._levels.get(base, set())

    def _same_things(self) -> dict[str, set[str]]:
        """For each rate of growth all names of the level that it is the growth of: GDP grows as 地区生产总值 does."""
        more: dict[str, set[str]] = {}
        for name, keys in self._growths.items():
            for level in self._levels.get(name, ()):
                others = {other for other, held in self._levels.items() if level in held}
                for key in keys:
                    more.setdefault(key, set()).update(others)
        return more

    def whats(self, text: str) -> list[What]:
        """The mentions of a text, the longest name at each place."""
        return [
            What(
                Span(*found.span()),
                frozenset(self._levels.get(found[0], ())),
                frozenset(self._growths.get(found[0], ())),
            )
            for found in self._pattern.finditer(text)
        ]


def foreign(clause: str) -> str:
    """The noun of a clause (its known names already blanked) that names something which is measured; "" for none."""
    found = _HEAD.search(_GENERIC.sub(" ", clause))
    return found[0] if found else ""


def prices(clause: str) -> str:
    """At which prices a clause speaks, by its last word for it: "nominal", "real" or ""."""
    return _last_prices(_PRICES, clause)


def prices_of_sentence(text: str) -> str:
    """The same for what holds beyond its own clause: 按可比价格计算."""
    return _last_prices(_PRICES_OF_SENTENCE, text)


def _last_prices(pattern: re.Pattern[str], text: str) -> str:
    said = [bool(found["nominal"]) for found in pattern.finditer(text)]
    return "" if not said else "nominal" if said[-1] else "real"
