"""The code of a number format, taken apart: "0.0%;-0.0%" is two sections of tokens, of which a number takes one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class Section:
    """What numbers of one sort look like, and of which sort when the code says so ("[>=100]")."""

    tokens: tuple[Token, ...]
    condition: tuple[str, Decimal] | None = None

    @property
    def is_percent(self) -> bool:
        """Whether it shows hundredths: a quoted % is only a word."""
        return self.has("place", "%")

    @property
    def is_date(self) -> bool:
        """Whether it shows a date or a time."""
        return self.has("date") or self.has("elapsed") or self.has("noon")

    def has(self, kind: Kind, *texts: str) -> bool:
        """Whether there is a token of this kind, one of `texts` if any are given."""
        return any(of == kind and (not texts or text in texts) for of, text in self.tokens)


@lru_cache(maxsize=512)
def sections_of(code: str) -> tuple[Section, ...]:
    """The sections of a code, four at most: for numbers above, below and at zero, and for texts."""
    parts, at = [], 0
    while at <= len(code):
        found = _SECTION.match(code, at)
        parts.append(found[0] if found else code[at:])
        at += len(parts[-1]) + 1
    return tuple(_section(part) for part in parts[:4])


def _section(part: str) -> Section:
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
    return Section(tuple(tokens), condition)


def chosen(sections: tuple[Section, ...], number: Decimal) -> tuple[Section | None, bool]:
    """(the section that shows `number`, whether it writes the sign itself)"""
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
