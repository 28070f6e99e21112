"""Chinese numerals as numbers."""

from __future__ import annotations

from decimal import Decimal

from kaozheng.documents.units import SCALES

DIGITS = dict(zip("零〇一二三四五六七八九", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), strict=True)) | {"两": 2}
_STEPS = {"十": 10, "百": 100, "千": 1000}
CHARACTERS = "零〇一二三四五六七八九两十百千万亿点"


def chinese_number(text: str) -> Decimal | None:
    """The value of a Chinese numeral such as 一百零五万, 二十三亿五千万, 一点二, 二〇二一; None when it is none."""
    whole, dot, fraction = text.partition("点")
    if dot and (not fraction or any(character not in DIGITS for character in fraction.rstrip("万亿千百"))):
        return None
    if dot:
        digits = fraction.rstrip("万亿千百")
        scale = SCALES.get(fraction[len(digits) :], Decimal(1)) if fraction != digits else Decimal(1)
        base = _whole(whole)
        return None if base is None else (base + Decimal("0." + _figures(digits))) * scale
    return _whole(whole)


def _figures(text: str) -> str:
    return "".join(str(DIGITS[character]) for character in text)


def _whole(text: str) -> Decimal | None:
    if not text:
        return None
    if all(character in DIGITS for character in text):
        return Decimal(_figures(text)) if len(text) == 1 or "两" not in text else None
    for name, size in (("亿", 10**8), ("万", 10**4)):
        head, found, rest = text.rpartition(name)
        if found:
            left = _whole(head)
            right = _tail(rest, size)
            return None if left is None or right is None else left * size + right
    return _below_ten_thousand(text)


def _tail(text: str, size: int) -> Decimal | None:
    """What stands behind 万 or 亿: 三万五 is 35,000, 三万零五 is 30,005."""
    if len(text) == 1 and text in DIGITS and text not in "零〇":
        return Decimal(DIGITS[text] * size // 10)
    return _whole(text.lstrip("零〇")) if text else Decimal(0)


def _below_ten_thousand(text: str) -> Decimal | None:
    total, digit, last = 0, None, 10**4
    for before, character in zip(" " + text, text, strict=False):
        if character in _STEPS:
            step = _STEPS[character]
            if step >= last:
                return None
            total += (1 if digit is None else digit) * step
            digit, last = None, step
        elif character in DIGITS and not digit:
            digit = DIGITS[character]
            if before in "百千" and character == text[-1] and digit:  # 二百五 is 250
                return Decimal(total + digit * last // 10)
        else:
            return None
    return Decimal(total + (digit or 0))
