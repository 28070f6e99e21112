"""A number as its sheet shows it: 0.123 under "0.0%" is 12.3%, 45047 under "yyyy-mm-dd" is 2023-05-01."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from kaozheng.providers.readers.sheet_dates import shown_date

Kind = Literal["text", "place", "date", "elapsed", "noon", "power", "general"]
Token = tuple[Kind, str]

BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: '"¥"#,##0;-"¥"#,##0', 6: '"¥"#,##0;-"¥"#,##0',
    7: '"¥"#,##0.00;-"¥"#,##0.00', 8: '"¥"#,##0.00;-"¥"#,##0.00', 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?",
    13: "# ??/??", 14: "yyyy/m/d", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM",
    20: "h:mm", 21: "h:mm:ss", 22: "yyyy/m/d h:mm", 27: 'yyyy"年"m"月"', 28: 'm"月"d"日"', 29: 'm"月"d"日"',
    30: "m-d-yy", 31: 'yyyy"年"m"月"d"日"', 32: 'h"时"mm"分"', 33: 'h"时"mm"分"ss"秒"', 34: 'AM/PMh"时"mm"分"',
    35: 'AM/PMh"时"mm"分"ss"秒"', 36: 'yyyy"年"m"月"', 37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00",
    40: "#,##0.00;-#,##0.00", 41: '#,##0;-#,##0;"-"', 42: '"¥"#,##0;-"¥"#,##0;"-"', 43: '#,##0.00;-#,##0.00;"-"',
    44: '"¥"#,##0.00;-"¥"#,##0.00;"-"', 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
    50: 'yyyy"年"m"月"', 51: 'm"月"d"日"', 52: 'yyyy"年"m"月"', 53: 'm"月"d"日"', 54: 'm"月"d"日"',
    55: 'AM/PMh"时"mm"分"', 56: 'AM/PMh"时"mm"分"ss"秒"', 57: 'yyyy"年"m"月"', 58: 'm"月"d"日"',
}  # fmt: skip
"""Formats that files name by number only, 14, 22 and 27 to 58 as in China."""
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|[_*].|\[(?P<bracket>[^\]]*)\]|(?P<general>General)'
    r"|(?P<noon>AM/PM|A/P|上午/下午)|(?P<power>E[+-])|(?P<date>y+|m+|d+|h+|s+|e+|a{3,4})|(?P<place>[0#?.,%/@])|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_KINDS: dict[str | None, Kind] = {
    "quoted": "text", "escaped": "text", "other": "text", "date": "date", "place": "place", "power": "power",
    "noon": "noon", "general": "general",
}  # fmt: skip
_SECTION = re.compile(r'(?:"[^"]*"?|\\.|\[[^\]]*\]|[^;"\\\[]|\[)*', re.DOTALL)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)$")
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)
_EXACT = Context(prec=15, rounding=ROUND_HALF_UP)  # digits of a double that mean something
_WIDE = Context(prec=400, rounding=ROUND_HALF_UP)
_LARGEST, _SMALLEST = Decimal("1E+21"), Decimal("1E-10")


@dataclass(frozen=True, slots=True)
class _Section:
    tokens: tuple[Token, ...]
    condition: tuple[str, Decimal] | None = None

    def has(self, kind: Kind, *texts: str) -> bool:
        return any(of == kind and (not texts or text in texts) for of, text in self.tokens)


def shown_number(text: str, code: str, from_1904: bool = False) -> str:
    """The number `text`, as a file keeps it, in the format `code`; as it stands where it is no number. Dates count
    from 1900, or `from_1904`."""
    if code == "General" and text.isdecimal() and len(text) < 12 and text[0] != "0":
        return text
    try:
        number = _EXACT.plus(Decimal(text))
    except InvalidOperation:
        return text
    if not number.is_finite():
        return text
    sections = _sections(code)
    section, drops_sign = _chosen(sections, number)
    if section is None or section.has("general") or section.has("place", "@") or not section.tokens:
        return _around(section, _general(abs(number) if drops_sign else number))
    if section.has("date") or section.has("elapsed") or section.has("noon"):
        return shown_date(number, section.tokens, from_1904) or _general(number)
    return _formatted(abs(number), section.tokens, "-" if number < 0 and not drops_sign else "").strip()


@lru_cache(maxsize=512)
def _sections(code: str) -> tuple[_Section, ...]:
    parts, at = [], 0
    while at <= len(code):
        found = _SECTION.match(code, at)
        parts.append(found[0] if found else code[at:])
        at += len(parts[-1]) + 1
    return tuple(_section(part) for part in parts[:4])


def _section(part: str) -> _Section:
    condition = None
    tokens: list[Token] = []
    for found in _TOKEN.finditer(part):
        kind, text = found.lastgroup, found[found.lastgroup] if found.lastgroup else ""
        if kind == "bracket":
            if test := _CONDITION.match(text):
                condition = test[1], Decimal(test[2])
            elif _ELAPSED.fullmatch(text):
                tokens.append(("elapsed", text.lower()))
            elif text.startswith("$") and (sign := text[1:].split("-")[0]):
                tokens.append(("text", sign))
        elif kind in _KINDS:
            tokens.append((_KINDS[kind], text.lower() if kind == "date" else text))
    return _Section(tuple(tokens), condition)


def _chosen(sections: tuple[_Section, ...], number: Decimal) -> tuple[_Section | None, bool]:
    """(section, whether it writes the sign itself)"""
    if any(section.condition for section in sections):
        for section in sections:
            if section.condition is None or _holds(number, *section.condition):
                return section, False
        return None, False
    if len(sections) > 1 and sections[-1].has("place", "@"):  # that one is for texts
        sections = sections[:-1]
    if number < 0 and len(sections) > 1:
        return sections[1], True
    return sections[2 if number == 0 and len(sections) > 2 else 0], False


def _holds(number: Decimal, sign: str, limit: Decimal) -> bool:
    return {
        "<": number < limit,
        ">": number > limit,
        "<=": number <= limit,
        ">=": number >= limit,
        "=": number == limit,
        "<>": number != limit,
    }[sign]


def _general(number: Decimal) -> str:
    if number == 0:
        return "0"
    if not _SMALLEST <= abs(number) < _LARGEST:
        return f"{number.normalize():E}"
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _around(section: _Section | None, text: str) -> str:
    """The words around General or @."""
    if section is None or not section.tokens:
        return text
    return "".join(
        words if kind == "text" else text for kind, words in section.tokens if kind != "place" or words == "@"
    )


def _formatted(number: Decimal, tokens: tuple[Token, ...], sign: str) -> str:
    places = [text for kind, text in tokens if kind == "place"]
    if not any(text in "0#?" for text in places):
        return sign + "".join(text for kind, text in tokens if kind == "text" or text == "%")
    if "/" in places:
        return sign + _fraction(number, tokens)
    number = _WIDE.scaleb(number, 2 * places.count("%"))
    power = next((at for at, (kind, _) in enumerate(tokens) if kind == "power"), None)
    if power is not None:
        return sign + _scientific(number, tokens, power)
    return sign + _decimal(number, tokens)


def _decimal(number: Decimal, tokens: tuple[Token, ...]) -> str:
    """Digits into their places; words between them stay where they are."""
    point = next((at for at, token in enumerate(tokens) if token == ("place", ".")), len(tokens))
    whole = [at for at, (kind, text) in enumerate(tokens[:point]) if kind == "place" and text in "0#?"]
    after = [at for at, (kind, text) in enumerate(tokens) if at > point and kind == "place" and text in "0#?"]
    last = whole[-1] if whole else -1
    commas = [at for at, token in enumerate(tokens) if token == ("place", ",")]
    grouped = any(at < last for at in commas)
    scaled = _WIDE.scaleb(number, -3 * sum(at > max([last, *after]) for at in commas))  # `0.0,,` counts in millions
    rounded = scaled.quantize(Decimal(1).scaleb(-len(after)), context=_WIDE)
    digits, _, decimals = f"{rounded:f}".partition(".")
    digits = digits.lstrip("0")
    pieces: list[str] = []
    for at, (kind, text) in enumerate(tokens):
        if at in whole:
            pieces.append(_whole_digits(digits, len(whole), whole.index(at), text, grouped))
        elif at in after:
            rest = decimals[after.index(at) :]
            pieces.append(rest[0] if text == "0" or rest.strip("0") else " " * (text == "?"))
        elif at == point:
            pieces.append(text if whole else digits + text)
        elif text == "%" or kind == "text":
            pieces.append(text)
    return "".join(pieces)


def _whole_digits(digits: str, places: int, index: int, kind: str, grouped: bool) -> str:
    """The digits of one place before the point; the first place takes all that have none."""
    right = places - 1 - index
    shown = (
        digits[: max(0, len(digits) - right)] if index == 0 else digits[len(digits) - right - 1 : len(digits) - right]
    )
    if len(digits) <= right or not shown:
        shown = {"0": "0", "?": " "}.get(kind, "")
    if not grouped:
        return shown
    last = right + len(shown) - 1
    return "".join(digit + "," * ((last - at) % 3 == 0 and last - at > 0) for at, digit in enumerate(shown))


def _scientific(number: Decimal, tokens: tuple[Token, ...], power: int) -> str:
    mantissa, exponent = tokens[:power], tokens[power + 1 :]
    whole = max(1, sum(kind == "place" and text in "0#?" for kind, text in _before_point(mantissa)))
    shift = 0 if number == 0 else (number.adjusted() // whole) * whole if whole > 1 else number.adjusted()
    text = _decimal(_WIDE.scaleb(number, -shift), mantissa)
    if whole == 1 and text.startswith("10"):  # 9.995 was rounded up
        shift += 1
        text = _decimal(_WIDE.scaleb(number, -shift), mantissa)
    sign = "-" if shift < 0 else "+" if tokens[power][1].endswith("+") else ""
    return f"{text}E{sign}{_decimal(Decimal(abs(shift)), exponent)}"


def _before_point(tokens: tuple[Token, ...]) -> Iterator[Token]:
    for token in tokens:
        if token == ("place", "."):
            return
        yield token


def _fraction(number: Decimal, tokens: tuple[Token, ...]) -> str:
    """`# ?/?`: the nearest fraction whose denominator has no more digits than places, or the one that is given."""
    code = "".join(text for _, text in tokens)
    before, _, below = code.partition("/")
    given = re.match(r"\s*(\d+)", below.replace("0", "?") if set(below.strip()) <= set("0?#") else below)
    exact = Fraction(number)
    has_whole = bool(re.search(r"[0#?]\s+[0#?]", before))
    whole = int(exact) if has_whole else 0
    rest = exact - whole
    if given:
        below_number = int(given[1])
        rest = Fraction(round(rest * below_number), below_number)
        above, under = rest.numerator * (below_number // rest.denominator), below_number
    else:
        rest = rest.limit_denominator(10 ** max(1, sum(char in "0?#" for char in below)) - 1)
        above, under = rest.numerator, rest.denominator
    if has_whole and above == under:
        whole, above = whole + 1, 0
    parts = [str(whole)] if has_whole and (whole or not above) else []
    if above or not has_whole:
        parts.append(f"{above}/{under}")
    return " ".join(parts)
