"""`kaozheng sessions`: conversations that `ask` and `chat` keep."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from kaozheng.cli import given
from kaozheng.cli.speaking import counted, exit_codes, on_one_line, say_json

app = typer.Typer(help="Conversations of ask and chat: list, remove. 会话。", no_args_is_help=True)


@app.command("list")
def list_all(
    limit: Annotated[int, typer.Option("--limit", min=1, max=500, help="How many at most.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Your conversations, the one used last first. 列出会话。"""
    with exit_codes():
        from kaozheng.api.sessions import list_sessions

        known = list_sessions(limit)
    if as_json:
        kept = ("id", "title", "created_at", "updated_at", "turns")
        say_json([{name: value for name, value in asdict(one).items() if name in kept} for one in known])
        return
    for one in known:
        typer.echo(f"{one.id}  {one.updated_at[:19]}  {counted(one.turns, 'turn')}  {on_one_line(one.title)}")
    if not known:
        typer.echo("no conversations yet: kaozheng ask QUESTION")


@app.command("remove")
def remove(
    sessions: Annotated[list[str], typer.Argument(parser=given.words, metavar="ID...", help="As list shows them.")],
) -> None:
    """Leave nothing of these conversations: their turns, the passages they cite, their records. 删除会话。"""
    with exit_codes():
        from kaozheng.api.sessions import remove_session

        for one in sessions:
            remove_session(one)
            typer.echo(f"{one} is removed")
