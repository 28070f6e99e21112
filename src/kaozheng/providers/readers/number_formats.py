"""A number as its sheet shows it: 0.123 under "0.0%" is 12.3%, 45047 under "yyyy-mm-dd" is 2023-05-01."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from fractions import Fraction

from kaozheng.providers.readers.number_codes import Section, Token, chosen, sections_of
from kaozheng.providers.readers.sheet_dates import shown_date
from kaozheng.sources.grid import GridCell

_EXACT = Context(prec=15, rounding=ROUND_HALF_UP)  # digits of a double that mean something
_WIDE = Context(prec=400, rounding=ROUND_HALF_UP)
_LARGEST_POWER = 323
_LARGEST, _SMALLEST = Decimal("1E+21"), Decimal("1E-10")


def number_cell(text: str, code: str, from_1904: bool = False) -> GridCell:
    """The number `text`, as a file keeps it, in the format `code`; as it stands where it is no number. Dates count
    from 1900, or `from_1904`."""
    number = stored_number(text)
    if number is None:
        return GridCell(text)
    if code == "General" and text.isdecimal() and len(text) < 12 and text[0] != "0":
        return GridCell(text, number)
    section, drops_sign = chosen(sections_of(code), number)
    if section is None or section.has("general") or section.has("place", "@") or not section.tokens:
        return GridCell(_around(section, _general(abs(number) if drops_sign else number)), number)
    if section.is_date:
        return GridCell(shown_date(number, section.tokens, from_1904) or _general(number), number, is_date=True)
    sign = "-" if number < 0 and not drops_sign else ""
    return GridCell(_formatted(abs(number), section.tokens, sign).strip(), number, section.is_percent)


def stored_number(text: str) -> Decimal | None:
    """The number that a file keeps as `text`: to 15 digits, which is what the sheet was given and what it shows, so
    that 1186.6000000000001 is 1186.6 again. None where it is none, or no double can hold it."""
    try:
        number = _EXACT.plus(Decimal(text))
    except InvalidOperation:
        return None
    if not number.is_finite() or abs(number.adjusted()) > _LARGEST_POWER:
        return None
    if len(text) > _EXACT.prec:
        number = number.normalize()
    return Decimal(f"{number:f}") if "E+" in str(number) else number


def _general(number: Decimal) -> str:
    if number == 0:
        return "0"
    if not _SMALLEST <= abs(number) < _LARGEST:
        return f"{number.normalize():E}"
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _around(section: Section | None, text: str) -> str:
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
