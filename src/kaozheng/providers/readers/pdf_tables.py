"""Tables that a PDF page rules with lines: their cells are known for sure. What is not ruled stays rows of lines."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from kaozheng.providers.readers.markdown_marks import cell, table
from kaozheng.providers.readers.pdf_lines import paragraphs_of
from kaozheng.providers.readers.pdf_words import Line, Word, in_lines

_NEAR: Final = 2.5  # points: lines that far apart are one, and ends that far from a line touch it
_THIN: Final = 4.0
_STROKE: Final = 8.0
_MOST_PATHS: Final = 4_000  # a page with more is a drawing
_MOST_RULES: Final = 800
_MOST_CELLS: Final = 3_000
_COVERED: Final = 0.9  # of a cell's side: less is no border
_LEAST_SIDE: Final = 4.0


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line of a page: at `at`, from `start` to `end`; upright ones are at an x."""

    upright: bool
    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Grid:
    """A ruled table: its columns' borders from left to right, its rows' from top to bottom, and for each cell the
    number of the field that it belongs to (cells that were merged share one)."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    fields: tuple[tuple[int, ...], ...]

    def cell_of(self, word: Word) -> tuple[int, int] | None:
        """(row, column) of the cell that the middle of the word stands in."""
        x, y = (word.left + word.right) / 2, word.base + 0.3 * word.size
        row = next((at for at, (top, low) in enumerate(pairwise(self.ys)) if low <= y < top), None)
        column = next((at for at, (left, right) in enumerate(pairwise(self.xs)) if left <= x < right), None)
        return None if row is None or column is None else (row, column)


def with_tables(page: Any, words: Sequence[Word], raw: Any) -> list[Line]:
    """The lines of a page, each ruled table one of them, where its first word stands in the file."""
    grids = [grid for grid in grids_of(rules_of(page, raw)) if _holds_its_words(grid, words)] if words else []
    lines: list[Line] = []
    run: list[Word] = []
    done: set[int] = set()
    for word in words:
        at = next((number for number, grid in enumerate(grids) if grid.cell_of(word)), None)
        if at is None:
            run.append(word)
            continue
        if at not in done:
            lines += in_lines(run)
            run = []
            lines.append(_table(grids[at], words))
            done.add(at)
    return [*lines, *in_lines(run)]


def rules_of(page: Any, raw: Any) -> list[Rule]:
    """The straight lines of a page: strokes, thin boxes, and the sides of boxes that are drawn; none of a drawing."""
    rules: list[Rule] = []
    for number, one in enumerate(page.get_objects(filter=(raw.FPDF_PAGEOBJ_PATH,), max_depth=1)):
        if number >= _MOST_PATHS:
            return []
        left, low, right, top = one.get_bounds()
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        raw.FPDFPath_GetDrawMode(one.raw, fill, stroke)
        segments = raw.FPDFPath_CountSegments(one.raw)
        thin = _STROKE if segments == 2 else _THIN  # PDFium's bounds of a stroke are twice as wide as it is
        if top - low <= thin < right - left:
            rules.append(Rule(False, (top + low) / 2, left, right))
        elif right - left <= thin < top - low:
            rules.append(Rule(True, (left + right) / 2, low, top))
        elif stroke.value and segments in (4, 5) and right - left > thin:
            rules += [Rule(False, at, left, right) for at in (low, top)]
            rules += [Rule(True, at, low, top) for at in (left, right)]
    return rules if len(rules) <= _MOST_RULES else []


def grids_of(rules: Sequence[Rule]) -> Iterator[Grid]:
    """The tables among lines that touch: at least two rows of at least two columns, all around closed."""
    for group in _touching(rules):
        xs = _merged(rule.at for rule in group if rule.upright)
        ys = _merged(rule.at for rule in group if not rule.upright)[::-1]
        some = len(xs) >= 3 and len(ys) >= 3 and len(xs) * len(ys) <= _MOST_CELLS
        if some and (fields := _fields(xs, ys, group)):
            yield Grid(tuple(xs), tuple(ys), fields)


def _touching(rules: Sequence[Rule]) -> Iterator[list[Rule]]:
    left = list(rules)
    while left:
        group = [left.pop()]
        for one in group:  # grows while it is gone through
            near = [other for other in left if _touch(one, other)]
            if near:
                group += near
                left = [other for other in left if other not in near]
        if len(group) >= 6:
            yield group


def _touch(one: Rule, two: Rule) -> bool:
    if one.upright == two.upright:
        along = one.start - _NEAR <= two.end and two.start - _NEAR <= one.end
        return along and abs(one.at - two.at) <= _NEAR
    return one.start - _NEAR <= two.at <= one.end + _NEAR and two.start - _NEAR <= one.at <= two.end + _NEAR


def _merged(places: Iterable[float]) -> list[float]:
    merged: list[float] = []
    for at in sorted(places):
        if not merged or at - merged[-1] > _LEAST_SIDE:
            merged.append(at)
    return merged


def _fields(xs: list[float], ys: list[float], rules: list[Rule]) -> tuple[tuple[int, ...], ...]:
    """The field of each cell; () where the table is not closed, or a field is no rectangle."""
    rows, columns = len(ys) - 1, len(xs) - 1
    if any(_goes_beyond(one, (ys[-1], ys[0]) if one.upright else (xs[0], xs[-1])) for one in rules):
        return ()  # its outer columns are open
    field = [[row * columns + column for column in range(columns)] for row in range(rows)]
    for row in range(rows):
        for edge in range(columns + 1):
            if _is_ruled(rules, True, xs[edge], ys[row + 1], ys[row]):
                continue
            if edge in (0, columns):
                return ()
            _join(field, field[row][edge - 1], field[row][edge])
    for column in range(columns):
        for edge in range(rows + 1):
            if _is_ruled(rules, False, ys[edge], xs[column], xs[column + 1]):
                continue
            if edge in (0, rows):
                return ()
            _join(field, field[edge - 1][column], field[edge][column])
    return tuple(map(tuple, field)) if _are_rectangles(field) else ()


def _goes_beyond(rule: Rule, ends: tuple[float, float]) -> bool:
    return rule.start < ends[0] - _LEAST_SIDE or rule.end > ends[1] + _LEAST_SIDE


def _join(field: list[list[int]], one: int, two: int) -> None:
    for row in field:
        row[:] = [one if number == two else number for number in row]


def _are_rectangles(field: list[list[int]]) -> bool:
    places: dict[int, list[tuple[int, int]]] = {}
    for row, numbers in enumerate(field):
        for column, number in enumerate(numbers):
            places.setdefault(number, []).append((row, column))
    spans = (
        [max(axis) - min(axis) + 1 for axis in zip(*cells, strict=True)] + [len(cells)] for cells in places.values()
    )
    return len(places) >= 4 and all(high * wide == count for high, wide, count in spans)


def _is_ruled(rules: Sequence[Rule], upright: bool, at: float, start: float, end: float) -> bool:
    near = [one for one in rules if one.upright == upright and abs(one.at - at) <= _LEAST_SIDE]
    covered, reached = 0.0, start
    for one in sorted(near, key=lambda one: one.start):
        begin, stop = max(one.start, reached), min(one.end, end)
        if stop > begin:
            covered += stop - begin
            reached = stop
    return covered >= _COVERED * (end - start)


def _holds_its_words(grid: Grid, words: Sequence[Word]) -> bool:
    """Whether no word goes over a border, and two rows at least have something in them."""
    rows = set()
    for word in words:
        place = grid.cell_of(word)
        if place is None:
            continue
        row, column = place
        over = word.left < grid.xs[column] - _NEAR or word.right > grid.xs[column + 1] + _NEAR
        beside = {grid.fields[row][at] for at in (max(column - 1, 0), min(column + 1, len(grid.xs) - 2))}
        if over and beside != {grid.fields[row][column]}:
            return False
        rows.add(row)
    return len(rows) >= 2


def _table(grid: Grid, words: Sequence[Word]) -> Line:
    """As Markdown; what stands in a merged field stands in each of its cells."""
    said: dict[int, list[Word]] = {}
    for word in words:
        if place := grid.cell_of(word):
            said.setdefault(grid.fields[place[0]][place[1]], []).append(word)
    texts = {field: _text(inside) for field, inside in said.items()}
    rows = [[texts.get(field, "") for field in row] for row in grid.fields]
    inside = [word for words in said.values() for word in words]
    first = max(inside, key=lambda word: word.base)
    made = table(rows)
    return Line(made, grid.xs[0], grid.xs[-1], first.base, grid.ys[-1], first.size, is_table=True)


def _text(words: Sequence[Word]) -> str:
    lines = [
        replace(one, text=one.text.replace(" | ", " "), is_row=False) if one.is_row else one for one in in_lines(words)
    ]
    return cell("\n".join(one.text for one in paragraphs_of(lines)))
