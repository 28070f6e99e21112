"""All commands in one list. Their work is imported when they are called: the help page must not pay for LangGraph."""

from __future__ import annotations

import typer

from kaozheng.cli import (
    ask,
    chat,
    county,
    doctor,
    graph,
    kb,
    keys,
    review,
    rules,
    runs,
    serve,
    sessions,
    summarize,
    write,
)

app = typer.Typer(
    name="kaozheng",
    help="Documents that lead back to their evidence: models write, code decides what may leave. "
    "考证：有据可查的文档。",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("write")(write.write)
app.command("summarize")(summarize.summarize)
app.command("review")(review.review)
app.command("ask")(ask.ask)
app.command("chat")(chat.chat)
app.command("graph")(graph.graph)
app.command("doctor")(doctor.doctor)
app.command("serve")(serve.serve)
app.add_typer(rules.app, name="rules")
app.add_typer(runs.app, name="runs")
app.add_typer(kb.app, name="kb")
app.add_typer(county.app, name="county")
app.add_typer(sessions.app, name="sessions")
app.add_typer(keys.app, name="keys")


@app.callback()
def root(version: bool = typer.Option(False, "--version", help="Print the version.", is_eager=True)) -> None:
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"kaozheng {installed('kaozheng')}")
        raise typer.Exit


app.info.invoke_without_command = True
