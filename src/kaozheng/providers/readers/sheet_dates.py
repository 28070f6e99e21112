"""Days since 1900 (or 1904) as the date and time that a sheet shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_HAN_DAYS = "一二三四五六日"
_LAST_DAY = 2_958_465  # 9999-12-31
_MS_OF_DAY = 86_400_000


@dataclass(frozen=True, slots=True)
class _Moment:
    year: int
    month: int
    day: int
    weekday: int
    ms: int  # of the day
    total_ms: int

    @property
    def hour(self) -> int:
        return self.ms // 3_600_000

    @property
    def minute(self) -> int:
        return self.ms // 60_000 % 60

    @property
    def second(self) -> int:
        return self.ms // 1_000 % 60


def shown_date(number: Decimal, tokens: Sequence[tuple[str, str]], from_1904: bool = False) -> str:
    """The moment in the format's tokens; "" where no date has that number."""
    total_ms = _rounded_ms(number, tokens)
    days, ms = divmod(total_ms, _MS_OF_DAY)
    days += 1462 if from_1904 else 0
    if not 0 <= days <= _LAST_DAY:
        return ""
    moment = _Moment(*_calendar(days), ms, total_ms)
    half = any(kind == "noon" for kind, _ in tokens)
    pieces = []
    for at, (kind, text) in enumerate(tokens):
        if kind == "noon":
            words = text.split("/") if text[0] not in "aA" or len(text) < 5 else ["AM", "PM"]
            pieces.append(words[moment.hour >= 12])
        elif kind == "elapsed":
            unit = {"h": 3_600_000, "m": 60_000, "s": 1_000}[text[0]]
            pieces.append(f"{total_ms // unit:0{len(text)}d}")
        elif kind == "date":
            is_minute = text[0] == "m" and len(text) <= 2 and _is_minute(tokens, at)
            pieces.append(_part(moment, "n" * len(text) if is_minute else text, half))
        elif kind == "place":
            pieces.append(_fraction_of_second(moment, tokens, at))
        else:
            pieces.append(text)
    return "".join(pieces).strip()


def _rounded_ms(number: Decimal, tokens: Sequence[tuple[str, str]]) -> int:
    """Milliseconds, rounded to what is shown when seconds are."""
    shown = [at for at, (kind, text) in enumerate(tokens) if kind in ("date", "elapsed") and text[0] == "s"]
    places = sum(token == ("place", "0") for token in tokens)
    unit = 10 ** max(0, 3 - places) if shown or places else 1
    return int((number * _MS_OF_DAY / unit).to_integral_value(ROUND_HALF_UP)) * unit


def _calendar(days: int) -> tuple[int, int, int, int]:
    """(year, month, day, weekday). Day 60 is the 29th of February 1900, which sheets have and calendars have not."""
    if days in (0, 60):
        return 1900, 1 if days == 0 else 2, 0 if days == 0 else 29, 0
    found = date(1899, 12, 31 if days < 60 else 30) + timedelta(days=days)
    return found.year, found.month, found.day, found.weekday()


def _is_minute(tokens: Sequence[tuple[str, str]], at: int) -> bool:
    """An m behind hours or before seconds."""
    times = [(kind, text[0]) for kind, text in tokens[:at] if kind in ("date", "elapsed")]
    later = [(kind, text[0]) for kind, text in tokens[at + 1 :] if kind in ("date", "elapsed")]
    return bool((times and times[-1][1] == "h") or (later and later[0][1] == "s"))


def _part(moment: _Moment, text: str, half: bool) -> str:
    letter, width = text[0], len(text)
    if letter in "ye":
        return f"{moment.year % 100:02d}" if letter == "y" and width <= 2 else f"{moment.year:04d}"
    if letter == "m" and width >= 3:
        name = _MONTHS[moment.month - 1]
        return name if width == 4 else name[0] if width == 5 else name[:3]
    if letter == "d" and width >= 3:
        return _WEEKDAYS[moment.weekday][: None if width > 3 else 3]
    if letter == "a":
        return ("星期" if width > 3 else "") + _HAN_DAYS[moment.weekday]
    count = {
        "m": moment.month,
        "d": moment.day,
        "h": (moment.hour % 12 or 12) if half else moment.hour,
        "n": moment.minute,
        "s": moment.second,
    }[letter]
    return f"{count:0{min(width, 2)}d}"


def _fraction_of_second(moment: _Moment, tokens: Sequence[tuple[str, str]], at: int) -> str:
    """The zeros behind `ss.`; a point or a slash stands for itself."""
    text = tokens[at][1]
    if text != "0":
        return text
    index = 0
    while at > index and tokens[at - index - 1] == ("place", "0"):
        index += 1
    return f"{moment.ms % 1000:03d}"[index : index + 1]
