"""The grammar of references: {{m:gdp.511083.2024|亿元|2}}, {{d:growth(gdp.511083.2024, gdp.511083.2023)|%|1|change}}.

`m` names a row, `d` a derivation; then the unit in which it is said, the decimals, and `change` where the text needs
a word of direction with it (增长6.1%). A `{{` that begins no reference is text, and so is one in code or behind a
backslash. Widths do not count: ｜ and ： are read as | and :.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from kaozheng.county.figures.derivation import Derivation
from kaozheng.county.row_id import RowId
from kaozheng.documents.document import Document
from kaozheng.documents.span import Span
from kaozheng.errors import InputError
from kaozheng.indicators.reason import Reason

_OPEN: Final = re.compile(r"(?<![\\{])\{{1,4}\s{0,3}(?P<kind>[mMdD])\s{0,3}[:：]")
_CLOSE: Final = re.compile(r"\}{1,4}|\n|\{")
_TAKES: Final = re.compile(r"[A-Za-z0-9_.@（）(),\s-]{0,500}(?:[|｜][^|｜{}，。；、\s]{0,12}){0,3}")
"""How far a reference without an end goes: what it may be written with."""
_LONGEST: Final = 1000
_MOST_DECIMALS: Final = 6
_CHANGE: Final = "change"


@dataclass(frozen=True, slots=True)
class Reference:
    """What a place of a text asks for. `source` is the row or derivation, `change` whether a word of direction comes
    with the number."""

    span: Span
    source: RowId | Derivation
    unit: str
    decimals: int
    change: bool = False

    @property
    def rows(self) -> tuple[RowId, ...]:
        """The rows that the number comes from."""
        return self.source.inputs if isinstance(self.source, Derivation) else (self.source,)

    def __str__(self) -> str:
        kind = "d" if isinstance(self.source, Derivation) else "m"
        return f"{{{{{kind}:{self.source}|{self.unit}|{self.decimals}{'|' + _CHANGE if self.change else ''}}}}}"


@dataclass(frozen=True, slots=True)
class Malformed:
    """A place that begins as a reference and is none."""

    span: Span
    reason: Reason


def references(text: str) -> list[Reference | Malformed]:
    """All references of a text, in order, and what was meant to be one. Never raises."""
    code = _code(text) if _OPEN.search(text) else ()
    return [
        _read(text, found.group("kind"), place, found.end())
        for found, place in _places(text)
        if not any(one.overlaps(place) for one in code)
    ]


def _places(text: str) -> Iterator[tuple[re.Match[str], Span]]:
    at = 0
    while found := _OPEN.search(text, at):
        close = _CLOSE.search(text, found.end(), found.end() + _LONGEST)
        if close and close[0].startswith("}"):
            at = close.end()
        else:
            taken = _TAKES.match(text, found.end(), close.start() if close else len(text))
            at = taken.end() if taken else found.end()
        yield found, Span(found.start(), at)


def _code(text: str) -> tuple[Span, ...]:
    document = Document(text)
    blocks = tuple(block.span for block in document.blocks if block.kind == "code")
    return (*blocks, *(node.span for node in document.inlines if node.kind == "code"))


def _read(text: str, kind: str, place: Span, start: int) -> Reference | Malformed:
    written = text[place.start : place.end]
    if not (re.match(r"\{\{[^{]", written) and re.search(r"[^}]\}\}$", written)):
        return Malformed(place, Reason("引用须写作 {{…}}", "a reference is written {{…}}"))
    fields = [field.strip() for field in re.split(r"\\?[|｜]", text[start : place.end - 2])]
    if not 3 <= len(fields) <= 4:
        return Malformed(
            place,
            Reason(
                f"应有三或四栏（数据行|单位|小数位|change），写了 {len(fields)} 栏",
                f"a reference has three or four fields (row|unit|decimals|change), not {len(fields)}",
            ),
        )
    source, unit, decimals, *change = fields
    if wrong := _wrong_field(unit, decimals, change):
        return Malformed(place, wrong)
    try:
        named = RowId.parse(source) if kind in "mM" else Derivation.parse(source.translate(_NARROW))
    except InputError as error:
        return Malformed(place, Reason(f"不是数据行或推算式：{source}", str(error)))
    return Reference(place, named, unit, int(decimals), bool(change))


_NARROW: Final = str.maketrans("（），", "(),")


def _wrong_field(unit: str, decimals: str, change: list[str]) -> Reason | None:
    if not unit:
        return Reason("没有写单位", "no unit is named")
    if not re.fullmatch(r"[0-9]", decimals) or int(decimals) > _MOST_DECIMALS:
        return Reason(
            f"小数位应为 0 到 {_MOST_DECIMALS}，写的是 {decimals!r}",
            f"decimals are 0 to {_MOST_DECIMALS}, not {decimals!r}",
        )
    if change and change != [_CHANGE]:
        return Reason(f"第四栏只能是 change，写的是 {change[0]!r}", f"the fourth field is change, not {change[0]!r}")
    return None
