"""`kaozheng county quality`: what does not fit in the data."""

from __future__ import annotations

from typing import Annotated

import typer

from kaozheng.cli import given
from kaozheng.cli.county_options import AsJson, Lang, Xlsx, Years, years_of
from kaozheng.cli.options import Language
from kaozheng.cli.speaking import counted, exit_codes, say_json
from kaozheng.cli.tables import print_tables, write_tables


def quality(
    region: Annotated[
        list[str] | None,
        typer.Option("--region", parser=given.words, metavar="CODE|NAME", help="A region; by default all with rows."),
    ] = None,
    years: Years = "",
    xlsx: Xlsx = None,
    lang: Lang = Language.ZH,
    as_json: AsJson = False,
) -> None:
    """What does not fit: parts and totals, units, prices, values since new year, contradictions. Exit code 1 when
    something does not fit. 数据一致性检查。"""
    with exit_codes("stopped"):
        from kaozheng.api.county_quality import county_quality
        from kaozheng.deliverables.quality_table import quality_table

        found = county_quality(tuple(region or ()), years_of(years))
        names = {code: one.name for code, one in found.regions.items()}
        table = quality_table(found.misfits, names, found.synthetic, lang.value)
        if xlsx:
            write_tables([table], xlsx, lang.value)
    if as_json:
        say_json(found.as_dict())
    else:
        print_tables([table], lang.value)
        typer.echo(f"{counted(found.rows, 'row')}, {counted(len(found.misfits), 'misfit')}")
    raise typer.Exit(found.exit_code)
