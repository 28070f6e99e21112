"""`python -m bench` runs all measurements, `python -m bench sections startup` some of them.

`stores` (100,000 chunks in three stores) and `vectors` (three times as many vectors) take long and run only when named.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from importlib import import_module

from rich.console import Console
from rich.table import Table

NAMES = (
    *("startup", "sections", "steps", "healing", "restart", "offline", "seam", "faults"),
    *("index", "ingest", "embed", "abstention", "numbers", "answers", "serve", "summaries"),
)


def main(arguments: list[str]) -> None:
    chosen = ArgumentParser(prog="python -m bench")
    chosen.add_argument("names", nargs="*", default=NAMES)
    chosen.add_argument("--set", action="append", default=[], help="of the summaries: own or blind")
    given = chosen.parse_args(arguments)
    table = Table("measured", "ours", "against", "ratio", "bound", title="kaozheng bench")
    for name in given.names:
        for row in import_module(f"bench.{name}").measure(*(given.set if name == "summaries" else ())):
            table.add_row(row.what, row.ours, row.against, row.ratio, row.bound)
    Console(width=150).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
