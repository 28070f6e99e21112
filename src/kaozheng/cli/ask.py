"""`kaozheng ask`: one question to the knowledge bases."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from kaozheng.cli import given
from kaozheng.cli.kb import Bases, Domain, Level, Period, Type
from kaozheng.cli.options import Language, SensitivityLevel
from kaozheng.cli.screen import Screen, exit_code
from kaozheng.cli.speaking import exit_codes, say_json
from kaozheng.errors import InputError

Session = Annotated[
    str, typer.Option("--session", parser=given.words, metavar="ID", help="Go on with this conversation. 会话。")
]
Article = Annotated[
    Path | None,
    typer.Option("--article", parser=given.path, metavar="FILE", help="The text that you have open. 当前文章。"),
]
Model = Annotated[str | None, typer.Option("--model", help='Who answers: PROVIDER:NAME; "" for offline.')]
Lang = Annotated[Language | None, typer.Option("--lang", help="Language of the answer; by default the question's.")]
Strict = Annotated[bool, typer.Option("--strict", help="Drop sentences that nothing supports.")]
Sensitive = Annotated[
    SensitivityLevel | None,
    typer.Option("--sensitivity", help="How far texts may go; secret: private providers only, no words in logs."),
]


def ask(
    question: Annotated[
        str, typer.Argument(parser=given.words, metavar="QUESTION", help="The question; - is standard input.")
    ],
    kb: Bases = None,
    session: Session = "",
    new: Annotated[bool, typer.Option("--new", help="Begin a new conversation. 新会话。")] = False,
    article: Article = None,
    model: Model = None,
    lang: Lang = None,
    strict: Strict = False,
    domain: Domain = None,
    data_type: Type = None,
    data_period: Period = None,
    level: Level = None,
    sensitivity: Sensitive = None,
    max_tokens: Annotated[int | None, typer.Option(help="At most so many tokens.", min=1)] = None,
    max_calls: Annotated[int | None, typer.Option(help="At most so many calls of the model.", min=1)] = None,
    max_seconds: Annotated[float | None, typer.Option(help="At most so many seconds.", min=0.1)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON when it is there.")] = False,
) -> None:
    """Ask the knowledge bases; each sentence of the answer leads to its place. 提问，逐句给出处。"""
    with exit_codes("stopped"):
        from kaozheng import api

        labels = {"domain": domain, "data_type": data_type, "data_period": data_period, "level": level}
        options: dict[str, Any] = {
            **{name: [value] for name, value in labels.items() if value},
            **{"max_tokens": max_tokens, "max_calls": max_calls, "max_seconds": max_seconds},
            "language": lang.value if lang else None,
            "sensitivity": sensitivity.value if sensitivity else None,
        }
        screen = Screen(language=lang.value if lang else "")
        try:
            result = api.ask(
                _words(question),
                kb=tuple(kb or ()),
                session=session,
                article=article,
                on_event=None if as_json else screen,
                model=model,
                strict=strict,
                new_session=new,
                **options,
            )
        finally:
            screen.close()
    if as_json:
        say_json(result.as_dict())
    else:
        screen.finish(result)
    raise typer.Exit(exit_code(result))


def _words(question: str) -> str:
    if question != "-":
        return question
    if sys.stdin is None:
        raise InputError("ask -: standard input is closed")
    return sys.stdin.read()
