"""`kaozheng county coverage`: what there is of regions, indicators and years, and what is missing."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from kaozheng.cli import given
from kaozheng.cli.county_options import AsJson, Lang, Xlsx, Years, years_of
from kaozheng.cli.options import Language
from kaozheng.cli.speaking import counted, exit_codes, say_json
from kaozheng.cli.tables import print_tables, write_tables

if TYPE_CHECKING:
    from kaozheng.api.county_coverage import Covered
    from kaozheng.deliverables.table import Table

_MOST_GAPS = 20
_WHOLE = 100


class PartOfYear(StrEnum):
    """Rows of which kind of period are counted."""

    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"


def coverage(
    region: Annotated[
        list[str] | None,
        typer.Option("--region", parser=given.words, metavar="CODE|NAME", help="A region; by default all with rows."),
    ] = None,
    indicator: Annotated[
        list[str] | None,
        typer.Option("--indicator", parser=given.words, metavar="KEY|NAME", help="By default all with rows."),
    ] = None,
    years: Years = "",
    parts: Annotated[
        PartOfYear, typer.Option("--of", help="Rows of years, quarters or months. 年度、季度、月度。")
    ] = PartOfYear.YEAR,
    tickets: Annotated[bool, typer.Option("--tickets", help="Open a ticket for each gap. 开补数工单。")] = False,
    xlsx: Xlsx = None,
    lang: Lang = Language.ZH,
    as_json: AsJson = False,
) -> None:
    """What is there and what is missing, and whose it is to deliver. 数据覆盖矩阵。"""
    with exit_codes("stopped"):
        from kaozheng.api.county_coverage import Asked, county_coverage
        from kaozheng.indicators.period import PeriodKind

        asked = Asked(tuple(region or ()), tuple(indicator or ()), years_of(years), PeriodKind(parts.value))
        covered = county_coverage(asked, tickets)
        if xlsx:
            write_tables(_tables(covered, lang.value), xlsx, lang.value)
    if as_json:
        say_json(covered.as_dict())
        return
    _print(covered, lang.value)


def _tables(covered: Covered, language: str) -> list[Table]:
    from kaozheng.deliverables.coverage_tables import coverage_tables

    names = {code: region.name for code, region in covered.regions.items()}
    return coverage_tables(covered.matrix, names, covered.synthetic, language)


def _incomplete(table: Table, language: str) -> Table:
    """The rows that lack something; the others are counted."""
    rows = [row for row in table.rows if any(isinstance(value, Decimal) and value != _WHOLE for value in row)]
    complete = len(table.rows) - len(rows)
    said = f"另有 {complete} 行完整" if language == "zh" else f"{complete} more are complete"
    return replace(table, rows=rows, notes=(*table.notes, said) if complete else table.notes)


def _print(covered: Covered, language: str) -> None:
    by_region, by_indicator, gaps = _tables(covered, language)
    total = covered.matrix.total()
    typer.echo(f"{total.present} / {total.expected}")
    print_tables([_incomplete(by_region, language), _incomplete(by_indicator, language)], language)
    if gaps.rows:
        typer.echo("")
        print_tables([replace(gaps, rows=gaps.rows[:_MOST_GAPS])], language)
        if len(gaps.rows) > _MOST_GAPS:
            typer.echo(f"  and {len(gaps.rows) - _MOST_GAPS} more: --json and --xlsx have all")
    if covered.opened is not None:
        typer.echo(f"{counted(len(covered.opened), 'ticket')} opened: kaozheng county tickets --open")
