"""How commands speak: errors in one line with their exit code, results as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from kaozheng.cli.streams import takes_every_character
from kaozheng.documents.characters import without_controls
from kaozheng.errors import KaozhengError

STOPPED = 3


@contextmanager
def exit_codes(stopped: str = "stopped; kaozheng runs list shows what can be resumed") -> Iterator[None]:
    """Turn an error into one line on stderr and its exit code; what was not foreseen keeps its traceback. `stopped` is
    said when Ctrl-C ended it."""
    try:
        yield
    except KaozhengError as error:
        typer.echo(f"kaozheng: {error}", err=True)
        raise typer.Exit(error.exit_code) from None
    except KeyboardInterrupt:
        typer.echo(f"kaozheng: {stopped}", err=True)
        raise typer.Exit(STOPPED) from None


def say_json(value: Any) -> None:
    """`value` as indented JSON on stdout, which stays JSON in any encoding."""
    typer.echo(json.dumps(value, ensure_ascii=not takes_every_character(), indent=2, default=str))


def on_one_line(text: str) -> str:
    """What a stranger wrote (a title, a heading, a reason), so that it neither steers the terminal nor passes for a
    line of ours."""
    return " ".join(without_controls(text).split())


def counted(number: int, noun: str) -> str:
    """`1 violation`, `2 violations`; of a noun whose plural ends in -s."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
