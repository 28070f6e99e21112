"""The coverage of the data as tables: completeness by region and by indicator over the years, and every gap."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from kaozheng.deliverables.table import Column, Kind, Table, Value
from kaozheng.indicators.coverage import Completeness, Coverage
from kaozheng.indicators.reason import Reason
from kaozheng.indicators.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_REGION: Final = Reason("地区", "region")
_CODE: Final = Reason("代码", "code")
_INDICATOR: Final = Reason("指标", "indicator")
_KEY: Final = Reason("键", "key")
_OWNER: Final = Reason("责任部门", "department")
_YEAR: Final = Reason("年份", "year")
_ALL: Final = Reason("合计", "all")
_MISSING: Final = Reason("缺", "missing")
_EXPLAINED: Final = Reason("其中有说明", "explained")
_BY_REGION: Final = Reason("各地区完整度", "Completeness by region")
_BY_INDICATOR: Final = Reason("各指标完整度", "Completeness by indicator")
_GAPS: Final = Reason("缺口", "Gaps")
_SHARE: Final = Reason(
    "完整度＝有数值的格数÷应有格数", "Completeness: cells with a value in the cells that are expected"
)


def coverage_tables(matrix: Coverage, names: Mapping[str, str], synthetic: bool, language: str) -> list[Table]:
    """Three tables: by region and year, by indicator and year, and the gaps. `names` of the regions by their codes."""
    years = [Column(str(year), Kind.NUMBER, "%", 1) for year in matrix.years]
    whole = Column(_ALL.said(language), Kind.NUMBER, "%", 1)
    region = (Column(_CODE.said(language)), Column(_REGION.said(language)))
    indicator = (Column(_KEY.said(language)), Column(_INDICATOR.said(language)), Column(_OWNER.said(language)))
    by_region = [
        (
            code,
            names.get(code, ""),
            _share(of),
            *_shares(matrix, matrix.present[place].sum(axis=0), len(matrix.indicators)),
        )
        for place, (code, of) in enumerate(matrix.by_region().items())
    ]
    by_indicator = [
        (
            one.key,
            one.name,
            one.owner,
            _share(of),
            *_shares(matrix, matrix.present[:, place].sum(axis=0), len(matrix.regions)),
        )
        for place, (one, of) in enumerate(zip(matrix.indicators, matrix.by_indicator().values(), strict=True))
    ]
    note = (_SHARE.said(language),)
    return [
        Table(_BY_REGION.said(language), (*region, whole, *years), by_region, notes=note, synthetic=synthetic),
        Table(_BY_INDICATOR.said(language), (*indicator, whole, *years), by_indicator, notes=note, synthetic=synthetic),
        _gaps(matrix, names, synthetic, language),
    ]


def _gaps(matrix: Coverage, names: Mapping[str, str], synthetic: bool, language: str) -> Table:
    columns = (
        Column(_CODE.said(language)),
        Column(_REGION.said(language)),
        Column(_KEY.said(language)),
        Column(_INDICATOR.said(language)),
        Column(_YEAR.said(language), Kind.YEAR),
        Column(_MISSING.said(language), Kind.NUMBER, decimals=0),
        Column(_EXPLAINED.said(language), Kind.NUMBER, decimals=0),
        Column(_OWNER.said(language)),
    )
    rows = [
        (
            gap.region,
            names.get(gap.region, ""),
            gap.indicator.key,
            gap.indicator.name,
            gap.year,
            gap.missing,
            gap.explained,
            gap.indicator.owner,
        )
        for gap in matrix.gaps()
    ]
    return Table(_GAPS.said(language), columns, rows, synthetic=synthetic)


def _shares(matrix: Coverage, present: NDArray[np.int64], cells: int) -> list[Value]:
    """Of each year, of `cells` that expect their values."""
    return [
        _share(Completeness(int(count), expected * cells))
        for count, expected in zip(present, matrix.expected, strict=True)
    ]


def _share(of: Completeness) -> Decimal | str:
    return "—" if isinstance(of.share, Undefined) else of.share
