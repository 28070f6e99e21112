"""The numbers that Word counts itself: 一、 1.1 （二） (a) ① stand in no run of a paragraph."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kaozheng.providers.readers.zip_parts import Element, child, is_on, name_of, number, value

_LEVEL = re.compile(r"%([1-9])")
_HAN = "〇一二三四五六七八九"
_LEGAL = "零壹贰叁肆伍陆柒捌玖"
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_HAN_COUNTED = frozenset({
    "chineseCounting", "chineseCountingThousand", "japaneseCounting", "ideographTraditional", "taiwaneseCounting",
    "taiwaneseCountingThousand",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    form: str
    text: str
    legal: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands before a paragraph. `kind`: "bullet", "number" (`text` is "3." or "3)"), or "words" for all else."""

    kind: str
    text: str


@dataclass(slots=True)
class Numbering:
    """The lists of a file and how far each has been counted."""

    _levels: dict[str, dict[int, _Level]] = field(default_factory=dict)
    _lists: dict[str, str] = field(default_factory=dict)
    _counted: dict[str, list[int]] = field(default_factory=dict)
    _restarts: dict[str, dict[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Element | None) -> Numbering:
        """From numbering.xml; without it nothing is numbered."""
        made = cls()
        for element in root if root is not None else ():
            if name_of(element) == "w:abstractNum":
                levels = {number(one, "ilvl"): _level(one) for one in element if name_of(one) == "w:lvl"}
                made._levels[value(element, "abstractNumId")] = levels
            elif name_of(element) == "w:num":
                id = value(element, "numId")
                made._lists[id] = value(child(element, "w:abstractNumId"))
                for one in element:
                    start = child(one, "w:startOverride")
                    if start is not None:
                        made._restarts.setdefault(id, {})[number(one, "ilvl")] = number(start)
        return made

    def next(self, list_id: str, depth: int) -> Mark | None:
        """Counts one paragraph of the list on that level (from 0); None: it bears no number."""
        kind = self._lists.get(list_id, "")
        levels = self._levels.get(kind, {})
        level = levels.get(depth)
        if level is None or level.form == "none":
            return None
        counted = self._counted.setdefault(kind, [])
        for lower, start in self._restarts.pop(list_id, {}).items():
            del counted[lower:]
            while len(counted) < lower:
                counted.append(levels[len(counted)].start if len(counted) in levels else 1)
            counted.append(start - 1)
        while len(counted) <= depth:
            at = len(counted)
            counted.append(levels[at].start - (at == depth) if at in levels else 1)
        del counted[depth + 1 :]
        counted[depth] += 1
        if level.form == "bullet":
            return Mark("bullet", "-")
        text = _LEVEL.sub(lambda found: _counted_as(level, levels, counted, int(found[1]) - 1), level.text).strip()
        if not text:
            return None
        return Mark("number" if re.fullmatch(r"\d{1,9}[.)]", text) else "words", text)


def _level(element: Element) -> _Level:
    form = value(child(element, "w:numFmt"), otherwise="decimal")
    return _Level(
        number(child(element, "w:start"), otherwise=1),
        form,
        value(child(element, "w:lvlText")),
        is_on(child(element, "w:isLgl")),
    )


def _counted_as(level: _Level, levels: dict[int, _Level], counted: list[int], depth: int) -> str:
    if depth >= len(counted) or depth not in levels:
        return ""
    return spelled(counted[depth], "decimal" if level.legal else levels[depth].form)


def spelled(count: int, form: str) -> str:
    """The count in one of Word's number forms; plain digits for forms not known here."""
    if count < 1 or count > 9999 or form == "decimal":
        return str(count)
    if form in _HAN_COUNTED:
        return _han(count, _HAN, "十百千")
    if form == "chineseLegalSimplified":
        return _han(count, _LEGAL, "拾佰仟")
    if form in ("ideographDigital", "japaneseDigitalTenThousand"):
        return "".join(_HAN[int(digit)] for digit in str(count))
    if form in ("lowerRoman", "upperRoman"):
        return _cased(_roman(count), form)
    if form in ("lowerLetter", "upperLetter"):
        return _cased(chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1), form)
    if form in ("decimalEnclosedCircle", "decimalEnclosedCircleChinese") and count <= 20:
        return chr(ord("①") + count - 1)
    return f"{count:02d}" if form == "decimalZero" else str(count)


def _cased(text: str, form: str) -> str:
    return text.upper() if form.startswith("upper") else text


def _roman(count: int) -> str:
    text = ""
    for worth, letters in _ROMAN:
        text += letters * (count // worth)
        count %= worth
    return text


def _han(count: int, digits: str, units: str) -> str:
    """二十一, 一百零二; 十一 and not 一十一 in common writing."""
    text, waiting = "", False
    for power in (3, 2, 1, 0):
        digit = count // 10**power % 10
        if not digit:
            waiting = bool(text)
            continue
        text += ("零" if waiting else "") + digits[digit] + (units[power - 1] if power else "")
        waiting = False
    return text[1:] if text.startswith("一十") else text
