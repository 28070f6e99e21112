"""What stands where a figure has no value: the reason, never a number."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from kaozheng.indicators.reason import Reason


class Why(StrEnum):
    """Why a figure has no value."""

    MISSING = "missing"
    BASE_MISSING = "base_missing"
    ZERO_BASE = "zero_base"
    NEGATIVE_BASE = "negative_base"
    SIGN_CHANGE = "sign_change"
    BREAK = "break"
    CUMULATIVE = "cumulative"
    VINTAGES = "vintages"
    CALIBRES = "calibres"
    TOO_FEW = "too_few"
    CONSTANT = "constant"
    ZERO_TOTAL = "zero_total"
    NEGATIVE_PART = "negative_part"
    SMALL_DIVISOR = "small_divisor"


_REASONS: Final = {
    Why.MISSING: Reason("缺少数值", "a value is missing"),
    Why.BASE_MISSING: Reason("缺少基期数值", "the base period has no value"),
    Why.ZERO_BASE: Reason("基期为零，只给差额", "the base is zero: only the difference is given"),
    Why.NEGATIVE_BASE: Reason("基期为负，只给差额", "the base is negative: only the difference is given"),
    Why.SIGN_CHANGE: Reason("由正转负，只给差额", "from positive to negative: only the difference is given"),
    Why.BREAK: Reason("区划或口径在期间内变更，前后不可比", "boundaries or the calibre changed in between"),
    Why.CUMULATIVE: Reason(
        "累计值不能直接算环比，先还原为当期值", "cumulative values have to be made single ones first"
    ),
    Why.VINTAGES: Reason("两个数值来自不同修订版本", "the values come from different revisions"),
    Why.CALIBRES: Reason("两个数值口径不同", "the values are of different calibres"),
    Why.TOO_FEW: Reason("数据太少", "there are too few values"),
    Why.CONSTANT: Reason("各值相同，无法区分", "all values are the same"),
    Why.ZERO_TOTAL: Reason("合计为零", "the total is zero"),
    Why.NEGATIVE_PART: Reason("含有负值", "there are negative values"),
    Why.SMALL_DIVISOR: Reason("不适用：分母过小或为负", "not applicable: the divisor is too small or negative"),
}


@dataclass(frozen=True, slots=True)
class Undefined:
    """A figure that has no value. `detail` names what is concerned (a period, a sector); `difference` is what can be
    said instead of a growth, in the unit of the values."""

    why: Why
    detail: str = ""
    difference: Decimal | None = None

    @property
    def reason(self) -> Reason:
        """Why there is no value, in both languages."""
        known = _REASONS[self.why]
        if not self.detail:
            return known
        return Reason(f"{known.zh}（{self.detail}）", f"{known.en} ({self.detail})")
