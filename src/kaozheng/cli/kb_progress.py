"""Live progress of an ingest on stderr: a line a document that changed; on a terminal how far it is below them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from kaozheng.cli.kb_summary import told
from kaozheng.cli.speaking import counted

if TYPE_CHECKING:
    from kaozheng.workflows.ingest.report import OnProgress, Progress


@contextmanager
def kb_progress(quiet: bool) -> Iterator[OnProgress | None]:
    """What to hand to the API as `on_progress`."""
    if quiet:
        yield None
        return
    if not sys.stderr.isatty():
        yield _plain
        return
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("…") as status:

        def show(progress: Progress) -> None:
            if progress.latest and (line := told(progress.latest)):
                console.print(line, markup=False, highlight=False)
            status.update(far(progress))

        yield show


def far(progress: Progress) -> str:
    """`12/100 documents, 340 chunks, about 2 min left`."""
    left = "" if progress.seconds_left is None else f", about {_rough(progress.seconds_left)} left"
    embedded = f", {counted(progress.embedded, 'text')} embedded" if progress.embedded else ""
    return f"{progress.done}/{progress.of} documents, {counted(progress.chunks, 'chunk')}{embedded}{left}"


def _plain(progress: Progress) -> None:
    if progress.latest and (line := told(progress.latest)):
        typer.echo(line, err=True)


def _rough(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
