"""Econometrics from the county's rows or from a table of one's own."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kaozheng.api.county import CountyData, open_data
from kaozheng.api.running import run_sync
from kaozheng.aside import aside
from kaozheng.county.modelling.families import estimate, family_named
from kaozheng.county.modelling.neighbours import neighbours_of
from kaozheng.county.modelling.request import ModelRequest
from kaozheng.county.modelling.samples import columns_of_grid, columns_of_rows, with_months, with_treatment
from kaozheng.county.store import CountyStore, Wanted
from kaozheng.errors import InputError
from kaozheng.indicators.econometrics.sample import Columns
from kaozheng.indicators.indicator import Direction, Indicator
from kaozheng.indicators.period import PeriodKind
from kaozheng.settings import Settings, load_settings
from kaozheng.wiring.files import grid_reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kaozheng.indicators.econometrics.result import ModelResult


@dataclass(frozen=True, slots=True)
class Modelled:
    """What a family of models said; `synthetic` when a row of the sample is made up for a demonstration."""

    result: ModelResult
    synthetic: bool = False

    @property
    def exit_code(self) -> int:
        """0, or 4 where the model waits for more data or another design."""
        return 0 if self.result.status == "estimated" else 4

    def as_dict(self) -> dict[str, Any]:
        """Plain values; the readiness with its colour and standing."""
        said = asdict(self.result)
        readiness = self.result.readiness
        said["readiness"] |= {"colour": readiness.colour, "standing": readiness.standing}
        return {"synthetic": self.synthetic, **said}


@dataclass(frozen=True, slots=True)
class SampleOf:
    """Where the sample comes from: a table of one's own (`data`), else the rows of `regions` (by code or name; all) in
    `years`. `treated` gives for each region the period in which the policy reached it. `neighbours` is a table of the
    columns unit, neighbour, weight."""

    data: Path | None = None
    regions: tuple[str, ...] = ()
    years: tuple[int, int] | None = None
    treated: Mapping[str, int] | None = None
    neighbours: Path | None = None


def model(family: str, request: ModelRequest, sample: SampleOf, settings: Settings | None = None) -> Modelled:
    """Estimate a family of models, or say what it lacks. Raises InputError for names that are not known and a sample
    that fits the family in no way, MissingExtraError without its packages, StorageError."""
    family_named(family)
    return run_sync(_model(family, request, sample, settings or load_settings()))


async def _model(family: str, request: ModelRequest, sample: SampleOf, settings: Settings) -> Modelled:
    if sample.neighbours is not None:
        request = replace(request, neighbours=neighbours_of(await _table(sample.neighbours)))
    if sample.data is not None:
        if sample.regions or sample.years:
            raise InputError(
                "--region and --years choose rows of the store: leave out the other rows of your own table"
            )
        columns, synthetic = await _table(sample.data), False
        if request.monthly:
            columns = with_months(columns, request.period)
    else:
        async with open_data(settings) as data:
            request = await _directed(data.store, request)
            columns, synthetic = await _rows(data, family, request, sample)
    if sample.treated:
        columns = with_treatment(columns, sample.treated, request.unit)
    return Modelled(await aside(estimate, family, columns, request), synthetic)


async def _table(path: Path) -> Columns:
    book = await grid_reader().workbook(path)
    return columns_of_grid(book.grids[0])


async def _rows(data: CountyData, family: str, request: ModelRequest, sample: SampleOf) -> tuple[Columns, bool]:
    first, last = sample.years or (None, None)
    if family_named(family).of_one_period and (first is None or first != last):
        raise InputError(f"{family}: its sample is of one year: say which, as --years 2024")
    names = tuple(dict.fromkeys(name for name in (request.outcome, *request.features) if name))
    kind = PeriodKind.MONTH if request.monthly else PeriodKind.YEAR
    codes = data.lists.codes(data.lists.region(one) for one in sample.regions)
    wanted = Wanted(codes, names, first, last, kind)
    rows = data.lists.lineage.rows(await data.store.rows(wanted))
    if not rows:
        raise InputError(f"there is no row of {', '.join(names)} for these regions and years")
    return columns_of_rows(rows, names), await data.store.synthetic(wanted)


async def _directed(store: CountyStore, request: ModelRequest) -> ModelRequest:
    """The request with the directions that its indicators say. Raises InputError for one that is not kept."""
    known = {one.key: one for one in await store.indicators()}
    for name in (request.outcome, *request.features):
        if name and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else "kaozheng county indicators shows them"
            raise InputError(f"there is no indicator {name!r} ({hint})")
    return replace(request, directions={**_directions(known, request.features), **request.directions})


def _directions(known: Mapping[str, Indicator], names: Sequence[str]) -> dict[str, bool]:
    ways = {Direction.MORE: True, Direction.LESS: False}
    return {name: ways[known[name].direction] for name in names if known[name].direction in ways}
