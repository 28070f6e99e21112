"""Numbers worked out from rows: the operation with its inputs, so that anybody can work them out again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kaozheng.county.row_id import RowId


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

    def __str__(self) -> str:
        return f"{self.operation}({', '.join(map(str, self.inputs))})"
