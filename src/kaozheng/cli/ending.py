"""How a command ends that made a run: the document is saved, the outcome printed, its exit code given."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from kaozheng.cli import summarized, summary
from kaozheng.cli.speaking import say_json
from kaozheng.errors import StorageError

if TYPE_CHECKING:
    from kaozheng.api import RunResult

_TOLD: Final[dict[str, Callable[[RunResult, Path | None], list[str]]]] = {
    "write": summary.summary,
    "summarize": summarized.summarized,
}


def end(result: RunResult, output: Path | None, as_json: bool) -> None:
    """Save, print and leave with the result's exit code."""
    from kaozheng import api

    if output:
        try:
            api.save_document(result, output)
        except StorageError as error:
            raise StorageError(f"{error}; the document is {result.path}") from error
    if as_json:
        say_json(_as_dict(result))
    else:
        for line in _TOLD[result.workflow](result, output):
            typer.echo(line)
    raise typer.Exit(result.exit_code)


def _as_dict(result: RunResult) -> dict[str, Any]:
    return {
        "run": result.run_id,
        "workflow": result.workflow,
        "folder": result.folder,
        "document": result.path,
        "exit_code": result.exit_code,
        "usage": result.usage,
        "report": result.report,
    }
