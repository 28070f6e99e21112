"""What does not fit in the data of counties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kaozheng.api.county import open_data
from kaozheng.api.running import run_sync
from kaozheng.aside import aside
from kaozheng.county.data_quality import Misfit, misfits
from kaozheng.county.store import Wanted
from kaozheng.errors import InputError
from kaozheng.indicators.region import Region
from kaozheng.settings import Settings


@dataclass(frozen=True, slots=True)
class Quality:
    """What does not fit in `rows` observations, and the regions of it by their codes of today."""

    rows: int
    misfits: Sequence[Misfit]
    regions: Mapping[str, Region]
    synthetic: bool

    @property
    def exit_code(self) -> int:
        """1 when something does not fit."""
        return int(bool(self.misfits))

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "synthetic": self.synthetic,
            "rows": self.rows,
            "misfits": [
                {
                    "region": one.region,
                    "name": self.regions[one.region].name,
                    "check": one.found.check,
                    "where": list(one.found.where),
                    "reason": {"zh": one.found.reason.zh, "en": one.found.reason.en},
                }
                for one in self.misfits
            ],
        }


def county_quality(
    regions: Sequence[str] = (), years: tuple[int, int] | None = None, settings: Settings | None = None
) -> Quality:
    """What does not fit in the rows of these regions (names, codes; all when none are named) and years.

    Raises InputError for names that mean nothing or several things, and when there is no row at all; StorageError.
    """
    return run_sync(_quality(regions, years, settings))


async def _quality(regions: Sequence[str], years: tuple[int, int] | None, settings: Settings | None) -> Quality:
    async with open_data(settings) as data:
        lists = data.lists
        first, last = years or (None, None)
        wanted = Wanted(lists.codes(lists.region(one) for one in regions), (), first, last)
        rows = lists.lineage.observations(await data.store.observations(wanted))
        if not rows:
            raise InputError("there is no row of these regions and years: kaozheng county sources")
        found = await aside(misfits, rows, lists.catalogue, lists.lineage.breaks)
        named = {one.region: lists.named(one.region) for one in found}
        return Quality(len(rows), found, named, await data.store.synthetic(wanted))
