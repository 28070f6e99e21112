"""A process of its own that imports: `importing.py DATABASE ROWS VALUE`. Says "writing" before it writes, "done" after
it."""

import asyncio
import sys
from decimal import Decimal
from pathlib import Path

from kaozheng.county.table_source import TableSource
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.observation import Observation
from kaozheng.indicators.period import Period
from kaozheng.indicators.region import Region
from kaozheng.providers.stores.county_sql import open_county_store

SOURCE = TableSource("yearbook", "年鉴", "2024")


def rows(count, value):
    """A yearbook in which every cell says `value`."""
    for number in range(count):
        region = Region(f"{number // 20:06}", 2024)
        yield Observation(region, "gdp", Period(2000 + number % 20), value, Decimal(value), "亿元", f"B{number}")


async def main(database, count, value):
    async with open_county_store(Path(database)) as store:
        given = list(rows(int(count), value))
        print("writing", flush=True)
        await store.import_rows(SOURCE, given, [Indicator("gdp", "地区生产总值", "亿元")])
        print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
