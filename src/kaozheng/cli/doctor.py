"""`kaozheng doctor`: what is configured and what is missing, without showing a secret."""

from __future__ import annotations

from typing import Annotated

import typer

from kaozheng.cli.speaking import exit_codes, say_json


def doctor(
    ping: Annotated[bool, typer.Option("--ping", help="Ask each configured model for one word and time it.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what is configured and what is missing. Exit code 1 when something chosen cannot work."""
    with exit_codes():
        from kaozheng import api

        findings = api.doctor(ping=ping)
    if as_json:
        say_json([{"what": one.what, "ok": one.ok, "says": one.says} for one in findings])
    else:
        for one in findings:
            typer.echo(f"{'ok     ' if one.ok else 'missing'} {one.what}: {one.says}")
    raise typer.Exit(0 if all(one.ok for one in findings) else 1)
