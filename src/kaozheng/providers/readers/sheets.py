"""XLSX as Markdown (each sheet a heading and its tables, as they look) or as grids; hidden parts are marked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kaozheng.errors import SourceError
from kaozheng.providers.readers.converted import Caps, Converted, Pages
from kaozheng.providers.readers.markdown_marks import heading
from kaozheng.providers.readers.number_codes import BUILT_IN
from kaozheng.providers.readers.sheet_cells import Looks, Sheet, SheetTarget, StringsTarget
from kaozheng.providers.readers.sheet_tables import blocks_of
from kaozheng.providers.readers.zip_parts import Element, Package, child, name_of, number, value
from kaozheng.sources.grid import Cells, Grid

_LAST_COLUMN = 16_384
_OTHER_KINDS = {"xl/workbook.bin": "a binary workbook (.xlsb)", "content.xml": "an OpenDocument table (.ods)"}


def read(data: bytes, caps: Caps) -> Converted:
    """See conversion.convert."""
    package = Package(data, caps)
    looks = _looks(package, caps)
    pages = Pages()
    left = caps.cells
    for entry, part in _entries(package):
        sheet: Sheet = package.parse(part, SheetTarget(looks, left))
        blocks, used = blocks_of(sheet, left)
        left -= used
        if left < 0:
            raise SourceError(f"more than {caps.cells:,} cells")
        if blocks:
            _add(pages, entry, blocks)
    return pages.finished()


def grids(data: bytes, caps: Caps) -> list[Grid]:
    """See conversion.grids."""
    package = Package(data, caps)
    if kind := next((kind for part, kind in _OTHER_KINDS.items() if package.has(part)), ""):
        raise SourceError(f"{kind}: save it as .xlsx")
    looks = _looks(package, caps)
    made: list[Grid] = []
    left = caps.cells
    for entry, part in _entries(package):
        sheet: Sheet = package.parse(part, SheetTarget(looks, left))
        grid = Grid(
            value(entry, "name"),
            Cells((at, sorted(row.items())) for at, row in sorted(sheet.rows.items())),
            tuple(sheet.merged),
            frozenset(sheet.hidden_rows),
            frozenset(at for first, last in sheet.hidden_columns for at in range(first, min(last, _LAST_COLUMN) + 1)),
            _is_hidden(entry),
        )
        left -= len(grid.cells)
        made.append(grid)
    return made


def _entries(package: Package) -> Iterator[tuple[Element, str]]:
    """What the workbook says of each worksheet, and the part that it is in."""
    main = package.main()
    leads = package.relations(main)
    sheets = child(package.tree(main), "s:sheets")
    if sheets is None:
        raise SourceError("damaged: it has no sheets")
    for entry in sheets:
        kind, part = leads.get(_relation(entry), ("", ""))
        if kind == "worksheet":
            yield entry, part


def _is_hidden(entry: Element) -> bool:
    return value(entry, "state") in ("hidden", "veryHidden")


def _add(pages: Pages, entry: Element, blocks: list[str]) -> None:
    name = value(entry, "name")
    hidden = " (hidden)" if _is_hidden(entry) else ""
    pages.place("sheet", name)
    pages.add(heading(name + hidden, 2))
    for block in blocks:
        pages.add(block)


def _relation(entry: Element) -> str:
    return next((text for key, text in entry.attrib.items() if key.endswith("}id")), "")


def _looks(package: Package, caps: Caps) -> Looks:
    main = package.main()
    strings = package.related(main, "sharedStrings")
    texts: Any = package.parse(strings, StringsTarget(caps.chars)) if strings else []
    styles = package.related(main, "styles")
    from_1904 = value(child(package.tree(main), "s:workbookPr"), "date1904") in ("1", "true")
    return Looks(texts, _formats(package.tree(styles)) if styles else [], from_1904, caps.cells)


def _formats(styles: Element) -> list[str]:
    """The format code of each cell style."""
    codes = dict(BUILT_IN)
    own = child(styles, "s:numFmts")
    for one in own if own is not None else ():
        codes[number(one, "numFmtId")] = value(one, "formatCode")
    cells = child(styles, "s:cellXfs")
    return (
        [codes.get(number(one, "numFmtId"), "General") for one in cells if name_of(one) == "s:xf"]
        if cells is not None
        else []
    )
