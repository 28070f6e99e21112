"""Which unit a value is in: what stands nearest to it counts, as long as it measures what the indicator measures."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from kaozheng.county.importing.finding import Code
from kaozheng.county.importing.unit_labels import unit_label
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.observation import converted
from kaozheng.indicators.reason import Reason


def fits(unit: str, indicator: Indicator) -> bool:
    """Whether values in this unit can be said in the indicator's."""
    return converted(Decimal(1), unit, indicator.unit) is not None


@lru_cache(maxsize=1024)
def choose_unit(said: tuple[str, ...], indicator: Indicator) -> str | tuple[Code, Reason]:
    """The unit, of all that one place says (单位：万元、%), or what is wrong."""
    units = tuple(dict.fromkeys(said))
    fitting = [unit for unit in units if fits(unit, indicator)]
    if len(fitting) == 1:
        return fitting[0]
    shown = "、".join(units)
    measure = f"“{indicator.name}”的单位是 {indicator.unit}", f"{indicator.name} is in {indicator.unit}"
    if fitting:
        said_of = Reason(f"“{shown}”中不止一个适合：{measure[0]}", f"more than one of {shown} fits: {measure[1]}")
        return Code.UNKNOWN_UNIT, said_of
    if strange := [unit for unit in units if not unit_label(unit)]:
        named = "、".join(strange)
        return Code.UNKNOWN_UNIT, Reason(f"“{named}”不是已知的单位", f"{named} is no unit that is known")
    return Code.WRONG_UNIT, Reason(f"单位“{shown}”不符：{measure[0]}", f"{shown} does not fit: {measure[1]}")
