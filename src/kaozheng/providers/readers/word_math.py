"""Formulas of Word in one line of text: what a bar, an exponent or a root says must not get lost with their layout."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kaozheng.providers.readers.zip_parts import Element, child, name_of, value

_ATOM = re.compile(r"\w+(?:\.\w+)?|\W?")


def formula(element: Element) -> str:
    """`m:oMath` or a part of it: `λ/a`, `10^(-6)`, `√(x+1)`."""
    return "".join(_part(one) for one in element)


def _part(one: Element) -> str:
    name = name_of(one)
    if name in ("m:t", "w:t"):
        return one.text or ""
    if name == "m:f":
        return f"{_of(one, 'm:num')}/{_of(one, 'm:den')}"
    if name in ("m:sSup", "m:sSub", "m:sSubSup"):
        below, above = child(one, "m:sub"), child(one, "m:sup")
        base = formula(base) if (base := child(one, "m:e")) is not None else ""
        return base + ("_" + _of(one, "m:sub")) * (below is not None) + ("^" + _of(one, "m:sup")) * (above is not None)
    if name == "m:rad":
        return f"{formula(degree) if (degree := child(one, 'm:deg')) is not None else ''}√{_of(one, 'm:e')}"
    if name == "m:d":
        begin = value(child(one, "m:dPr", "m:begChr"), otherwise="(")
        end = value(child(one, "m:dPr", "m:endChr"), otherwise=")")
        return begin + ",".join(_all(one, "m:e")) + end
    if name == "m:nary":
        limits = "".join(
            sign + _of(one, f"m:{where}") for sign, where in (("_", "sub"), ("^", "sup")) if _of(one, f"m:{where}")
        )
        return value(child(one, "m:naryPr", "m:chr"), otherwise="∫") + limits + " " + "".join(_all(one, "m:e"))
    if name == "m:m":
        return "[" + "; ".join(", ".join(_all(row, "m:e")) for row in one if name_of(row) == "m:mr") + "]"
    return "" if name.endswith("Pr") else formula(one)


def _of(element: Element, name: str) -> str:
    """A part as one thing: in brackets unless it is a single word or number."""
    part = child(element, name)
    text = formula(part).strip() if part is not None else ""
    return text if _ATOM.fullmatch(text) else f"({text})"


def _all(element: Element, name: str) -> Iterable[str]:
    return [formula(one) for one in element if name_of(one) == name]
