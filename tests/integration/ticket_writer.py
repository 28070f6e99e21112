"""A process of its own that opens tickets: `ticket_writer.py PLACE NAME TICKETS`. Says "ready", waits for a line, opens
that many tickets under the keys that all writers use, and says how many it has made."""

import asyncio
import sys
from pathlib import Path

from kaozheng.county.ticket import Ticket
from kaozheng.providers.stores.county_sql import open_county_store


async def main(place, name, count):
    async with open_county_store(place if place.startswith("postgresql:") else Path(place)) as store:
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        made = 0
        for number in range(int(count)):
            ticket = Ticket(f"511083.gdp.{number}", "511083", "gdp", 2024, "统计局", name, "2026-12-01T00:00:00+00:00")
            kept, new = await store.open_ticket(ticket)
            assert (kept.reason == name) == new, "somebody else's ticket passed for a new one"
            made += new
        print(made, flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
