"""`python -m bench` runs all measurements, `python -m bench sections startup` some of them.

`stores` (100,000 chunks in three stores) and `vectors` (three times as many vectors) take long and run only when named;
`long` is given the files that it reads: `python -m bench long FILE`.
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
    *("losses", "blocks", "indicators", "econometrics", "county_store", "grids"),
)
OF_SETS = ("summaries", "losses")


def main(arguments: list[str]) -> None:
    chosen = ArgumentParser(prog="python -m bench")
    chosen.add_argument("names", nargs="*", default=NAMES, help="measurements; behind `long` files")
    chosen.add_argument("--set", action="append", default=[], help="of the summaries and losses: own or blind")
    given = chosen.parse_args(arguments)
    table = Table("measured", "ours", "against", "ratio", "bound", title="kaozheng bench")
    names, files = list(given.names), []
    if "long" in names:
        at = names.index("long")
        names, files = names[: at + 1], names[at + 1 :]
    for name in names:
        asked = given.set if name in OF_SETS else files if name == "long" else ()
        for row in import_module(f"bench.{name}").measure(*asked):
            table.add_row(row.what, row.ours, row.against, row.ratio, row.bound)
    Console(width=150).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
