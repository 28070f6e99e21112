"""XLSX as Markdown: each sheet a heading and its tables, as they look; hidden parts are kept and marked."""

from __future__ import annotations

from typing import Any

from kaozheng.errors import SourceError
from kaozheng.providers.readers.converted import Caps, Converted, Pages
from kaozheng.providers.readers.markdown_marks import heading
from kaozheng.providers.readers.number_formats import BUILT_IN
from kaozheng.providers.readers.sheet_cells import Looks, Sheet, SheetTarget, StringsTarget
from kaozheng.providers.readers.sheet_tables import blocks_of
from kaozheng.providers.readers.zip_parts import Element, Package, child, name_of, number, value


def read(data: bytes, caps: Caps) -> Converted:
    """See conversion.convert."""
    package = Package(data, caps)
    main = package.main()
    root = package.tree(main)
    looks = _looks(package, main, root, caps)
    leads = package.relations(main)
    sheets = child(root, "s:sheets")
    if sheets is None:
        raise SourceError("damaged: it has no sheets")
    pages = Pages()
    left = caps.cells
    for entry in sheets:
        kind, part = leads.get(_relation(entry), ("", ""))
        if kind != "worksheet":
            continue
        sheet: Sheet = package.parse(part, SheetTarget(looks, left))
        blocks, used = blocks_of(sheet, left)
        left -= used
        if left < 0:
            raise SourceError(f"more than {caps.cells:,} cells")
        if blocks:
            _add(pages, entry, blocks)
    return pages.finished()


def _add(pages: Pages, entry: Element, blocks: list[str]) -> None:
    name = value(entry, "name")
    hidden = " (hidden)" if value(entry, "state") in ("hidden", "veryHidden") else ""
    pages.place("sheet", name)
    pages.add(heading(name + hidden, 2))
    for block in blocks:
        pages.add(block)


def _relation(entry: Element) -> str:
    return next((text for key, text in entry.attrib.items() if key.endswith("}id")), "")


def _looks(package: Package, main: str, root: Element, caps: Caps) -> Looks:
    strings = package.related(main, "sharedStrings")
    texts: Any = package.parse(strings, StringsTarget(caps.chars)) if strings else []
    styles = package.related(main, "styles")
    from_1904 = value(child(root, "s:workbookPr"), "date1904") in ("1", "true")
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
