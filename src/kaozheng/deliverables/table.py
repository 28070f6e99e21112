"""A table as it leaves the house: what each column holds, in which unit, from where, and whether it is real."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

Value = str | Decimal | int | None
"""A text, a number, or None for an empty cell. A text in a column of numbers says why there is none ("—")."""


class Kind(StrEnum):
    """What a column holds. What is counted or measured is a number; what only looks like one (the code of a region, of
    a company) is text, so that no program puts a comma into it."""

    TEXT = "text"
    NUMBER = "number"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Column:
    """`unit` is that of its numbers, "" for none. A percentage is kept as it is printed: 12.3 in the unit "%", not
    0.123 under a format, so that the cell, the text that quotes it and a table read back are one number. `decimals`
    None shows the digits that each number is written with."""

    head: str
    kind: Kind = Kind.TEXT
    unit: str = ""
    decimals: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns, each as long as there are columns. `source` and `calibre` (现价, 可比价; 当期, 累计) stand
    under the table, `notes` below them. `synthetic`: made up for a demonstration, which is said above it."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    source: str = ""
    calibre: str = ""
    notes: Sequence[str] = ()
    synthetic: bool = False
