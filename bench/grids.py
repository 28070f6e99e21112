"""Reading of tables as grids, with the start of the process that reads them, against what reads cells and nothing else.

20,000 rows of six cells as XLSX against openpyxl, and all counties of a province with 200 indicators over 20 years as
CSV (700,000 rows) against the bare csv module, which gives texts without a place.
"""

from __future__ import annotations

import asyncio
import csv
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.row import Row
from kaozheng.wiring.files import grid_reader

_ROWS = {"table.xlsx": 20_000, "table.csv": 700_000}


def measure() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        for name, against, other in (("table.xlsx", "openpyxl", _openpyxl), ("table.csv", "csv", _csv)):
            path = Path(folder) / name
            _write(path)
            (ours_s, ours), (other_s, theirs) = _timed(_ours, path), _timed(other, path)
            assert ours == theirs == (_ROWS[name] + 1) * 6
            what = f"grids: {_ROWS[name]:,} x 6 of {path.suffix[1:].upper()}"
            rate = f"{ours_s:.2f} s ({ours / ours_s:,.0f} cells/s)"
            yield Row(what, rate, f"{against} {other_s:.2f} s", f"{ours_s / other_s:.1f}")


def _timed(read: Callable[[Path], int], path: Path) -> tuple[float, int]:
    start = time.perf_counter()
    cells = read(path)
    return time.perf_counter() - start, cells


def _ours(path: Path) -> int:
    return sum(len(grid.cells) for grid in asyncio.run(grid_reader().workbook(path)).grids)


def _openpyxl(path: Path) -> int:
    import openpyxl

    book = openpyxl.load_workbook(path)
    return sum(cell.value is not None for sheet in book for row in sheet.iter_rows() for cell in row)


def _csv(path: Path) -> int:
    with path.open(encoding="utf-8", newline="") as file:
        return sum(map(len, csv.reader(file)))


def _lines(count: int) -> Iterator[list[object]]:
    chance = random.Random(7)
    yield ["区划代码", "地区", "指标", "年份", "数值", "单位"]
    for at in range(count):
        value = round(chance.uniform(0, 10_000), 2)
        yield [511_000 + at % 183, f"县{at % 183}", f"指标{at // 183 % 200}", 2004 + at % 20, value, "亿元"]


def _write(path: Path) -> None:
    rows = _lines(_ROWS[path.name])
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        return
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("表")
    for row in rows:
        sheet.append(row)
    book.save(path)
