"""Options and words that the commands of `kaozheng county` share."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Final

import typer

from kaozheng.cli import given
from kaozheng.cli.options import Language
from kaozheng.errors import InputError

Lang = Annotated[Language, typer.Option("--lang", help="Language of heads and reasons.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Xlsx = Annotated[
    Path | None, typer.Option("--xlsx", parser=given.path, metavar="FILE", help="Also write the tables as XLSX.")
]
Years = Annotated[
    str, typer.Option("--years", parser=given.words, metavar="YEAR|FROM-TO", help="Years of the rows. 年份。")
]
_YEARS: Final = re.compile(r"((?:19|20|21)\d\d)(?:\s*[-—–~～至到]\s*((?:19|20|21)\d\d))?", re.ASCII)


def years_of(text: str) -> tuple[int, int] | None:
    """The first and last year that were given, None for "". Raises InputError for what is no stretch of years."""
    if not text.strip():
        return None
    found = _YEARS.fullmatch(text.strip())
    if found is None:
        raise InputError(f"--years {text}: a year, or two as 2015-2024")
    first, last = int(found[1]), int(found[2] or found[1])
    if first > last:
        raise InputError(f"--years {text}: the first year is after the last one")
    return first, last
