"""Live progress of an ingest on stderr: a line a document that changed; on a terminal how far it is below them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from kaozheng.cli.kb_summary import told
from kaozheng.cli.progress import said
from kaozheng.cli.speaking import counted

if TYPE_CHECKING:
    from kaozheng.ports import Emit
    from kaozheng.workflows.ingest.report import OnProgress, Progress


@dataclass(frozen=True, slots=True)
class Watching:
    """What to hand to the API: as `on_progress`, and as `emit` for what the embedder has to say."""

    on_progress: OnProgress | None = None
    emit: Emit | None = None


@contextmanager
def kb_progress(quiet: bool) -> Iterator[Watching]:
    """Show how far an ingest is while the block runs."""
    if quiet:
        yield Watching()
        return
    if not sys.stderr.isatty():
        yield Watching(_plain, lambda kind, data: _line(said(kind, data)))
        return
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("…") as status:

        def line(text: str) -> None:
            if text:
                console.print(text, markup=False, highlight=False)

        def show(progress: Progress) -> None:
            line(told(progress.latest) if progress.latest else "")
            status.update(far(progress))

        def say(kind: str, data: dict[str, Any]) -> None:
            line(said(kind, data))

        yield Watching(show, say)


def far(progress: Progress) -> str:
    """`12/100 documents, 340 chunks, about 2 min left`."""
    left = "" if progress.seconds_left is None else f", about {_rough(progress.seconds_left)} left"
    embedded = f", {counted(progress.embedded, 'text')} embedded" if progress.embedded else ""
    return f"{progress.done}/{progress.of} documents, {counted(progress.chunks, 'chunk')}{embedded}{left}"


def _plain(progress: Progress) -> None:
    if progress.latest:
        _line(told(progress.latest))


def _line(text: str) -> None:
    if text:
        typer.echo(text, err=True)


def _rough(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
