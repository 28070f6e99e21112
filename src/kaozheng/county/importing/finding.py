"""What importing a table has to say of single cells: nothing is guessed silently, nothing is left out silently."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kaozheng.indicators.reason import Reason


class Kind(StrEnum):
    """Whether the row was left out, or imported with a remark."""

    REFUSED = "refused"
    NOTED = "noted"


class Code(StrEnum):
    """What it is about. The first group is always refused, the second always imported and noted."""

    UNKNOWN_REGION = "unknown_region"
    AMBIGUOUS_REGION = "ambiguous_region"
    UNKNOWN_INDICATOR = "unknown_indicator"
    UNKNOWN_UNIT = "unknown_unit"
    WRONG_UNIT = "wrong_unit"
    UNKNOWN_PERIOD = "unknown_period"
    UNREADABLE = "unreadable"
    UNCLEAR_PERCENT = "unclear_percent"
    DATE_CELL = "date_cell"
    NO_VALUE_FORMULA = "no_value_formula"
    CONTRADICTED = "contradicted"
    HIDDEN = "hidden"
    NOT_A_COUNTY = "not_a_county"
    INCOMPLETE = "incomplete"  # a record without something that it must have

    FOOTNOTE = "footnote"
    MISSING_MARK = "missing_mark"
    PERCENT_FORMAT = "percent_format"
    RENAMED_REGION = "renamed_region"
    ALIAS_REGION = "alias_region"
    ROUNDED_DISPLAY = "rounded_display"
    UNIT_JUMP = "unit_jump"
    REPEATED = "repeated"
    PART_ROW = "part_row"
    UNKNOWN_COLUMN = "unknown_column"  # of a table of records: not imported, the records are


@dataclass(frozen=True, slots=True)
class ImportFinding:
    """One remark on one cell (`Sheet1!B7`), with what stands there."""

    kind: Kind
    code: Code
    cell: str
    raw: str
    reason: Reason
