"""Tables of the local disk as grids, parsed in a child process."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from kaozheng.aside import aside
from kaozheng.errors import MissingExtraError, SourceError
from kaozheng.providers.readers.converted import Caps
from kaozheng.providers.readers.grid_kinds import check_name, is_old
from kaozheng.providers.readers.reading_parent import ReadingChild
from kaozheng.providers.readers.text_files import load, shown
from kaozheng.sources.grid import Grid, Workbook

CAPS: Final = Caps(cells=6_000_000, memory_bytes=2_000_000_000)
"""A table is imported whole or not at all, so it may be larger than one that becomes notes: all counties of a province
with 200 indicators over 20 years are 700,000 rows of six cells."""


class GridFiles:
    """A GridReader over the local disk; `caps` is the most that one file may take. The grid of a CSV has the name of
    its file, as Excel names it."""

    def __init__(self, caps: Caps = CAPS) -> None:
        self._caps = caps

    async def workbook(self, path: Path) -> Workbook:
        """See GridReader.workbook. The work is done aside, so the loop stays free."""
        return await aside(_workbook, path, self._caps)


def _workbook(path: Path, caps: Caps) -> Workbook:
    try:
        check_name(path.name)
        loaded = load(path)
        grids = _grids(path, loaded.data, caps)
    except SourceError as error:
        raise SourceError(f"{shown(path)}: {error}") from error
    named = [grid if grid.name else replace(grid, name=shown(path.stem)) for grid in grids]
    return Workbook(shown(path.name), loaded.sha256, named)


def _grids(path: Path, data: bytes, caps: Caps) -> list[Grid]:
    if not data:
        raise SourceError("empty")
    if is_old(data) and find_spec("xlrd") is None:
        raise MissingExtraError(f'{shown(path)}: XLS needs xlrd: pip install "kaozheng[office]"')
    with ReadingChild(caps) as child:
        return child.grids(path.suffix.lower(), data)
