"""The cells of one sheet, taken from its XML as it streams by."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kaozheng.errors import SourceError
from kaozheng.providers.readers.number_formats import number_cell
from kaozheng.sources.grid import Area, GridCell

_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})")
_AREA = re.compile(rf"{_REFERENCE.pattern}(?::{_REFERENCE.pattern})?$")
_MOST_MERGED = 100_000
_LAST_ROW = 1_048_576
_SHARED_FORMULA = "="  # one that stands in another cell


@dataclass(frozen=True, slots=True)
class Looks:
    """What the cells of all sheets share: the texts, the format of each style, where dates count from."""

    strings: list[str]
    formats: list[str]
    from_1904: bool
    most_cells: int


@dataclass(slots=True)
class Sheet:
    """The cells that hold something, by row and column from 1."""

    rows: dict[int, dict[int, GridCell]] = field(default_factory=dict)
    merged: list[Area] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)

    def is_hidden(self, column: int) -> bool:
        """Whether the column is."""
        return any(first <= column <= last for first, last in self.hidden_columns)


@dataclass(slots=True)
class _Cell:
    kind: str = ""
    style: str = ""
    value: str = ""
    inline: str = ""
    formula: str | None = None
    has_value: bool = False


class SheetTarget:
    """A target for ElementTree.XMLParser that gives a Sheet and keeps nothing else of the XML."""

    def __init__(self, looks: Looks, most_cells: int) -> None:
        self._looks = looks
        self._left = most_cells
        self._sheet = Sheet()
        self._known: dict[tuple[str, str, str], GridCell | None] = {}
        self._row = self._column = 0
        self._cell: _Cell | None = None
        self._text: list[str] | None = None
        self._skipped = 0
        self._is_sheet = False

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        """An element begins."""
        name = tag.rpartition("}")[2]
        if name == "c":
            self._column = self._place(attrs.get("r", ""), self._column + 1)
            self._cell = _Cell(attrs.get("t", "n"), attrs.get("s", "0"))
        elif name in ("v", "t", "f"):
            self._text = []
        elif name == "rPh":  # how a word is pronounced
            self._skipped += 1
        elif name == "row":
            self._begin_row(attrs)
        elif name == "mergeCell":
            self._merge(attrs.get("ref", ""))
        elif name == "col" and (attrs.get("hidden") in ("1", "true") or attrs.get("width") == "0"):
            self._sheet.hidden_columns.append((int(attrs["min"]), int(attrs["max"])))
        elif name == "worksheet":
            self._is_sheet = True

    def data(self, data: str) -> None:
        """Words inside of an element."""
        if self._text is not None and not self._skipped:
            self._text.append(data)

    def end(self, tag: str) -> None:
        """An element ends."""
        name = tag.rpartition("}")[2]
        if name == "c":
            self._end_cell()
        elif name == "rPh":
            self._skipped -= 1
        elif name in ("v", "t", "f") and self._text is not None:
            text, self._text = "".join(self._text), None
            if self._cell is None:
                return
            if name == "v":
                self._cell.value = text
                self._cell.has_value = bool(text) or self._cell.kind == "str"  # a formula that gave an empty text
            elif name == "t":
                self._cell.inline += text
            else:
                self._cell.formula = text

    def close(self) -> Sheet:
        """The sheet. SourceError: the XML is none."""
        if not self._is_sheet:
            raise SourceError("damaged: a sheet of it is none")
        return self._sheet

    def _begin_row(self, attrs: dict[str, str]) -> None:
        self._row = int(attrs.get("r", self._row + 1))
        self._column = 0
        is_hidden = attrs.get("hidden") in ("1", "true") or attrs.get("ht") == "0"
        if is_hidden and self._row <= _LAST_ROW:
            self._sheet.hidden_rows.add(self._row)

    def _place(self, reference: str, otherwise: int) -> int:
        found = _REFERENCE.fullmatch(reference)
        if found is None:
            return otherwise
        self._row = int(found[2])
        return _column(found[1])

    def _merge(self, reference: str) -> None:
        found = _AREA.match(reference)
        if found and found[3]:
            if len(self._sheet.merged) == _MOST_MERGED:
                raise SourceError(f"more than {_MOST_MERGED:,} merged areas in a sheet")
            self._sheet.merged.append(Area(int(found[2]), _column(found[1]), int(found[4]), _column(found[3])))

    def _end_cell(self) -> None:
        cell, self._cell = self._cell, None
        made = self._made(cell) if cell else None
        if made is None:
            return
        self._left -= 1
        if self._left < 0:
            raise SourceError(f"more than {self._looks.most_cells:,} cells")
        self._sheet.rows.setdefault(self._row, {})[self._column] = made

    def _made(self, cell: _Cell) -> GridCell | None:
        """What the cell holds, None for nothing. Equal cells are one, which a long sheet has many of."""
        if cell.formula is not None and not cell.has_value:
            return GridCell(f"={cell.formula}" if cell.formula else "", formula=cell.formula or _SHARED_FORMULA)
        key = cell.kind, cell.style, cell.value or cell.inline
        if key not in self._known:
            made = self._read(cell)
            self._known[key] = made if made.text.strip() or made.number is not None else None
        return self._known[key]

    def _read(self, cell: _Cell) -> GridCell:
        if cell.kind == "inlineStr" or not cell.value:
            return GridCell(cell.inline)
        if cell.kind == "s":
            return GridCell(self._looks.strings[int(cell.value)])
        if cell.kind == "b":
            return GridCell("TRUE" if cell.value == "1" else "FALSE")
        if cell.kind != "n":
            return GridCell(cell.value, is_date=cell.kind == "d")
        style = int(cell.style)
        code = self._looks.formats[style] if style < len(self._looks.formats) else "General"
        return number_cell(cell.value, code, self._looks.from_1904)


class StringsTarget:
    """A target that gives the texts which cells share, at most `most_chars` characters of them."""

    def __init__(self, most_chars: int) -> None:
        self._most_chars = self._left = most_chars
        self._texts: list[str] = []
        self._pieces: list[str] = []
        self._in_text = False
        self._skipped = 0

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        """An element begins."""
        name = tag.rpartition("}")[2]
        if name == "si":
            self._pieces = []
        elif name == "rPh":
            self._skipped += 1
        self._in_text = name == "t" and not self._skipped

    def data(self, data: str) -> None:
        """Words inside of an element."""
        if self._in_text:
            self._left -= len(data)
            if self._left < 0:
                raise SourceError(f"more than {self._most_chars:,} characters")
            self._pieces.append(data)

    def end(self, tag: str) -> None:
        """An element ends."""
        name = tag.rpartition("}")[2]
        self._in_text = False
        if name == "si":
            self._texts.append("".join(self._pieces))
        elif name == "rPh":
            self._skipped -= 1

    def close(self) -> list[str]:
        """The texts in order."""
        return self._texts


def _column(letters: str) -> int:
    count = 0
    for letter in letters.upper():
        count = count * 26 + ord(letter) - 64
    return count
