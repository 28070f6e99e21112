"""The mapping file: what the cells of a source's tables mean. TOML that a person can read, write and correct.

A coordinate of a cell (region, indicator, period, unit) comes from a place: `head` (the head of its column), `column A`
(the cell of its row there), `row 3` (the cell of its column there), `title` (the lines above the head), `sheet` (the
sheet's name); anything else is a constant (`511083`, `gdp`, `2024`, `亿元`). A layout says the usual places.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Mapping as Lookup
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from kaozheng.county.row_id import KEY
from kaozheng.county.table_source import TableSource
from kaozheng.errors import InputError
from kaozheng.indicators.indicator import Calibre, Direction, Indicator, PeriodType
from kaozheng.indicators.observation import Missing

_COLUMN: Final = r"[A-Z]{1,3}"
_PLACE: Final = re.compile(rf"(?P<kind>column|row)\s+(?P<at>{_COLUMN}|[1-9]\d*)")
_NAMED: Final[tuple[Literal["head", "title", "sheet"], ...]] = ("head", "title", "sheet")
Column = Annotated[str, Field(pattern=f"^{_COLUMN}$")]
Row = Annotated[int, Field(ge=1)]


class Layout(StrEnum):
    """What stands in the rows of a table and what in its columns."""

    REGIONS_YEARS = "regions-years"
    REGIONS_INDICATORS = "regions-indicators"
    INDICATORS_YEARS = "indicators-years"
    INDICATORS_REGIONS = "indicators-regions"
    LONG = "long"


_USUAL: Final[Lookup[Layout, Lookup[str, str]]] = {
    Layout.REGIONS_YEARS: {"region": "column A", "indicator": "title", "period": "head"},
    Layout.REGIONS_INDICATORS: {"region": "column A", "indicator": "head", "period": "title"},
    Layout.INDICATORS_YEARS: {"region": "title", "indicator": "column A", "period": "head"},
    Layout.INDICATORS_REGIONS: {"region": "head", "indicator": "column A", "period": "title"},
    Layout.LONG: {"region": "column A", "indicator": "column B", "period": "column C"},
}
"""Where region, indicator and period come from unless the table says otherwise."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a coordinate comes from. `at` counts a column or row from 1, `text` is the constant."""

    kind: Literal["head", "column", "row", "title", "sheet", "constant"]
    at: int = 0
    text: str = ""


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SourceEntry(_Entry):
    """The publication, as in `TableSource`."""

    id: str = Field(min_length=1)
    title: str
    vintage: str = Field(pattern=r"^(19|20)\d\d[\w.-]{0,28}$")
    publisher: str = ""
    synthetic: bool = False
    note: str = ""


class IndicatorEntry(_Entry):
    """An indicator that this source brings, as in `Indicator`."""

    key: str = Field(pattern=f"^{KEY}$")
    name: str = Field(min_length=1)
    unit: str
    calibre: Calibre = Calibre.NONE
    period_type: PeriodType = PeriodType.SINGLE
    direction: Direction = Direction.NEUTRAL
    owner: str = ""
    aliases: tuple[str, ...] = ()

    def indicator(self) -> Indicator:
        """The noun of it."""
        return Indicator(**self.model_dump())


class ColumnEntry(_Entry):
    """What the values of one column mean, in place of what its head says."""

    region: str = ""
    indicator: str = ""
    period: str = ""
    unit: str = ""


class TableEntry(_Entry):
    """One table of a sheet."""

    sheet: str = Field(default="", description='name of the sheet; "" = the only one that is not hidden, "*" = each')
    layout: Layout
    head: tuple[Row, ...] = Field(default=(1,), description="rows of the head, from above")
    first_row: int = Field(default=0, ge=0, description="the first row of values; 0 = the one below the head")
    last_row: int = Field(default=0, ge=0, description="0 = to the end")
    region: str = ""
    region_code: str = Field(default="", description="a second place that names the region; both must agree")
    within: str = Field(default="", description='the level above, as a place or constant; "rows" = rows that name it')
    indicator: str = ""
    period: str = ""
    unit: str = Field(default="", description='"" = from cell, head or title; "indicator" = that of the indicator')
    values: tuple[Column, ...] = Field(default=(), description="() = all columns right of the first that names things")
    columns: dict[Column, ColumnEntry] = {}
    skip_rows: tuple[Row, ...] = ()
    skip_columns: tuple[Column, ...] = ()
    hidden: Literal["refuse", "read"] = "refuse"
    above_counties: Literal["refuse", "read"] = Field(default="refuse", description="rows of prefectures, provinces")
    percent: Literal["refuse", "as_written"] = Field(default="refuse", description="0.12 under a head that says %")
    brackets: Literal["refuse", "negative"] = Field(default="refuse", description="what (12.3) means")
    missing: dict[str, Missing] = Field(default={}, description="marks that mean something else than usual")

    @model_validator(mode="after")
    def _is_whole(self) -> TableEntry:
        if self.layout is Layout.LONG and len(self.values) != 1:
            raise ValueError('a long table needs the one column of its values: values = ["D"]')
        if self.last_row and self.last_row < self.first_row:
            raise ValueError(f"last_row {self.last_row} is above first_row {self.first_row}")
        return self

    def place(self, coordinate: Literal["region", "indicator", "period"]) -> Place:
        """Where a coordinate comes from."""
        return place_of(getattr(self, coordinate) or _USUAL[self.layout][coordinate])

    @property
    def starts(self) -> int:
        """The first row of values."""
        return self.first_row or max(self.head, default=0) + 1


class Mapping(_Entry):
    """What a file's tables mean. `names` leads further names of heads and rows to keys of indicators."""

    source: SourceEntry
    indicators: tuple[IndicatorEntry, ...] = ()
    names: dict[str, str] = {}
    tables: tuple[TableEntry, ...] = Field(min_length=1)

    def table_source(self, path: str = "", sha256: str = "") -> TableSource:
        """The source, read from these bytes."""
        return TableSource(**self.source.model_dump(), path=path, sha256=sha256)


@lru_cache(maxsize=1024)
def place_of(text: str) -> Place:
    """The place that a mapping writes."""
    plain = text.strip()
    for kind in _NAMED:
        if plain == kind:
            return Place(kind)
    if found := _PLACE.fullmatch(plain):
        if found["kind"] == "column" and not found["at"].isdecimal():
            return Place("column", column_number(found["at"]))
        if found["kind"] == "row" and found["at"].isdecimal():
            return Place("row", int(found["at"]))
    return Place("constant", text=plain)


def column_number(letters: str) -> int:
    """A is 1, Z is 26, AA is 27."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def column_letters(number: int) -> str:
    """1 is A, 27 is AA."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def read_mapping(text: str, name: str = "mapping") -> Mapping:
    """The mapping that a TOML text holds. Raises InputError that names the entry, the fault and the nearest key."""
    try:
        tree = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{name} is not TOML: {error}") from None
    try:
        return Mapping.model_validate(tree)
    except ValidationError as error:
        faults = error.errors(include_input=False, include_url=False)
        said = "; ".join(_fault(one["loc"], one["type"], one["msg"]) for one in faults)
        raise InputError(f"{name}: {said}") from None


def _fault(loc: tuple[int | str, ...], kind: str, message: str) -> str:
    where = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in loc).lstrip(".")
    if kind != "extra_forbidden":
        return f"{where}: {message.removeprefix('Value error, ')}"
    known = _entry_at(loc[:-1]).model_fields
    near = difflib.get_close_matches(str(loc[-1]), known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
    return f"{where} is no key here ({hint})"


def _entry_at(loc: tuple[int | str, ...]) -> type[BaseModel]:
    entries: dict[str, type[BaseModel]] = {
        "source": SourceEntry,
        "indicators": IndicatorEntry,
        "tables": TableEntry,
        "columns": ColumnEntry,
    }
    return next((entries[part] for part in reversed(loc) if isinstance(part, str) and part in entries), Mapping)


def write_mapping(mapping: Mapping) -> str:
    """The mapping as TOML, with what differs from the defaults: a file to edit and to give back."""
    tree = mapping.model_dump(mode="json", exclude_defaults=True)
    lines = ["[source]", *(_line(key, value) for key, value in tree["source"].items())]
    if names := tree.get("names"):
        lines += ["", "[names]", *(_line(key, value) for key, value in names.items())]
    for group in ("indicators", "tables"):
        for entry in tree.get(group, ()):
            lines += ["", f"[[{group}]]", *(_line(key, value) for key, value in entry.items())]
    return "\n".join(lines) + "\n"


def _line(key: str, value: object) -> str:
    bare = re.fullmatch(r"[A-Za-z0-9_-]+", key)
    return f"{key if bare else _value(key)} = {_value(value)}"


def _value(value: object) -> str:
    """A TOML value: what JSON writes for texts, numbers, truth and lists is TOML too, but for one control character."""
    if isinstance(value, dict):
        return "{ " + ", ".join(_line(str(key), one) for key, one in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
