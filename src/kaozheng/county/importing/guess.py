"""A mapping that is guessed from a file: what each choice rests on is told, and an unsure one imports nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from kaozheng.county.catalogue import Catalogue
from kaozheng.county.importing.indicator_names import IndicatorNames
from kaozheng.county.importing.label import read_label
from kaozheng.county.importing.mapping import Layout, Mapping, SourceEntry, TableEntry, write_mapping
from kaozheng.county.importing.region_names import RegionNames
from kaozheng.county.importing.sheet_shape import SheetShape
from kaozheng.county.importing.table_guess import Choice, TableGuess
from kaozheng.county.regions.gazetteer import Gazetteer
from kaozheng.errors import InputError
from kaozheng.indicators.reason import Reason
from kaozheng.sources.grid import Workbook

_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_SYNTHETIC: Final = "合成数据"
"""A file that says so of itself is made up for a demonstration."""
_NO_YEAR: Final = 2000


@dataclass(frozen=True, slots=True)
class Guess:
    """A mapping, None when no sheet could be made out, with the choices that led to it."""

    mapping: Mapping | None
    choices: tuple[Choice, ...]

    @property
    def is_sure(self) -> bool:
        """Whether rows may be imported by it: every coordinate of every sheet was found."""
        return self.mapping is not None and all(choice.is_sure for choice in self.choices)

    def toml(self) -> str:
        """The mapping as a file to correct, with what it rests on and what is left to say in front. Raises InputError
        when there is none."""
        if self.mapping is None:
            raise InputError("no table was found that a mapping could be guessed for")
        lines = [
            f"# {'' if choice.is_sure else '?? '}{choice.sheet} {choice.what} = {choice.chosen or '…'}: {said}"
            for choice in self.choices
            for said in (" ".join(f"{choice.reason.zh} ({choice.reason.en})".split()),)
        ]
        return "\n".join((*lines, "", write_mapping(self.mapping)))


def guess(workbook: Workbook, gazetteer: Gazetteer, catalogue: Catalogue, source: SourceEntry | None = None) -> Guess:
    """A mapping for the sheets of a file. Without a source the file's name is its id and title, and the last year that
    it speaks of its vintage."""
    year = int(source.vintage[:4]) if source else _last_year(workbook)
    stem = PurePath(workbook.path).stem
    chosen = source or SourceEntry(id=stem, title=stem, vintage=str(year))
    if _says_synthetic(workbook):
        chosen = chosen.model_copy(update={"synthetic": True})
    stub = Mapping(source=chosen, tables=(TableEntry(layout=Layout.REGIONS_YEARS),))
    names, regions = IndicatorNames(stub, catalogue), RegionNames(gazetteer)
    choices: list[Choice] = []
    tables: list[TableEntry] = []
    visible = [grid for grid in workbook.grids if not grid.hidden and grid.cells]
    for grid in visible:
        shape = SheetShape(grid, names, regions, year)
        guessed = TableGuess(shape)
        if table := guessed.table("" if len(visible) == 1 else grid.name):
            tables.append(table)
        choices += guessed.choices
    if source is None:
        said = Reason("取表中最晚的年份作为发布时间", "the last year in the tables stands for when it was published")
        choices.insert(0, Choice("", "vintage", str(year), said))
    return Guess(Mapping(source=chosen, tables=tuple(tables)) if tables else None, tuple(choices))


def _says_synthetic(workbook: Workbook) -> bool:
    return any(_SYNTHETIC in cell.text for grid in workbook.grids for cell in grid.cells.values())


def _last_year(workbook: Workbook) -> int:
    """The last year that heads, titles and names of sheets speak of."""
    texts = {cell.text for grid in workbook.grids for cell in grid.cells.values() if _YEAR.search(cell.text)}
    labels = map(read_label, (*texts, *(grid.name for grid in workbook.grids)))
    return max((period.year for label in labels for period, _ in label.periods), default=_NO_YEAR)
