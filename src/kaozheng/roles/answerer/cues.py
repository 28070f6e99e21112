"""What shows that a statement is of the kind that a question asks for: a date, a number in a unit, a place, a name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from kaozheng.evidence.numbers import Number, find_numbers
from kaozheng.sources.telling import Wanted, wanted, without_asking

_PLACE_ASKED = re.compile(
    r"哪里|哪儿|何处|何地|什么地方|哪一?个?[国省市县区城地州]|地址|位于|\bwhere\b"
    r"|\bwhat (?:city|country|state|place)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"位于|坐落|地处|生于|产于|分布|在.{0,12}[省市县区州国镇乡村岛洲馆]|[省市县州].{0,6}[市县区镇乡村]"
    r"|\b(?:in|at|near|on|from) (?:the )?[A-Z]|\blocated\b"
)
_NAME_ASKED = re.compile(
    r"(?:叫做?|称为|名字|名称|别名|称作|又称|被称).*什么|什么.*名|\bname[ds]?\b|\bcalled\b|\bterms?\b|\bknown as\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"称为|称作|又称|称之|叫做|名为|名叫|别名|俗称|简称|原名|[“「\"]|\b(?:called|named|known as|terms?)\b", re.I
)
_MEANING_ASKED = re.compile(
    r"^(?:什么是|何谓|何为|谁是)|(?:是|指)(?:什么|谁)[？?\s]*$|什么意思|意思是|含义|定义"
    r"|^(?:what|who) (?:is|are|was|were) (?:an? |the )?[^,]{1,40}$|\bmean(?:s|ing)?\b|\bdefin",
    re.IGNORECASE,
)
_IS = r"\s*(?:[（(][^）)]{0,80}[）)])?[”」』》\"*_`]*\s*[，,]?\s*(?:即|就|也|主要|通常|\w{0,8}，)?\s*"
_IS_ZH = rf"{_IS}(?:是|为|指|意为|意思是|即|：)"
_IS_EN = rf"{_IS}(?:is|are|was|were|means?|refers? to)\b"
_REASON = re.compile(
    r"因为|由于|因此|所以|导致|以便|为了|原因|缘于|\b(?:because|since|due to|so that|therefore|in order to)\b", re.I
)
_DIMENSIONS: Final[Mapping[str, re.Pattern[str]]] = {
    "money": re.compile(
        r"金额|投资|价格|价钱|费用|成本|工资|收入|预算|押金|多少钱|\bcost|\bpric|\bmoney\b|\bpaid\b", re.I
    ),
    "area": re.compile(r"面积|\barea\b", re.I),
    "length": re.compile(r"多[长高深宽远]|长度|高度|海拔|距离|体长|全长|\bhow (?:tall|high|far|deep|wide)\b", re.I),
    "mass": re.compile(r"多重|重量|体重|\bhow heavy\b|\bweigh", re.I),
    "ratio": re.compile(r"比例|占比|[率]是?多少|百分之几|百分比|\bpercent|\bshare\b", re.I),
    "duration": re.compile(r"多久|多长时间|时长|\bhow long\b", re.I),
}
_COUNTED = re.compile(r"(?:多少|几)\s*(?:个)?(?P<unit>[\u4e00-\u9fff])")
_SEVERAL = re.compile(
    r"哪些|哪几|几[种类项点步条个]|分别|步骤|有什么|流程|清单|\b(?:which|what) (?:are|were)\b|\bsteps?\b|\blist\b",
    re.IGNORECASE,
)
_PERSONS = frozenset("人名位")
_CODE_ASKED = re.compile(
    r"怎么|怎样|如何|命令|代码|脚本|示例|例子|用法|语法|配置|\bhow (?:do|can|to|should)\b|\bcommands?\b|\bcode\b"
    r"|\bscript\b|\bexamples?\b|\bsyntax\b|\busage\b|\bconfig",
    re.IGNORECASE,
)
RIGHT: Final = 0.2
"""What a statement of the right kind is worth, beside a whole question's words (1.0)."""
_IN_UNIT: Final = 0.35
_DEFINES: Final = 0.3
_HINT: Final = 0.15
_LONGEST: Final = 400  # no more of a statement is said


@dataclass(frozen=True)
class Cues:
    """What one question asks for."""

    question: str

    @cached_property
    def kind(self) -> Wanted:
        """Date, number, person, reason, way, or "" when it does not say."""
        return wanted(self.question)

    @cached_property
    def code(self) -> bool:
        """Whether a command or a piece of code may be the answer."""
        return _CODE_ASKED.search(self.question) is not None

    @cached_property
    def several(self) -> bool:
        """Whether more than one thing is asked for."""
        return _SEVERAL.search(self.question) is not None

    def worth(self, text: str) -> float:
        """What a statement is worth for being of the kind that is asked for; 0.0 when it is not, or none is."""
        text = text[:_LONGEST]
        if self.kind == "date":
            dates = [number for number in find_numbers(text) if number.dimension in ("date", "clock")]
            return RIGHT if dates else 0.0
        if self.kind == "number":
            return max((self._of_number(number) for number in find_numbers(text)), default=0.0)
        if self.kind == "reason":
            return RIGHT if _REASON.search(text) else 0.0
        found = _DEFINES if self._defines and self._defines.search(text) else 0.0
        found += _HINT if self._place and _PLACE.search(text) else 0.0
        return found + (RIGHT if self._name and _NAME.search(text) else 0.0)

    def missed(self, text: str) -> bool:
        """Whether a date or a number is asked for and the text has none."""
        return self.kind in ("date", "number") and self.worth(text) == 0.0

    def _of_number(self, number: Number) -> float:
        if not number.is_quantity:
            return 0.0
        if self._unit:
            same = number.unit == self._unit or {number.unit, self._unit} <= _PERSONS
            return _IN_UNIT if same else RIGHT / 2
        if self._dimension:
            return _IN_UNIT if number.dimension == self._dimension else RIGHT / 2
        return RIGHT

    @cached_property
    def _unit(self) -> str:
        found = _COUNTED.search(self.question)
        return found["unit"] if found else ""

    @cached_property
    def _dimension(self) -> str:
        return next((name for name, asked in _DIMENSIONS.items() if asked.search(self.question)), "")

    @cached_property
    def _place(self) -> bool:
        return _PLACE_ASKED.search(self.question) is not None

    @cached_property
    def _name(self) -> bool:
        return _NAME_ASKED.search(self.question) is not None

    @cached_property
    def _defines(self) -> re.Pattern[str] | None:
        if not _MEANING_ASKED.search(self.question):
            return None
        plain = re.sub(r"的?(?:意思|含义|定义)$|\b(?:an?|the)\b", "", without_asking(self.question))
        subject = plain.strip(' 的“”"《》')
        if not subject:
            return None
        return re.compile(rf"{re.escape(subject)}(?:{_IS_ZH}|{_IS_EN})|^意(?:思是|为)", re.IGNORECASE)
