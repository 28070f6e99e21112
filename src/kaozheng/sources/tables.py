"""Tables of a document put together again from the chunks that an index keeps of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from kaozheng.sources.chunk import Chunk

_RULE = re.compile(r"[ \t|:-]*-[ \t|:-]*")
_PIPE = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the names of its columns, and its rows by the line that each stands on. `whole` is False where a row was
    cut in two, or has not as many cells as the head: then only the number of rows is sure."""

    head: tuple[str, ...]
    rows: dict[int, tuple[str, ...]]
    whole: bool

    @property
    def lines(self) -> tuple[int, int]:
        """Its first and last row's."""
        return min(self.rows), max(self.rows)


def tables_in(chunks: Iterable[Chunk]) -> list[Table]:
    """The Markdown tables of one document, in its order; rows on neighbouring lines are of one table."""
    lines: dict[int, str] = {}
    cut: set[int] = set()
    for chunk in chunks:
        for number, line in row_lines(chunk.text, chunk.lines.start):
            if lines.setdefault(number, line) != line:
                cut.add(number)
            # What goes on behind a long row's beginning is no row by itself.
            if not line.rstrip().endswith("|"):
                cut.add(number)
    return [table for run in _runs(lines) if (table := _table(run, lines, cut)) is not None]


def alike(tables: Iterable[Table]) -> list[Table]:
    """Tables with the same columns as one: what goes on over pages and sheets."""
    by_head: dict[tuple[str, ...], Table] = {}
    for table in tables:
        known = by_head.get(table.head)
        one = Table(table.head, {**known.rows, **table.rows}, known.whole and table.whole) if known else table
        by_head[table.head] = one
    return list(by_head.values())


def row_lines(text: str, first: int) -> Iterator[tuple[int, str]]:
    """The lines of a text that are rows of a table, each with its number; `first` is the number of the text's first."""
    for offset, line in enumerate(text.split("\n")):
        if line.lstrip().startswith("|"):
            yield first + offset, line


def _letters(line: str) -> str:
    return "".join(re.findall(r"\w", line)).casefold()


def _runs(lines: Iterable[int]) -> Iterator[list[int]]:
    run: list[int] = []
    for number in sorted(lines):
        if run and number != run[-1] + 1:
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def _table(run: list[int], lines: dict[int, str], cut: set[int]) -> Table | None:
    """None where there is no head, or nothing below it."""
    if len(run) < 3 or not _RULE.fullmatch(lines[run[1]]):
        return None
    head = cells_of(lines[run[0]])
    rows = {number: cells_of(lines[number]) for number in run[2:]}
    whole = not cut & set(run) and all(len(row) == len(head) for row in rows.values())
    return Table(head, rows, whole)


def is_head(line: str, texts: Iterable[str]) -> bool:
    """Whether a line is nothing but the names of the columns of a table in one of the texts: it says nothing of what
    stands in them."""
    said = _letters(line)
    if not said:
        return False
    for text in texts:
        lines = [row for _, row in row_lines(text, 0)]
        if any(is_rule(rule) and _letters(head) == said for head, rule in pairwise(lines)):
            return True
    return False


def is_rule(line: str) -> bool:
    """Whether a line is the rule between a table's head and its rows."""
    return "|" in line and bool(_RULE.fullmatch(line))


def cells_of(line: str) -> tuple[str, ...]:
    """The cells of a row, without the blanks around them."""
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return tuple(" ".join(cell.replace("\\|", "|").split()) for cell in _PIPE.split(inner))
