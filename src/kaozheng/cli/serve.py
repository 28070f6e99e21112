"""`kaozheng serve`: the HTTP API."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from kaozheng.cli import given
from kaozheng.cli.speaking import exit_codes
from kaozheng.errors import MissingExtraError

_NEEDED = ("fastapi", "uvicorn", "python_multipart")


def serve(
    host: Annotated[
        str, typer.Option("--host", parser=given.words, metavar="HOST", help="Others than this machine need a key.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: the system chooses.")] = 8321,
) -> None:
    """Answer over HTTP: /v1/ask, /v1/chat/completions (as OpenAI's), /v1/kb, /v1/sessions. 提供 HTTP 服务。

    Ctrl-C lets running answers end, a second one does not. Keys: kaozheng keys add NAME.
    """
    with exit_codes("stopped"):
        if any(find_spec(name) is None for name in _NEEDED):
            raise MissingExtraError('serving is not installed: pip install "kaozheng[server]"')
        from kaozheng.settings import load_settings
        from kaozheng.web import opening

        opening.serve(load_settings(), host, port, _say)


def _say(address: str) -> None:
    typer.echo(f"serving at {address} (Ctrl-C ends)")
