"""Tables in the terminal, and the same tables as XLSX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from kaozheng.cli.speaking import on_one_line

if TYPE_CHECKING:
    from kaozheng.deliverables.table import Column, Table, Value

_WIDEST = 44


def print_tables(tables: Sequence[Table], language: str) -> None:
    """Each with its title, a mark when it is synthetic, its rows and its notes; an empty one is left out."""
    for number, table in enumerate(one for one in tables if one.rows):
        for line in [""] * bool(number) + list(_lines(table, language)):
            typer.echo(line)


def write_tables(tables: Sequence[Table], path: Path, language: str) -> None:
    """The tables as an XLSX. Raises StorageError, InputError for what a sheet cannot hold."""
    from kaozheng.api import save_tables

    save_tables(tables, path, language)
    typer.echo(f"wrote {path}", err=True)


def synthetic_mark(language: str) -> str:
    """What stands above everything that was made up for a demonstration."""
    from kaozheng.county.table_source import SYNTHETIC

    return SYNTHETIC.said(language)


def _lines(table: Table, language: str) -> Iterator[str]:
    from kaozheng.deliverables.table import Kind

    yield f"{table.title}  [{synthetic_mark(language)}]" if table.synthetic else table.title
    heads = [f"{one.head}({one.unit})" if one.unit else one.head for one in table.columns]
    last = len(heads) - 1
    rows = [[_shown(value, table.columns[at], at == last) for at, value in enumerate(row)] for row in table.rows]
    widths = [max(map(_width, column)) for column in zip(heads, *rows, strict=True)]
    numbers = [one.kind is not Kind.TEXT for one in table.columns]
    for cells in (heads, *rows):
        placed = [_placed(cell, width, right) for cell, width, right in zip(cells, widths, numbers, strict=True)]
        yield "  " + "  ".join(placed).rstrip()
    if table.source:
        yield f"  {'来源：' if language == 'zh' else 'source: '}{on_one_line(table.source)}"
    yield from (f"  {note}" for note in table.notes)


def _shown(value: Value, column: Column, is_last: bool) -> str:
    """A long text is cut, but for that at the end of a line."""
    if value is None:
        return ""
    if isinstance(value, str):
        return on_one_line(value) if is_last else _cut(on_one_line(value))
    if isinstance(value, Decimal) and column.decimals is not None:
        value = value.quantize(Decimal(1).scaleb(-column.decimals), ROUND_HALF_UP)
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _cut(text: str) -> str:
    if _width(text) <= _WIDEST:
        return text
    while _width(text) >= _WIDEST:
        text = text[:-1]
    return f"{text}…"


def _placed(cell: str, width: int, right: bool) -> str:
    blanks = " " * (width - _width(cell))
    return blanks + cell if right else cell + blanks


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)
