"""Numbers worked out from rows: the operation with its inputs, so that anybody can work them out again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from kaozheng.county.row_id import RowId
from kaozheng.errors import InputError

_FORM: Final = re.compile(r"\s*(?P<operation>[a-z_]{1,20})\s*\((?P<inputs>[^()]*)\)\s*")


class Operation(StrEnum):
    """What is worked out. The number of inputs and the unit follow from it."""

    DIFFERENCE = "difference"  # a - b, in the unit of both; 个百分点 when they are rates
    GROWTH = "growth"  # (a - b) / b, %
    SHARE = "share"  # a / b, %
    RATIO = "ratio"  # a / b, 倍
    RANK = "rank"  # place of a among all inputs, the largest first, 位
    RANK_UP = "rank_up"  # the smallest first
    SUM = "sum"
    CAGR = "cagr"  # (a / b) ^ (1 / years) - 1, %


@dataclass(frozen=True, slots=True)
class Derivation:
    """An operation on rows, in the order that the operation asks for."""

    operation: Operation
    inputs: tuple[RowId, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """The derivation that a text writes: growth(gdp.511083.2024, gdp.511083.2023). Raises InputError."""
        found = _FORM.fullmatch(text)
        if found is None:
            raise InputError(
                f"{text!r} is no derivation: operation(row, row), as growth(gdp.511083.2024, gdp.511083.2023)"
            )
        if found["operation"] not in tuple(Operation):
            raise InputError(f"{found['operation']!r} is none of {', '.join(Operation)}")
        return cls(Operation(found["operation"]), tuple(map(RowId.parse, found["inputs"].split(","))))

    def __str__(self) -> str:
        return f"{self.operation}({', '.join(map(str, self.inputs))})"
