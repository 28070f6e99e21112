"""The files of the demonstration: workbooks, CSV, YAML, and the mapping files that read them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from kaozheng.county.demonstration.made_records import (
    SYNTHETIC,
    made_constraints,
    made_enterprises,
    made_links,
    made_policies,
    made_projects,
)
from kaozheng.county.demonstration.made_tables import Cell, MadeTable, quarterly_table, quick_table, yearly_tables
from kaozheng.county.importing.record_columns import COLUMNS, Reads

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

_CREATED: Final = datetime(2025, 1, 1, tzinfo=UTC)
"""Written into the workbooks, so that a seed makes the same bytes on any day."""
_MAPPINGS: Final = {
    "年度指标": """\
[source]
id = "demo-yearbook-2025"
title = "演示统计年鉴2025（{synthetic}）"
vintage = "2025-09"
publisher = "演示数据生成器"
synthetic = true

[[tables]]
sheet = "*"
layout = "regions-years"
head = [3]
indicator = "sheet"
""",
    "年度快报": """\
[source]
id = "demo-quick-2024"
title = "演示快报2024（{synthetic}）"
vintage = "2025-02"
publisher = "演示数据生成器"
synthetic = true

[[tables]]
sheet = "快报"
layout = "regions-indicators"
head = [3, 4]
period = "2024"
""",
    "季度累计": """\
[source]
id = "demo-quarters"
title = "演示季度数据（{synthetic}）"
vintage = "2025-02"
publisher = "演示数据生成器"
synthetic = true

[[tables]]
layout = "long"
head = [2]
values = ["D"]
unit = "column E"
""",
}


def made_files(seed: int = 1) -> dict[str, bytes]:
    """All files of a seed by their names; the same seed makes the same bytes."""
    made = {
        "年度指标.xlsx": _workbook(yearly_tables(seed)),
        "年度快报.xlsx": _workbook([quick_table(seed)]),
        "季度累计.csv": _table_csv(quarterly_table(seed)),
        "企业.csv": _records_csv("企业名录", made_enterprises(seed)),
        "项目.csv": _records_csv("重点项目", made_projects(seed)),
        "要素约束.csv": _records_csv("要素约束", made_constraints(seed)),
        "产业链.csv": _records_csv("产业链环节", made_links()),
        "政策.yml": _policies_yaml(),
    }
    for name, text in _MAPPINGS.items():
        made[f"{name}.toml"] = f"# {SYNTHETIC}\n{text.format(synthetic=SYNTHETIC)}".encode()
    return made


def _workbook(tables: Iterable[MadeTable]) -> bytes:
    import xlsxwriter

    data = io.BytesIO()
    with xlsxwriter.Workbook(data, {"in_memory": True}) as book:
        book.set_properties({"title": SYNTHETIC, "created": _CREATED})
        bold = book.add_format({"bold": True})
        centred = book.add_format({"bold": True, "align": "center", "border": 1})
        formats: dict[int, Any] = {}
        for table in tables:
            sheet = book.add_worksheet(table.name)
            width = len(table.head[0])
            sheet.merge_range(0, 0, 0, width - 1, table.title, bold)
            sheet.write(1, 0, table.unit)
            sheet.set_column(0, 0, 16)
            _write_head(sheet, table.head, centred)
            for row, cells in enumerate(table.rows, start=2 + len(table.head)):
                for column, cell in enumerate(cells):
                    if isinstance(cell, Decimal):
                        places = max(0, -int(cell.as_tuple().exponent))
                        if places not in formats:
                            formats[places] = book.add_format({"num_format": f"0.{'0' * places}" if places else "0"})
                        sheet.write_number(row, column, float(cell), formats[places])
                    elif cell:
                        sheet.write_string(row, column, cell)
    return data.getvalue()


def _write_head(sheet: Worksheet, head: tuple[tuple[str, ...], ...], style: Format) -> None:
    """A head of one row, or of two whose equal neighbours above and equal cells below are one."""
    if len(head) == 1:
        sheet.write_row(2, 0, head[0], style)
        return
    above, below = head
    start = 0
    for end in range(1, len(above) + 1):
        if end < len(above) and above[end] == above[start]:
            continue
        if above[start] == below[start]:
            sheet.merge_range(2, start, 3, start, above[start], style)
        else:
            if end - start > 1:
                sheet.merge_range(2, start, 2, end - 1, above[start], style)
            else:
                sheet.write(2, start, above[start], style)
            sheet.write_row(3, start, below[start:end], style)
        start = end


def _table_csv(table: MadeTable) -> bytes:
    return _csv(table.title, (*table.head, *table.rows))


def _records_csv(title: str, records: Sequence[Any]) -> bytes:
    columns = COLUMNS[type(records[0])]
    head = [f"{column.heads[1]}（万元）" if column.reads is Reads.AMOUNT else column.heads[1] for column in columns]
    rows = [tuple(_written(getattr(record, column.field)) for column in columns) for record in records]
    return _csv(f"{title}（{SYNTHETIC}）", [head, *rows])


def _csv(title: str, rows: Iterable[Sequence[Cell]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([title])
    writer.writerows(rows)
    return text.getvalue().encode("utf-8-sig")


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "是" if value else "否"
    return "" if value is None else str(value)


def _policies_yaml() -> bytes:
    import yaml

    policies = [
        {
            "id": policy.id,
            "number": policy.number,
            "issuer": policy.issuer,
            "date": policy.date,
            "title": policy.title,
            "level": policy.level,
            "clauses": [{"number": clause.number, "text": clause.text} for clause in policy.clauses],
        }
        for policy in made_policies()
    ]
    return f"# {SYNTHETIC}\n{yaml.safe_dump(policies, allow_unicode=True, sort_keys=False)}".encode()
