"""`kaozheng runs`: earlier runs, and going on with one."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from kaozheng.cli.progress import progress
from kaozheng.cli.speaking import exit_codes, say_json
from kaozheng.cli.write import report

app = typer.Typer(help="List, show and resume runs. 运行记录。", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json")]


@app.command("list")
def list_runs(limit: Annotated[int, typer.Option(min=1)] = 20, as_json: AsJson = False) -> None:
    """The newest runs first."""
    with exit_codes():
        from kaozheng import api

        records = api.runs(limit)
    if as_json:
        say_json([asdict(one) for one in records])
        return
    for one in records:
        columns = [one.id, f"{one.status:<8} {one.updated_at[:19]}", one.topic[:40]]
        typer.echo("  ".join([*columns, one.error[:60]] if one.error else columns))
    if not records:
        typer.echo("no runs yet: kaozheng write --notes FOLDER")


@app.command("show")
def show(run: str, as_json: AsJson = False) -> None:
    """One run: where it stands, its steps, its files."""
    with exit_codes():
        from kaozheng import api

        view = api.run(run)
    record = view.record
    if as_json:
        say_json({**asdict(record), "steps": view.steps, "events": [asdict(event) for event in view.events]})
        return
    typer.echo(f"{record.id}  {record.status}  {record.workflow}  resumed {record.resumes} times")
    typer.echo(f"folder  {record.folder}")
    if record.error:
        typer.echo(f"error   {record.error}")
    for step, times in view.steps.items():
        typer.echo(f"  {step}{f' x{times}' if times > 1 else ''}")
    if record.usage:
        typer.echo(f"usage   {record.usage}")


@app.command("resume")
def resume(
    run: str,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Also write the document here.")] = None,
    as_json: AsJson = False,
) -> None:
    """Go on at the very step where the run stopped; a finished run with gaps sends them out again."""
    with exit_codes():
        from kaozheng import api

        with progress(quiet=as_json) as on_event:
            result = api.resume(run, on_event)
        report(result, output, as_json)
