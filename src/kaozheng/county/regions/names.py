"""The forms in which the name of a Chinese region is written."""

from __future__ import annotations

import re
from typing import Final

_PEOPLES: Final = re.compile(
    r"(?:(?:土家|仡佬|布依|哈尼|傈僳|拉祜|景颇|锡伯|达斡尔|蒙古|哈萨克|柯尔克孜|朝鲜|各|[藏羌彝苗回满壮侗瑶白傣黎畲佤水土怒])族)+"
    r"(?=自治[州县区]$)"
)
_AUTONOMOUS: Final = re.compile(r"自治([州县区])$")
_LEVEL: Final = re.compile(r"(?:地区|[省市州县区])$")
_PLACE_ALONE: Final = re.compile("[东西南北]?城?区|市中区|郊区|矿区")


def short_name(name: str) -> str:
    """The name without its level: 隆昌 of 隆昌市, 北川 of 北川羌族自治县. 高县, 东区 and 市中区 have no shorter
    form that names them."""
    if _PLACE_ALONE.fullmatch(name):
        return name
    plain = _LEVEL.sub("", _AUTONOMOUS.sub("", _PEOPLES.sub("", name)))
    return plain if len(plain) > 1 else name


def customary_names(name: str) -> tuple[str, ...]:
    """What else it is called with its level: 凉山州 of 凉山彝族自治州, 北川县 of 北川羌族自治县."""
    found = _AUTONOMOUS.search(name)
    return (short_name(name) + found[1],) if found else ()
