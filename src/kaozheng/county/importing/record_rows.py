"""Records as they stand in a sheet or a YAML text: for each the cells by the heads of their columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from kaozheng.county.importing.label import read_label
from kaozheng.errors import InputError
from kaozheng.sources.grid import Grid, GridCell


@dataclass(frozen=True, slots=True)
class RecordCell:
    """What one cell or key says. `inner` is a list or map of YAML, `unit` what the head says of the unit."""

    text: str
    at: str
    unit: str = ""
    cell: GridCell | None = None
    inner: Any = None


@dataclass(frozen=True, slots=True)
class RecordRow:
    """One record: its place, and its cells by the plain names of the heads."""

    at: str
    cells: Mapping[str, RecordCell]
    is_hidden: bool = False


def rows_of_grid(grid: Grid) -> tuple[RecordRow, ...]:
    """The rows below the head, which is the first row that says more than one thing. Raises InputError without one."""
    rows: dict[int, dict[int, GridCell]] = {}
    for row, column in sorted(grid.cells):
        if grid.cells[row, column].text.strip():
            rows.setdefault(row, {})[column] = grid.cells[row, column]
    head = next((row for row, cells in rows.items() if len(cells) > 1), 0)
    if not head:
        raise InputError(f"{grid.name} has no head: its first row must name the columns")
    labels = {column: read_label(cell.text) for column, cell in rows[head].items()}
    return tuple(
        RecordRow(
            grid.address(row, min(cells)),
            {
                plain_head(labels[column].name or labels[column].text): RecordCell(
                    " ".join(cell.text.split()),
                    grid.address(row, column),
                    labels[column].units[0] if labels[column].units else "",
                    cell,
                )
                for column, cell in cells.items()
                if column in labels
            },
            row in grid.hidden_rows or grid.hidden,
        )
        for row, cells in rows.items()
        if row > head
    )


def rows_of_yaml(text: str, name: str) -> tuple[RecordRow, ...]:
    """The maps of a YAML list, placed as `policies.yaml[3].title`. Raises InputError for anything else."""
    try:
        tree = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise InputError(f"{name} is not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(tree, list) or not all(isinstance(entry, dict) for entry in tree):
        raise InputError(f"{name} must be a list of records, each with its keys")
    return tuple(
        RecordRow(
            f"{name}[{place}]",
            {
                plain_head(str(key)): RecordCell(
                    "" if value is None or isinstance(value, (list, dict)) else str(value),
                    f"{name}[{place}].{key}",
                    inner=value if isinstance(value, (list, dict)) else None,
                )
                for key, value in entry.items()
            },
        )
        for place, entry in enumerate(tree, 1)
    )


def plain_head(text: str) -> str:
    """The name of a column: case, blanks and lines under words play no part."""
    return "".join(text.split()).casefold().replace("_", "")
