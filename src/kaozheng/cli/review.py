"""`kaozheng review`: check files, and mend them with `--fix`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kaozheng.cli import given
from kaozheng.cli.options import Language, SensitivityLevel
from kaozheng.cli.speaking import counted, exit_codes, say_json
from kaozheng.errors import EncodingError

if TYPE_CHECKING:
    from kaozheng.api import Reviewed


class Format(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"


def review(
    files: Annotated[list[Path], typer.Argument(parser=given.path, metavar="FILES...", help="Markdown files.")],
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended safely, in place.")] = False,
    unsafe: Annotated[bool, typer.Option("--unsafe-fixes", help="With --fix: unsafe fixes too.")] = False,
    rules: Annotated[str | None, typer.Option("--rules", help="Rule book: zh-tech, en-tech or a file.")] = None,
    model: Annotated[str | None, typer.Option("--model", help="Also judge the rules that no check covers.")] = None,
    lang: Annotated[Language | None, typer.Option("--lang", help="Language; by default that of each file.")] = None,
    sensitivity: Annotated[
        SensitivityLevel | None,
        typer.Option("--sensitivity", help="How far texts may go; secret: private providers only."),
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="How findings are printed.")] = Format.TEXT,
) -> None:
    """Check Markdown files by a rule book. Exit code 1 when something is left. 按规则手册审查。"""
    with exit_codes():
        from kaozheng import api

        language = lang.value if lang else None
        level = sensitivity.value if sensitivity else None
        chosen: dict[str, Any] = {"rules": rules, "model": model, "language": language, "sensitivity": level}
        reviewed = api.review(files, fix=fix, unsafe=unsafe, **chosen)
        left = [one for one in reviewed if one.fixed != one.text and not _saved(one)]
    if form is Format.JSON:
        say_json([_as_dict(one, one in left) for one in reviewed])
    else:
        for one in reviewed:
            _print(one, one in left)
    raise typer.Exit(1 if left or any(one.violations for one in reviewed) else 0)


def _saved(one: Reviewed) -> bool:
    """Put the mended text back; False, and the reason is said, when the file's encoding cannot hold it."""
    from kaozheng import api

    try:
        api.save_fixed(one)
    except EncodingError as error:
        typer.echo(f"kaozheng: {error}", err=True)
        return False
    return True


def _as_dict(one: Reviewed, left: bool) -> dict[str, Any]:
    violations = [violation.as_dict() for violation in one.violations]
    return {"path": one.path, "changed": one.fixed != one.text and not left, "violations": violations}


def _print(one: Reviewed, left: bool) -> None:
    lines = one.fixed.split("\n")
    for violation in one.violations:
        start = violation.lines.start
        column = violation.span.start - one.fixed.rfind("\n", 0, violation.span.start)
        typer.echo(f"{one.path}:{start}:{column}: {violation.rule} {violation.message} [{violation.check or 'judged'}]")
        excerpt = lines[start - 1]
        typer.echo(f"    {excerpt[:160]}{'…' if len(excerpt) > 160 else ''}")
    changed = ", fixed" if one.fixed != one.text and not left else ""
    typer.echo(f"{one.path}: {counted(len(one.violations), 'violation')}{changed}")
