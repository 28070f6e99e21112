"""Putting numbers where a text refers to them. No digit comes from anywhere but a row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from kaozheng.county.figures.derivation import Derivation
from kaozheng.county.figures.derived_value import CHANGES, derived_value
from kaozheng.county.figures.fact_sheet import FactSheet
from kaozheng.county.figures.growth_rates import grown
from kaozheng.county.figures.reference import Malformed, Reference, references
from kaozheng.county.figures.writing import PENDING, amount, change, rounded
from kaozheng.county.row_id import RowId
from kaozheng.documents.span import Span
from kaozheng.indicators.observation import converted, step_of
from kaozheng.indicators.reason import Reason


class Code(StrEnum):
    """What a remark is about. The first group leaves 〔待核〕 in the text, the second is told only."""

    MALFORMED = "reference-malformed"
    UNKNOWN_ROW = "reference-unknown-row"
    MISSING_VALUE = "reference-missing-value"
    NO_VALUE = "reference-no-value"
    WRONG_UNIT = "reference-wrong-unit"
    NO_CHANGE = "reference-no-change"

    BEYOND_KNOWN = "reference-beyond-known"
    TIE = "reference-tie"
    VANISHED = "reference-vanished"
    NOTED = "reference-noted"


TOLD = frozenset({Code.BEYOND_KNOWN, Code.TIE, Code.VANISHED, Code.NOTED})


@dataclass(frozen=True, slots=True)
class Remark:
    """What is to be said of one reference; `span` is of the text that has the references."""

    code: Code
    span: Span
    reason: Reason
    rows: tuple[RowId, ...] = ()
    tickets: tuple[RowId, ...] = ()
    """Those of the rows that a department can be asked for."""

    @property
    def refused(self) -> bool:
        """Whether there is no number at this place."""
        return self.code not in TOLD


@dataclass(frozen=True, slots=True)
class Rendered:
    """One number: its place in the text that came out, as `written` there, and the reference that it came from.
    `value` is what was rounded, in the reference's unit."""

    span: Span
    written: str
    value: Decimal
    reference: Reference


@dataclass(frozen=True, slots=True)
class Rendering:
    """The text with its numbers, each with its rows; what was refused stands as 〔待核〕."""

    text: str
    numbers: tuple[Rendered, ...]
    remarks: tuple[Remark, ...]

    @property
    def missing(self) -> tuple[RowId, ...]:
        """The rows without a value that the text asked for: a ticket for each."""
        return tuple(dict.fromkeys(row for remark in self.remarks for row in remark.tickets))

    @property
    def derivations(self) -> tuple[Derivation, ...]:
        """The derivations whose numbers stand in the text: to be registered with the sheet that it is held against."""
        sources = (number.reference.source for number in self.numbers)
        return tuple(dict.fromkeys(source for source in sources if isinstance(source, Derivation)))


def render(text: str, sheet: FactSheet, language: str = "zh") -> Rendering:
    """The text with each reference as the number that its rows say. Never raises: what can't be rendered is refused
    with its place and reason. Words of direction and units are in `language` ("zh", else English)."""
    pieces: list[str] = []
    numbers: list[Rendered] = []
    remarks: list[Remark] = []
    at = length = 0
    for found in references(text):
        pieces.append(text[at : found.span.start])
        length += len(pieces[-1])
        written, value = PENDING, None
        if isinstance(found, Malformed):
            remarks.append(Remark(Code.MALFORMED, found.span, found.reason))
        else:
            written, value, said = _rendered(found, sheet, language)
            remarks += said
            if value is not None:
                numbers.append(Rendered(Span(length, length + len(written)), written, value, found))
        pieces.append(written)
        length += len(written)
        at = found.span.end
    return Rendering("".join([*pieces, text[at:]]), tuple(numbers), tuple(remarks))


def _rendered(reference: Reference, sheet: FactSheet, language: str) -> tuple[str, Decimal | None, list[Remark]]:
    if unknown := tuple(row for row in reference.rows if sheet.look_up(row) is None):
        names = ", ".join(map(str, unknown))
        reason = Reason(f"没有这一行数据：{names}", f"there is no row {names}")
        return PENDING, None, [Remark(Code.UNKNOWN_ROW, reference.span, reason, unknown, _askable(unknown, sheet))]
    source = _source(reference, sheet)
    if isinstance(source, Remark):
        return PENDING, None, [source]
    value = converted(source.value, source.unit, reference.unit)
    if value is None:
        reason = Reason(f"{source.unit} 不能写成 {reference.unit}", f"{source.unit} cannot be said in {reference.unit}")
        return PENDING, None, [Remark(Code.WRONG_UNIT, reference.span, reason, reference.rows)]
    if reference.change and not source.is_change:
        reason = Reason("这个数不是变化量，不能写增减", "this number is no change, so that it has no direction")
        return PENDING, None, [Remark(Code.NO_CHANGE, reference.span, reason, reference.rows)]
    figure = rounded(value, reference.decimals)
    if reference.change:
        written = change(figure, reference.unit, language, source.recedes)
    else:
        written = amount(figure.value, reference.unit, language)
    return written, value, _told(reference, source, value)


def _askable(rows: Iterable[RowId], sheet: FactSheet) -> tuple[RowId, ...]:
    """The rows of a known indicator and region that no table has; what names another revision is no lack of a value."""
    keys = {indicator.key for indicator in sheet.indicators}
    regions = {row.region for row in sheet.facts}
    return tuple(row for row in rows if not row.vintage and row.indicator in keys and row.region in regions)


@dataclass(frozen=True, slots=True)
class _Source:
    """A value before it is written. `step` is what its last known digit is worth, None when it was computed."""

    value: Decimal
    unit: str
    is_change: bool
    recedes: bool
    step: Decimal | None = None
    note: Reason | None = None


def _source(reference: Reference, sheet: FactSheet) -> _Source | Remark:
    facts = [fact for row in reference.rows if (fact := sheet.look_up(row))]
    first = facts[0]
    if isinstance(reference.source, Derivation):
        derived = derived_value(reference.source, sheet)
        if isinstance(derived, Reason):
            lacking = tuple(fact.id for fact in facts if fact.value is None)
            code = Code.MISSING_VALUE if lacking else Code.NO_VALUE
            return Remark(code, reference.span, derived, lacking or reference.rows, lacking)
        changes = reference.source.operation in CHANGES
        return _Source(derived.value, derived.unit, changes, bool(grown(first.indicator)), note=derived.note)
    if first.value is None:
        owner = first.indicator.owner or first.indicator.name
        reason = Reason(
            f"{first.region.name}{first.id.period.zh}{first.indicator.name}没有数值（{first.observation.missing}），请向{owner}核补",
            f"{first.id} has no value ({first.observation.missing}): ask {owner}",
        )
        return Remark(Code.MISSING_VALUE, reference.span, reason, (first.id,), (first.id,))
    rate = bool(grown(first.indicator))
    return _Source(first.value, first.indicator.unit, rate, rate, step_of(first.value))


def _told(reference: Reference, source: _Source, value: Decimal) -> list[Remark]:
    """What a reader should know of a number that was rendered."""
    figure = rounded(value, reference.decimals)
    reasons = []
    if source.step is not None:
        known = converted(source.step, source.unit, reference.unit)
        if known is not None and known > Decimal(1).scaleb(-reference.decimals):
            reasons.append(
                (Code.BEYOND_KNOWN, Reason("写出的位数多于数据本身", "more digits are written than the row has"))
            )
    if figure.tie:
        reasons.append(
            (Code.TIE, Reason("恰在两数中间，按四舍五入进位", "it lies exactly between two and was rounded up"))
        )
    if figure.vanished:
        reasons.append((Code.VANISHED, Reason("不为零，但按此位数写成零", "it is not zero and is written as zero")))
    if source.note:
        reasons.append((Code.NOTED, source.note))
    return [Remark(code, reference.span, reason, reference.rows) for code, reason in reasons]
