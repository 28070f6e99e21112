"""`kaozheng county`: data of counties in, what it says, and drafts held against it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kaozheng.cli import (
    county_check,
    county_coverage,
    county_import,
    county_indicators,
    county_model,
    county_quality,
    given,
)
from kaozheng.cli.county_options import AsJson, Lang
from kaozheng.cli.options import Language
from kaozheng.cli.speaking import counted, exit_codes, on_one_line, say_json
from kaozheng.cli.tables import synthetic_mark

if TYPE_CHECKING:
    from kaozheng.api.county import NamedRegion

app = typer.Typer(
    help="Data of counties: import, coverage, indicators, models, checks. 县域数据、指标、计量与门禁。",
    no_args_is_help=True,
)
app.command("import")(county_import.import_files)
app.command("coverage")(county_coverage.coverage)
app.command("quality")(county_quality.quality)
app.command("indicators")(county_indicators.indicators)
app.command("model")(county_model.model)
app.command("check")(county_check.check)
app.command("render")(county_check.render)


@app.command("tickets")
def tickets(
    region: Annotated[
        str, typer.Option("--region", parser=given.words, metavar="CODE|NAME", help="Of one region.")
    ] = "",
    open_only: Annotated[bool, typer.Option("--open", help="Only those that are open.")] = False,
    answer: Annotated[
        str, typer.Option("--answer", parser=given.words, metavar="KEY", help="Mark one answered. 已补数。")
    ] = "",
    withdraw: Annotated[
        str, typer.Option("--withdraw", parser=given.words, metavar="KEY", help="Take one back. 撤回。")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Which values departments are asked for; close those that are answered. 补数工单。"""
    with exit_codes("stopped"):
        from kaozheng.api.county_tickets import close_ticket, list_tickets

        for key, answered in ((answer, True), (withdraw, False)):
            if key:
                close_ticket(key, answered)
        found = list_tickets(region, open_only)
    if as_json:
        say_json([asdict(one) for one in found])
        return
    for one in found:
        typer.echo(f"{one.state.value:<9}  {one.key}  {on_one_line(one.department)}  {on_one_line(one.reason)}")
    if not found:
        typer.echo("no tickets: kaozheng county coverage --tickets opens one for each gap")


@app.command("regions")
def regions(
    name: Annotated[str, typer.Argument(parser=given.words, metavar="NAME|CODE", help="A name or code of a region.")],
    year: Annotated[int | None, typer.Option("--year", min=1980, max=2100, help="What it means in this year.")] = None,
    lang: Lang = Language.ZH,
    as_json: AsJson = False,
) -> None:
    """Which region a name or code means, and the codes that it has had. 查行政区划。"""
    with exit_codes("stopped"):
        from kaozheng.api import county

        found = county.regions(name, year)
    if as_json:
        say_json(asdict(found))
        return
    typer.echo(_region_line(found))
    if found.note:
        typer.echo(found.note.said(lang.value))


def _region_line(found: NamedRegion) -> str:
    codes = [code for code in found.codes if code != found.region.code]
    former = f"  (also {', '.join(codes)})" if codes else ""
    return f"{found.region.code}  {found.full_name}  {found.kind}  since {found.since}{former}"


@app.command("terms")
def terms(
    question: Annotated[str, typer.Argument(parser=given.words, metavar="WORDS", help="Words, or a question.")],
    as_json: AsJson = False,
) -> None:
    """Which tables and indicators hold the answer to words of the business. 业务术语查表。"""
    with exit_codes("stopped"):
        from kaozheng.api import county

        hits = county.terms(question)
    if as_json:
        say_json([asdict(hit) for hit in hits])
        return
    for hit in hits:
        typer.echo(f"{hit.term}  ->  {hit.holder}")
    if not hits:
        typer.echo("nothing known of these words")


@app.command("sources")
def sources(lang: Lang = Language.ZH, as_json: AsJson = False) -> None:
    """The sources that were imported. 已导入的来源。"""
    with exit_codes("stopped"):
        from kaozheng.api import county

        known = county.sources()
    if as_json:
        say_json([asdict(one) for one in known])
        return
    for one in known:
        mark = f"  [{synthetic_mark(lang.value)}]" if one.synthetic else ""
        typer.echo(f"{on_one_line(one.id)}  {on_one_line(one.title)}  {one.vintage}  {on_one_line(one.path)}{mark}")
    if not known:
        typer.echo("no source yet: kaozheng county import FILE")


@app.command("remove")
def remove(
    source: Annotated[str, typer.Argument(parser=given.words, metavar="SOURCE", help="Id of a source.")],
    as_json: AsJson = False,
) -> None:
    """Take a source out, with its rows and records. 移除来源。"""
    with exit_codes("stopped"):
        from kaozheng.api import county

        count = county.remove_source(source)
    if as_json:
        say_json({"source": source, "removed": count})
    else:
        typer.echo(f"{source}: {counted(count, 'row')} removed")


@app.command("demo")
def demo(
    folder: Annotated[Path, typer.Argument(parser=given.path, metavar="FOLDER", help="Where the files go.")],
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed makes other figures.")] = 1,
    lang: Lang = Language.ZH,
    as_json: AsJson = False,
) -> None:
    """Write made-up data of six counties and ten years, to try everything with. 生成演示数据。"""
    with exit_codes("stopped"):
        from kaozheng.api.county_demo import write_demo

        files = write_demo(folder, seed)
    if as_json:
        say_json({"synthetic": True, "files": [str(path) for path in files]})
        return
    typer.echo(synthetic_mark(lang.value))
    for path in files:
        typer.echo(str(path))
