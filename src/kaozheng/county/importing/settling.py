"""What only shows when the values of a file stand side by side: shares of one or of a hundred, values said twice,
values 10,000 apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kaozheng.county.importing.finding import Code
from kaozheng.county.importing.plan import Findings
from kaozheng.indicators.consistency import contradictions, unit_jumps
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.observation import Observation, step_of
from kaozheng.indicators.reason import Reason
from kaozheng.indicators.series import series_of

_LIKE_AN_INDEX: Final = 50
"""A growth of 50 % and more under a head that also says 上年=100 is more likely an index of 106.1."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A row before it is compared with the others. `table` tells those of one table apart; `is_percent` is what the
    cell's format says (None: unknown), `names_unit` whether cell or mapping settle that it is a percentage."""

    observation: Observation
    indicator: Indicator
    cell: str
    table: str
    is_percent: bool | None = None
    names_unit: bool = False
    is_index_based: bool = False


def settle(drafts: Iterable[Draft], findings: Findings) -> tuple[tuple[Observation, ...], tuple[Indicator, ...]]:
    """The rows that stay, and the indicators that they are of."""
    kept = _single(_clear(drafts, findings), findings)
    indicators = {draft.indicator.key: draft.indicator for draft in kept}
    _tell_jumps(kept, findings)
    return tuple(draft.observation for draft in kept), tuple(indicators.values())


def _clear(drafts: Iterable[Draft], findings: Findings) -> list[Draft]:
    """Without values under % of which nobody can say whether 0.12 is 12 % or 0.12 %."""
    tables: dict[tuple[str, str], list[Draft]] = defaultdict(list)
    for draft in drafts:
        tables[draft.table, draft.indicator.key].append(draft)
    kept = []
    for group in tables.values():
        looks_like_shares = _looks_like_shares(group)
        for draft in group:
            if reason := _unclear(draft, looks_like_shares):
                findings.refuse(Code.UNCLEAR_PERCENT, draft.cell, draft.observation.raw, reason)
            else:
                kept.append(draft)
    return kept


def _looks_like_shares(group: Sequence[Draft]) -> bool:
    """Whether the cells without a format of per cent may hold shares of one: others of the table have that format, or
    all of them are below one."""
    plain = [draft for draft in group if not draft.names_unit and _amount(draft)]
    all_below = len(plain) > 1 and all(_amount(draft) < 1 for draft in plain)
    return all_below or any(draft.is_percent for draft in group)


def _amount(draft: Draft) -> float:
    return abs(float(draft.observation.value or 0))


def _unclear(draft: Draft, looks_like_shares: bool) -> Reason | None:
    one = draft.observation
    if one.value is None or one.unit != "%" or not one.value or draft.names_unit:
        return None
    if draft.is_index_based and abs(one.value) >= _LIKE_AN_INDEX:
        return Reason(f"{one.raw} 是增速还是指数（上年=100）说不清", f"{one.raw} may be growth or an index (上年=100)")
    if abs(one.value) < 1 and (draft.is_percent is None or looks_like_shares):
        return Reason(
            f"{one.raw} 是 {one.value:f}% 还是 {one.value.scaleb(2):f}% 说不清",
            f"{one.raw} may be {one.value:f} % or {one.value.scaleb(2):f} %",
        )
    return None


def _single(drafts: Iterable[Draft], findings: Findings) -> list[Draft]:
    """One row for each region, indicator and period: of equal ones the most precise, of different ones none."""
    same: dict[tuple[str, str, object], list[Draft]] = defaultdict(list)
    for draft in drafts:
        one = draft.observation
        same[one.region.code, one.indicator, one.period].append(draft)
    kept = []
    for everywhere in same.values():
        # An empty cell neither repeats nor contradicts what another one says.
        group = [draft for draft in everywhere if draft.observation.raw.strip()] or everywhere[:1]
        if len(group) == 1:
            kept += group
        elif clash := contradictions(draft.observation for draft in group):
            for draft in group:
                findings.refuse(Code.CONTRADICTED, draft.cell, draft.observation.raw, clash[0].reason)
        else:
            chosen = min(group, key=_roughness)
            kept.append(chosen)
            for draft in group:
                if draft is not chosen:
                    said = Reason(f"与 {chosen.cell} 重复，数值相同", f"the same as in {chosen.cell}")
                    findings.note(Code.REPEATED, draft.cell, draft.observation.raw, said)
    return kept


def _roughness(draft: Draft) -> tuple[bool, float]:
    value = draft.observation.value
    return value is None, float(step_of(value)) if value is not None else 0.0


def _tell_jumps(drafts: Iterable[Draft], findings: Findings) -> None:
    series: dict[tuple[str, str], list[Draft]] = defaultdict(list)
    for draft in drafts:
        series[draft.observation.region.code, draft.indicator.key].append(draft)
    for group in series.values():
        cells = {str(draft.observation.period): draft for draft in group}
        for jump in unit_jumps(series_of(group[0].indicator, (draft.observation for draft in group))):
            draft = cells[jump.where[-1]]
            findings.note(Code.UNIT_JUMP, draft.cell, draft.observation.raw, jump.reason)
