"""`kaozheng keys`: who may come in by `kaozheng serve`."""

from __future__ import annotations

from typing import Annotated

import typer

from kaozheng.cli import given
from kaozheng.cli.speaking import exit_codes, say_json

app = typer.Typer(help="Keys for kaozheng serve: add, list, remove. 访问密钥。", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Name = Annotated[
    str, typer.Argument(parser=given.words, metavar="NAME", help="Whose key it is: a-z, 0-9 and -, 24 at most.")
]


@app.command("add")
def add(
    name: Name,
    admin: Annotated[bool, typer.Option("--admin", help="It works on the bases of the command line too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a key and print it: the only time that it is shown. Sessions and bases made with it belong to its name."""
    with exit_codes():
        from kaozheng.api.keys import add_key

        made = add_key(name, admin)
    if as_json:
        say_json({"name": made.key.name, "admin": made.key.admin, "created_at": made.key.created_at, "key": made.token})
        return
    typer.echo(made.token)
    typer.echo("keep it: it is not shown again. In requests: Authorization: Bearer KEY", err=True)


@app.command("list")
def list_all(as_json: AsJson = False) -> None:
    """All keys by name."""
    with exit_codes():
        from kaozheng.api.keys import list_keys

        known = list_keys()
    if as_json:
        say_json([{"name": one.name, "admin": one.admin, "created_at": one.created_at} for one in known])
        return
    for one in known:
        typer.echo(f"{one.name:<24}  {one.created_at[:19]}{'  admin' if one.admin else ''}")
    if not known:
        typer.echo("no keys yet: kaozheng keys add NAME")


@app.command("remove")
def remove(name: Name) -> None:
    """Let a key in no more, at once. Its sessions and bases stay, for a key of the same name."""
    with exit_codes():
        from kaozheng.api.keys import list_keys, remove_key

        remove_key(name)
        last = not list_keys()
    typer.echo(f"{name} is removed")
    if last:
        typer.echo(
            "that was the last key: a server that was started without one is open to this machine again", err=True
        )
