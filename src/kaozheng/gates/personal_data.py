"""Numbers and addresses that lead to a person: identity cards, mobile phones, bank cards, passports, homes.

Masked forms (138****1234) do not match. Landlines and service numbers (0832-2020000, 12345) are those of offices and
pass; a mobile number is a person's, whoever gives it as a contact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from kaozheng.documents.span import Span

_GAP: Final = r"[ \u00a0-]?"
_LEFT: Final = r"(?<![\dA-Za-z*.,])"
_RIGHT: Final = r"(?![\dA-Za-z*]|[.,]\d)"
_IDENTITY: Final = re.compile(
    rf"{_LEFT}\d{{6}}{_GAP}(?:18|19|20)\d{{2}}{_GAP}\d{{2}}{_GAP}?\d{{2}}{_GAP}\d{{3}}{_GAP}[\dXx]{_RIGHT}"
)
_OLD_IDENTITY: Final = re.compile(rf"{_LEFT}\d{{15}}{_RIGHT}")
_MOBILE: Final = re.compile(rf"(?:(?<!\d)(?:\+|00)86{_GAP}|{_LEFT})1[3-9]\d{_GAP}\d{{4}}{_GAP}\d{{4}}{_RIGHT}")
_CARD: Final = re.compile(rf"{_LEFT}[3-6]\d{{3}}(?:{_GAP}\d{{4}}){{2}}{_GAP}\d{{1,4}}(?:{_GAP}\d{{1,3}})?{_RIGHT}")
_ACCOUNT: Final = re.compile(r"(?:银行)?(?:账号|帐号|卡号|账户)(?:为|是|[:：])?\s*(\d[\d -]{10,24}\d)")
_PASSPORT: Final = re.compile(r"护照(?:号码?)?(?:为|是|[:：])?\s*([A-Za-z]{1,2}\d{7,8})(?!\d)")
_HOME: Final = re.compile(
    r"(?:家庭(?:住址|地址)|户籍(?:地址|所在地)|现住址|住址|家住)(?:为|是|在"
    r"|[:：])?\s*[\u4e00-\u9fff\d]{2,30}?\d{1,4}\s*(?:号|室|栋|幢|单元|组)"
)
_UNIT: Final = re.compile(
    r"\s*(?:万|亿|千|百)?(?:元|吨|人|家|户|亩|千瓦时|度|平方米|立方米|件|个|台|套|美元|%|只|头|公斤)"
)
_NEAR_IDENTITY: Final = re.compile(r"身份证|公民身份号码|证件号|身份号|\bID\b", re.IGNORECASE)
_CODE: Final = re.compile(r"(?:代码|编码|单号|流水号|序列号|code)(?:为|是|[:：])?\s*$", re.IGNORECASE)
_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS: Final = "10X98765432"
_NEAR: Final = 24


def personal_data(text: str) -> Iterator[tuple[str, Span]]:
    """What leads to a person in a text of half width, with its kind: identity-number, mobile-number, bank-card,
    passport, home-address. One place is told once, as the first kind that fits."""
    taken: list[Span] = []
    for kind, pattern, fits in _KINDS:
        for found in pattern.finditer(text):
            group = 1 if found.re.groups else 0
            span = Span(*found.span(group))
            if fits(found, text) and not any(span.overlaps(other) for other in taken):
                taken.append(span)
                yield kind, span


def has_check_digit(number: str) -> bool:
    """Whether the last of the 18 characters is the check digit of the others (GB 11643, ISO 7064 MOD 11-2)."""
    total = sum(int(digit) * weight for digit, weight in zip(number, _WEIGHTS, strict=False))
    return _CHECKS[total % 11] == number[-1].upper()


def luhn(digits: str) -> bool:
    """Whether the digits sum to a multiple of ten by Luhn's rule (ISO/IEC 7812)."""
    total = 0
    for place, digit in enumerate(map(int, reversed(digits))):
        doubled = digit * 2 if place % 2 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def _is_identity(found: re.Match[str], text: str) -> bool:
    """By its check digit; a wrong one counts too where the text calls it an identity card."""
    number = re.sub(r"[^\dXx]", "", found[0])
    return _is_day(number[6:14]) and (has_check_digit(number) or _is_called_identity(found, text))


def _is_old_identity(found: re.Match[str], text: str) -> bool:
    return _is_day("19" + found[0][6:12]) and _is_called_identity(found, text)


def _is_called_identity(found: re.Match[str], text: str) -> bool:
    return bool(_NEAR_IDENTITY.search(text[max(0, found.start() - _NEAR) : found.end() + _NEAR]))


def _is_mobile(found: re.Match[str], text: str) -> bool:
    return not _UNIT.match(text, found.end())


def _is_card(found: re.Match[str], text: str) -> bool:
    digits = re.sub(r"\D", "", found[0])
    if _CODE.search(text[max(0, found.start() - _NEAR) : found.start()]):
        return False
    return 15 <= len(digits) <= 19 and luhn(digits) and not _UNIT.match(text, found.end())


def _always(found: re.Match[str], text: str) -> bool:
    return True


def _is_day(digits: str) -> bool:
    try:
        born = date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return False
    return born.year >= 1890


_KINDS: Final = (
    ("identity-number", _IDENTITY, _is_identity),
    ("identity-number", _OLD_IDENTITY, _is_old_identity),
    ("bank-card", _ACCOUNT, _always),
    ("bank-card", _CARD, _is_card),
    ("mobile-number", _MOBILE, _is_mobile),
    ("passport", _PASSPORT, _always),
    ("home-address", _HOME, _always),
)
