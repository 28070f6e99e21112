"""Drafts about counties: through the six gates, and from references to text."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from kaozheng.api.county import CountyData, open_data
from kaozheng.api.inputs import text_or_path
from kaozheng.api.running import run_sync
from kaozheng.aside import aside
from kaozheng.county.figures.bare_numbers import figures_in
from kaozheng.county.figures.comparisons import differences, places
from kaozheng.county.figures.fact_sheet import FactSheet
from kaozheng.county.figures.reference import Reference, references
from kaozheng.county.figures.rendering import Remark, Rendering, render
from kaozheng.county.policy import Policy
from kaozheng.county.row_id import RowId
from kaozheng.county.store import Wanted
from kaozheng.errors import InputError, SourceError
from kaozheng.evidence.folding import narrow
from kaozheng.gates.ground import Ground
from kaozheng.gates.numbers import is_place
from kaozheng.gates.sequence import Passage, Status, pass_gates
from kaozheng.indicators.period import Period, read_period
from kaozheng.indicators.region import Region
from kaozheng.settings import Settings
from kaozheng.wiring.desk import utc_now
from kaozheng.wiring.files import reader

_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_MOST_COMPARED: Final = 30
"""Regions of a text from which on no more are set beside each other: the pairs grow with the square."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A text, or a file that holds one, and what it is about: the region and period of which it speaks where it names
    none, the type of report whose sections it must have, whether it is to be published."""

    text: str | Path
    region: str = ""
    period: str = ""
    report_type: str = ""
    for_public: bool = False
    language: str = "zh"
    """Of the words that references become."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A draft's way through the gates. Places are those of `passage.original`: the draft with its references as
    numbers (`remarks`: what is told of references), of a file that was converted (docx) the Markdown that was read."""

    passage: Passage
    remarks: tuple[Remark, ...]
    path: str
    synthetic: bool

    @property
    def exit_code(self) -> int:
        """0 only when the text may leave as it is: neither stopped, nor sent back, nor waiting for a person or a
        number."""
        may_leave = self.passage.status is Status.SUCCEEDED and not any(one.refused for one in self.remarks)
        return 0 if may_leave else 1

    def releasable_text(self) -> str:
        """The text as the gates rewrote it. Raises InputError for one that was blocked: nothing of it may be stored."""
        if self.passage.status is Status.BLOCKED:
            raise InputError(f"the text is blocked, so it is written nowhere: {self.passage.reason.zh}")
        return self.passage.text

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        remarks = [_remark(one) for one in self.remarks]
        return {"path": self.path, "synthetic": self.synthetic, "remarks": remarks, **self.passage.as_dict()}


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text whose references became numbers."""

    rendering: Rendering
    original: str
    path: str
    synthetic: bool

    @property
    def exit_code(self) -> int:
        """1 when a number is missing."""
        return int(any(remark.refused for remark in self.rendering.remarks))

    def as_dict(self) -> dict[str, Any]:
        """Plain values; each number with its place in the text and the rows that it comes from."""
        return {
            "synthetic": self.synthetic,
            "text": self.rendering.text,
            "numbers": [
                {
                    "span": [one.span.start, one.span.end],
                    "written": one.written,
                    "rows": [str(row) for row in one.reference.rows],
                }
                for one in self.rendering.numbers
            ],
            "remarks": [_remark(one) for one in self.rendering.remarks],
        }


def _remark(one: Remark) -> dict[str, Any]:
    return {
        "code": one.code.value,
        "span": [one.span.start, one.span.end],
        "reason": asdict(one.reason),
        "rows": [str(row) for row in one.rows],
    }


def check_draft(draft: Draft, settings: Settings | None = None) -> Checked:
    """Send a draft through the six gates, held against the data of counties. Raises InputError for names that are none,
    a report type that is none, an empty text; SourceError, StorageError."""
    return run_sync(_checked(draft, settings))


def render_references(text: str | Path, language: str = "zh", settings: Settings | None = None) -> Rendered:
    """Put numbers where a text refers to them ({{m:gdp.511083.2024|亿元|1}}). Raises InputError for an empty text,
    SourceError, StorageError."""
    return run_sync(_rendered(text, language, settings))


async def _checked(draft: Draft, settings: Settings | None) -> Checked:
    text, path = await _text(draft.text)
    period = read_period(draft.period)[0] if draft.period else None
    async with open_data(settings) as data:
        region = data.lists.region(draft.region, period.year if period else None) if draft.region else None
        named = _regions_of(text, region, period, data)
        facts = await _compared(text, named, period, data) if named else FactSheet({})
        rendering = await aside(render, text, facts, draft.language)
        ground = Ground(
            facts=facts.registering(rendering.derivations),
            gazetteer=data.lists.regions,
            today=utc_now().date(),
            policies=await data.store.records(Policy),
            region=region,
            period=period,
            report_type=draft.report_type,
            for_public=draft.for_public,
        )
        passage = await aside(pass_gates, rendering.text, ground)
        return Checked(passage, rendering.remarks, path, facts.synthetic)


def _regions_of(text: str, region: Region | None, period: Period | None, data: CountyData) -> frozenset[Region]:
    """The regions of which a text may speak: those that it names, and its own. None where neither says one: then no
    number can be of a row."""
    year = period.year if period else utc_now().year
    named = {one for mention in data.lists.regions.mentions(text, year) for one in mention.regions}
    named |= {Region(row.region, row.period.year) for row in _rows_of(text)}
    if region:
        named.add(region)
    return frozenset(named)


async def _compared(text: str, named: frozenset[Region], period: Period | None, data: CountyData) -> FactSheet:
    """The rows of these regions and of the other counties of their prefectures, whose values a slip may have taken,
    with what follows from them: yearly changes, differences between the regions that are named, and their places. In a
    text that says a place, also the rows of all counties at the year of the report, so that there is one among all."""
    lists, today = data.lists, utc_now().year
    prefectures = {one.code[:4] for one in named}
    around = [one for one in lists.regions.counties(period.year if period else today) if one.code[:4] in prefectures]
    sheet = await _facts(Wanted(lists.codes((*named, *around))), data)
    if period and any(is_place(number) for number in figures_in(text)):
        everywhere = await _facts(Wanted(first_year=period.year, last_year=period.year), data)
        sheet = replace(sheet, facts={**everywhere.facts, **sheet.facts})
    own = sorted({lists.lineage.today(one.code, one.year) for one in named})[:_MOST_COMPARED]
    counties = [one.code for one in lists.regions.counties(today)]
    above = sorted({*prefectures, *(prefecture[:2] for prefecture in prefectures)})
    years = {int(year) for year in _YEAR.findall(narrow(text))}
    years |= {period.year, period.year - 1} if period else set()
    groups = [frozenset(one for one in counties if one.startswith(each)) for each in above]
    derived = (*differences(sheet, own, years), *places(sheet, own, groups, period.year if period else None))
    return sheet.with_yearly_changes().registering(derived)


async def _facts(wanted: Wanted, data: CountyData) -> FactSheet:
    """The rows by the codes that regions have today, so that a change is found over a recoding."""
    observations = data.lists.lineage.observations(await data.store.observations(wanted))
    synthetic = await data.store.synthetic(wanted)
    return FactSheet.of(observations, data.lists.catalogue.indicators, synthetic=synthetic)


async def _rendered(text: str | Path, language: str, settings: Settings | None) -> Rendered:
    original, path = await _text(text)
    rows = _rows_of(original)
    async with open_data(settings) as data:
        codes = data.lists.codes(Region(row.region, row.period.year) for row in rows)
        wanted = Wanted(codes, tuple(sorted({row.indicator for row in rows})))
        sheet = await _facts(wanted, data) if rows else FactSheet({})
    return Rendered(await aside(render, original, sheet, language), original, path, sheet.synthetic)


def _rows_of(text: str) -> list[RowId]:
    """The rows that a text refers to."""
    return [row for found in references(text) if isinstance(found, Reference) for row in found.rows]


async def _text(given: str | Path) -> tuple[str, str]:
    """The text, and the path that it came from ("-" for a text at hand)."""
    source = text_or_path(given)
    if isinstance(source, str):
        return source, "-"
    reading = await reader().read(source)
    if len(reading.sources) != 1:
        raise SourceError(f"{source}: name one file, not a folder")
    return reading.sources[0].text, str(source)
