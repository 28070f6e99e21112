"""What does not fit in the data, as a table: a question to the department in charge a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kaozheng.county.data_quality import Misfit
from kaozheng.deliverables.table import Column, Table
from kaozheng.indicators.reason import Reason

_TITLE: Final = Reason("数据不一致清单", "What does not fit in the data")
_HEADS: Final = (
    Reason("代码", "code"),
    Reason("地区", "region"),
    Reason("检查", "check"),
    Reason("位置", "where"),
    Reason("说明", "reason"),
)


def quality_table(misfits: Sequence[Misfit], names: Mapping[str, str], synthetic: bool, language: str) -> Table:
    """One row for each misfit. `names` of the regions by their codes."""
    rows = [
        (
            one.region,
            names.get(one.region, ""),
            one.found.check,
            " ".join(one.found.where),
            one.found.reason.said(language),
        )
        for one in misfits
    ]
    columns = tuple(Column(head.said(language)) for head in _HEADS)
    return Table(_TITLE.said(language), columns, rows, synthetic=synthetic)
