"""`kaozheng write`: a document from a text, notes or a code base."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kaozheng.cli import given
from kaozheng.cli.ending import end
from kaozheng.cli.options import CitationStyle, Language, MaxCalls, MaxMoney, MaxSeconds, MaxTokens, Sensitivity
from kaozheng.cli.progress import progress
from kaozheng.cli.speaking import exit_codes
from kaozheng.errors import InputError


def write(
    text: Annotated[str | None, typer.Option("--text", metavar="FILE", help="A text; - is standard input.")] = None,
    notes: Annotated[
        Path | None,
        typer.Option(
            "--notes", parser=given.path, metavar="PATH", help="A note (text, Word, Excel, PDF …), or a folder of them."
        ),
    ] = None,
    code: Annotated[
        Path | None, typer.Option("--code", parser=given.path, metavar="PATH", help="The folder of a code base.")
    ] = None,
    topic: Annotated[
        str, typer.Option("--topic", parser=given.words, metavar="TEXT", help="Title of the document.")
    ] = "",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", parser=given.path, metavar="FILE", help="Also write the document here."),
    ] = None,
    rules: Annotated[str | None, typer.Option("--rules", help="Rule book: zh-tech, en-tech or a file.")] = None,
    model: Annotated[str | None, typer.Option("--model", help='Who writes: PROVIDER:NAME; "" for offline.')] = None,
    citations: Annotated[
        CitationStyle, typer.Option("--citations", help="Footnotes with the evidence of each statement, or none.")
    ] = CitationStyle.FOOTNOTE,
    lang: Annotated[Language | None, typer.Option("--lang", help="Language; by default that of the input.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Drop sentences that nothing supports.")] = False,
    sensitivity: Sensitivity = None,
    max_tokens: MaxTokens = None,
    max_calls: MaxCalls = None,
    max_seconds: MaxSeconds = None,
    max_money: MaxMoney = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON, no progress.")] = False,
) -> None:
    """Write a document, review it module by module and heal it. 撰写、逐模块审查并自愈。"""
    with exit_codes():
        from kaozheng import api

        if sum(one is not None for one in (text, notes, code)) != 1:
            raise InputError("give exactly one of --text, --notes and --code")
        if output:
            api.check_output(output)
            for source in (notes, code, given.path(text) if text not in (None, "-") else None):
                given.not_in_place_of(output, source)
        with progress(quiet=as_json) as show:
            result = api.write(
                text=_text(text),
                notes=notes,
                code=code,
                topic=topic,
                on_event=show,
                rules=rules,
                model=model,
                citations=citations.value,
                language=lang.value if lang else None,
                strict=strict,
                sensitivity=sensitivity.value if sensitivity else None,
                max_tokens=max_tokens,
                max_calls=max_calls,
                max_seconds=max_seconds,
                max_money=max_money,
            )
        end(result, output, as_json)


def _text(text: str | None) -> str | Path | None:
    if text is None:
        return None
    return given.standard_input("--text -") if text == "-" else given.path(text)
