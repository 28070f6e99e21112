"""`kaozheng graph`: a workflow's picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kaozheng.cli import given
from kaozheng.cli.speaking import exit_codes


def graph(
    workflow: Annotated[str, typer.Argument(help="Which workflow: write, summarize, ask, retrieve.")],
    rules: Annotated[str | None, typer.Option("--rules", help="Rule book whose modules are drawn.")] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", parser=given.path, metavar="FILE", help="Draw a picture here (offline).")
    ] = None,
) -> None:
    """Print a workflow as Mermaid, or draw it. 工作流图。"""
    with exit_codes():
        from kaozheng import api

        if svg:
            api.check_output(svg)
            api.save(api.graph_svg(workflow, rules), svg)
            typer.echo(str(svg))
        else:
            typer.echo(api.graph_mermaid(workflow, rules))
