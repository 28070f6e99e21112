"""`kaozheng runs`: earlier runs, going on with one, and beginning anew in the middle of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kaozheng.cli import given
from kaozheng.cli.ending import end
from kaozheng.cli.progress import progress
from kaozheng.cli.speaking import exit_codes, say_json

if TYPE_CHECKING:
    from kaozheng.runs.history import Checkpoint

app = typer.Typer(help="List, show, resume and fork runs. 运行记录。", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, no progress.")]
RunId = Annotated[str, typer.Argument(parser=given.words, metavar="RUN", help="Its id, as `runs list` prints it.")]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", parser=given.path, metavar="FILE", help="Also write the document here."),
]


@app.command("list")
def list_runs(
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 20, as_json: AsJson = False
) -> None:
    """The newest runs first."""
    with exit_codes():
        from kaozheng import api

        records = api.list_runs(limit)
    if as_json:
        say_json([asdict(one) for one in records])
        return
    for one in records:
        columns = [one.id, f"{one.status:<8} {one.updated_at[:19]}", one.topic[:40]]
        typer.echo("  ".join([*columns, one.error[:60]] if one.error else columns))
    if not records:
        typer.echo("no runs yet: kaozheng write --notes FOLDER")


@app.command("show")
def show(run: RunId, as_json: AsJson = False) -> None:
    """One run: where it stands, its steps, its files."""
    with exit_codes():
        from kaozheng import api

        view = api.show_run(run)
    record = view.record
    if as_json:
        artifacts = {name: [asdict(one) for one in versions] for name, versions in view.artifacts.items()}
        events = [asdict(event) for event in view.events]
        say_json({**asdict(record), "steps": view.steps, "artifacts": artifacts, "events": events})
        return
    typer.echo(f"{record.id}  {record.status}  {record.workflow}  resumed {record.resumes} times")
    typer.echo(f"folder  {record.folder}")
    if origin := record.request.get("forked_from"):
        typer.echo(f"forked  from {origin['run']} at {origin['checkpoint']}")
    if record.error:
        typer.echo(f"error   {record.error}")
    for step, times in view.steps.items():
        typer.echo(f"  {step}{f' x{times}' if times > 1 else ''}")
    width = max(map(len, view.artifacts), default=0)
    for name, versions in view.artifacts.items():
        count = f"{len(versions)} version{'s' if len(versions) > 1 else ''}"
        typer.echo(f"  {name:<{width}}  {count:<11}  {versions[-1].step}".rstrip())
    if record.usage:
        typer.echo(f"usage   {record.usage}")


@app.command("resume")
def resume(
    run: RunId,
    output: Output = None,
    max_tokens: Annotated[int | None, typer.Option(help="A new limit of tokens for the whole run.", min=1)] = None,
    max_calls: Annotated[int | None, typer.Option(help="A new limit of calls for the whole run.", min=1)] = None,
    max_seconds: Annotated[float | None, typer.Option(help="A new limit of seconds from now on.", min=0.1)] = None,
    max_money: Annotated[
        float | None, typer.Option(metavar="DOLLARS", help="A new limit of money for the whole run.", min=0.0001)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Go on at the very step where the run stopped; a finished run tries again what its model did not write."""
    with exit_codes():
        from kaozheng import api

        if output:
            api.check_output(output)
        with progress(quiet=as_json) as on_event:
            result = api.resume(
                run,
                on_event,
                max_tokens=max_tokens,
                max_calls=max_calls,
                max_seconds=max_seconds,
                max_money=max_money,
            )
        end(result, output, as_json)


@app.command("checkpoints")
def checkpoints(run: RunId, as_json: AsJson = False) -> None:
    """Where a run stood, newest first: id, time, the steps done, the steps to come, and what had changed."""
    with exit_codes():
        from kaozheng import api

        known = api.checkpoints(run)
    if as_json:
        say_json([_as_dict(one) for one in known])
        return
    for one in known:
        way = f"after {_steps(one.after)}, next {_steps(one.next) or 'the end'}"
        typer.echo("  ".join([one.short, one.at[:19], way, *_changed(one)]))
    if not known:
        typer.echo(f"no checkpoints: {run} ended before its first step")


@app.command("fork")
def fork(
    run: RunId,
    checkpoint: Annotated[
        str, typer.Argument(parser=given.words, metavar="CHECKPOINT", help="Its id, as `runs checkpoints` prints it.")
    ],
    output: Output = None,
    as_json: AsJson = False,
) -> None:
    """Begin a new run at a checkpoint of another one and go on to the end; the other run stays as it is."""
    with exit_codes():
        from kaozheng import api

        if output:
            api.check_output(output)
        with progress(quiet=as_json) as on_event:
            result = api.fork(run, checkpoint, on_event)
        end(result, output, as_json)


def _steps(names: Sequence[str]) -> str:
    return ", ".join(f"{name} x{times}" if times > 1 else name for name, times in Counter(names).items())


def _changed(one: Checkpoint) -> list[str]:
    """What people look for: blocks summarised, new sections, a new draft, how far the review is, repairs made."""
    values = one.values
    parts = ["draft changed"] if "current_draft" in one.changed else []
    if "summaries" in one.changed and (done := len(values["summaries"])):
        parts.append(f"level {values['level']}: blocks {done}/{values['block_count']}")
    if "sections" in one.changed and (count := values.get("section_count")):
        parts.append(f"sections {_written(values)}/{count}")
    if modules := values.get("review_pipeline"):
        parts.append(f"review {values.get('current_review_index', 0)}/{len(modules)}")
    if repairs := values.get("iteration_counts"):
        parts.append("repairs " + ", ".join(f"{module} {times}" for module, times in repairs.items()))
    return parts


def _written(values: Any) -> int:
    return sum(section["status"] == "written" for section in values.get("sections", {}).values())


def _as_dict(one: Checkpoint) -> dict[str, Any]:
    values = one.values
    return {
        "id": one.id,
        "short": one.short,
        "at": one.at,
        "after": one.after,
        "next": one.next,
        "changed": one.changed,
        "sections": _written(values),
        "review_index": values.get("current_review_index"),
        "iteration_counts": values.get("iteration_counts", {}),
    }
