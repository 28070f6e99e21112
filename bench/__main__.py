"""`python -m bench` runs all measurements, `python -m bench sections startup` some of them.

`stores` (100,000 chunks in three stores) and `vectors` (three times as many vectors) take long and run only when named.
"""

from __future__ import annotations

import sys
from importlib import import_module

from rich.console import Console
from rich.table import Table

NAMES = (
    *("startup", "sections", "steps", "healing", "restart", "offline", "seam", "faults"),
    *("index", "ingest", "embed", "abstention", "numbers", "answers", "serve"),
)


def main(names: list[str]) -> None:
    table = Table("measured", "ours", "against", "ratio", "bound", title="kaozheng bench")
    for name in names or NAMES:
        for row in import_module(f"bench.{name}").measure():
            table.add_row(row.what, row.ours, row.against, row.ratio, row.bound)
    Console(width=150).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
