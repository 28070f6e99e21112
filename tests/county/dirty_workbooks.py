"""40 small dirty tables of Sichuan counties: `python -m tests.county.dirty_workbooks FOLDER` writes the files.

The cases and how to read them are in dirty_workbooks.yml. `faults` compares what an importer made of a file with what
is expected; the same call writes the same bytes each time.
"""

from __future__ import annotations

import csv
import io
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import yaml
from openpyxl import Workbook
from openpyxl.utils import range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))
_MOMENT = (2026, 1, 1, 0, 0, 0)
_STAMP = b"2026-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True)
class Row:
    """One imported value: `value` is a decimal in `unit`, or "!" and the missing reason."""

    cell: str
    region: str
    indicator: str
    period: str
    value: str
    unit: str

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two rows equal: 185 and 185.0 are one value."""
        value = self.value if self.value.startswith("!") else Decimal(self.value)
        return (addressed(self.cell), self.region, self.indicator, self.period, value, self.unit)


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark; `where` is a cell (`Sheet1!B7`) of an importer, or the cells where an expected one may stand."""

    where: str
    code: str
    kind: str
    optional: bool = False


def addressed(cell: str) -> str:
    """The cell with its sheet."""
    return cell if "!" in cell else f"Sheet1!{cell}"


def cells(where: str) -> set[str]:
    """All cells of `B7`, `A3:B3,A5:B5` or `Sheet2!A1:B2`."""
    sheet, _, areas = addressed(where).partition("!")
    found = set()
    for area in areas.split(","):
        left, top, right, bottom = range_boundaries(area)
        found |= {f"{sheet}!{_letter(x)}{y}" for x in range(left, right + 1) for y in range(top, bottom + 1)}
    return found


def _letter(column: int) -> str:
    return chr(ord("A") + column - 1)


def expected_rows(texts: Iterable[str]) -> list[Row]:
    """The rows that a case writes as one line each."""
    return [Row(*text.split()) for text in texts]


def expected_findings(texts: Iterable[str]) -> list[Finding]:
    """The findings that a case writes as one line each."""
    found = []
    for text in texts:
        where, code, kind, *optional = text.split()
        found.append(Finding(where, code, kind, optional == ["?"]))
    return found


def source_of(case: dict[str, Any]) -> dict[str, str]:
    """The source that a mapping of the case names."""
    return {"id": case["name"], "title": "内江、乐山等地主要指标（合成）", "vintage": "2024"}


def file_name(case: dict[str, Any]) -> str:
    """`hidden_row.xlsx`."""
    return f"{case['name']}.{'csv' if 'csv' in case else 'xlsx'}"


def content(case: dict[str, Any]) -> bytes:
    """The bytes of the file of a case."""
    if "csv" not in case:
        return _xlsx(case["sheets"])
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(case["sheets"]["Sheet1"]["rows"])
    return text.getvalue().encode(case["csv"])


def write(folder: Path) -> list[Path]:
    """Writes all files into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / file_name(case) for case in CASES]
    for path, case in zip(paths, CASES, strict=True):
        path.write_bytes(content(case))
    return paths


def _xlsx(sheets: dict[str, Any]) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for name, sheet in sheets.items():
        _fill(book.create_sheet(name), sheet)
    raw = io.BytesIO()
    book.save(raw)
    return _without_time(raw.getvalue())


def _fill(page: Worksheet, sheet: dict[str, Any]) -> None:
    for number, row in enumerate(sheet["rows"], 1):
        for column, value in enumerate(row, 1):
            page.cell(number, column, value)
    for cell, number_format in sheet.get("formats", {}).items():
        page[cell].number_format = number_format
    for area in sheet.get("merged", ()):
        page.merge_cells(area)
    for number in sheet.get("hidden_rows", ()):
        page.row_dimensions[number].hidden = True
    for letter in sheet.get("hidden_columns", ()):
        page.column_dimensions[letter].hidden = True
    if sheet.get("hidden"):
        page.sheet_state = "hidden"


def _without_time(raw: bytes) -> bytes:
    """The same workbook without the moment when it was written."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = old.read(name)
            if name == "docProps/core.xml":
                part = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", _STAMP, part)
            new.writestr(zipfile.ZipInfo(name, _MOMENT), part, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def faults(case: dict[str, Any], rows: Iterable[Row], findings: Iterable[Finding]) -> list[str]:
    """What is wrong with an import, [] when it is one of the readings that count as right (the nearest is told)."""
    got_rows, got_findings = list(rows), list(findings)
    return min((_differences(*reading, got_rows, got_findings) for reading in _readings(case)), key=len)


def _readings(case: dict[str, Any]) -> Iterator[tuple[list[Row], list[Finding]]]:
    """The first reading and those with any of the alternatives in its place; two for the same cells never meet."""
    others = case.get("alternatives", ())
    for chosen in chain.from_iterable(combinations(others, n) for n in range(len(others) + 1)):
        taken = [cells(other["cells"]) for other in chosen]
        replaced: set[str] = set().union(*taken)
        if len(replaced) < sum(map(len, taken)):
            continue
        rows = [row for row in expected_rows(case["rows"]) if addressed(row.cell) not in replaced]
        found = [one for one in expected_findings(case["findings"]) if not cells(one.where) <= replaced]
        for other in chosen:
            rows += expected_rows(other["rows"])
            found += expected_findings(other["findings"])
        yield rows, found


def _differences(
    rows: list[Row], findings: list[Finding], got_rows: list[Row], got_findings: list[Finding]
) -> list[str]:
    """Rows and findings that are missing or too many."""
    wanted, given = {row.key: row for row in rows}, [row.key for row in got_rows]
    wrong = [f"missing {row}" for key, row in wanted.items() if key not in given]
    wrong += [f"too many {row}" for row, key in zip(got_rows, given, strict=True) if key not in wanted]
    wrong += ["a row twice"] * (len(given) - len(set(given)))
    wrong += [
        f"missing {one}" for one in findings if not one.optional and not any(_fits(one, got) for got in got_findings)
    ]
    wrong += [f"too many {got}" for got in got_findings if not any(_fits(one, got) for one in findings)]
    return wrong


def _fits(expected: Finding, got: Finding) -> bool:
    return (
        addressed(got.where) in cells(expected.where)
        and expected.code in ("*", got.code)
        and expected.kind in ("*", got.kind)
    )


if __name__ == "__main__":
    print("\n".join(str(path) for path in write(Path(sys.argv[1]))))
