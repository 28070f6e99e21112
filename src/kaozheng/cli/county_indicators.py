"""`kaozheng county indicators`: what the data says of one region."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kaozheng.cli import given
from kaozheng.cli.county_options import AsJson, Lang, Xlsx
from kaozheng.cli.options import Language
from kaozheng.cli.speaking import exit_codes, say_json
from kaozheng.cli.tables import print_tables, write_tables

if TYPE_CHECKING:
    from kaozheng.api.county_indicators import RegionReport
    from kaozheng.deliverables.table import Table


def indicators(
    region: Annotated[str, typer.Argument(parser=given.words, metavar="REGION", help="Name or code.")],
    period: Annotated[
        str,
        typer.Option("--period", parser=given.words, metavar="PERIOD", help="2024, 2024Q3, 2024-05; else the last."),
    ] = "",
    indicator: Annotated[
        list[str] | None,
        typer.Option("--indicator", parser=given.words, metavar="KEY|NAME", help="By default all with rows."),
    ] = None,
    xlsx: Xlsx = None,
    lang: Lang = Language.ZH,
    as_json: AsJson = False,
) -> None:
    """Values with their rows, growth, places, peers, warnings and the profile of one region. 一县指标。"""
    with exit_codes("stopped"):
        from kaozheng.api.county_indicators import region_report

        report = region_report(region, period, indicator or ())
        tables = _tables(report, lang.value)
        if xlsx:
            write_tables([*tables, _numbers(report, lang.value)], xlsx, lang.value)
    if as_json:
        say_json(report.as_dict())
    else:
        print_tables(tables, lang.value)


def _tables(report: RegionReport, language: str) -> list[Table]:
    from kaozheng.deliverables.region_tables import region_tables

    titles = {source.path: source.title for source in report.sources}
    return region_tables(report.figures, report.names, titles, report.synthetic, language)


def _numbers(report: RegionReport, language: str) -> Table:
    from kaozheng.deliverables.region_tables import region_numbers

    return region_numbers(report.figures, report.synthetic, language)
