"""`kaozheng summarize`: a summary of anything long, or how large it would be."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from kaozheng.cli import given
from kaozheng.cli.ending import end
from kaozheng.cli.options import CitationStyle, Language, MaxCalls, MaxMoney, MaxSeconds, MaxTokens, Sensitivity
from kaozheng.cli.progress import progress
from kaozheng.cli.speaking import exit_codes, say_json
from kaozheng.errors import InputError


def summarize(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|FOLDER|-", help="A file (text, Word, PDF …) or a folder of them; - is standard input."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", parser=given.path, metavar="FILE", help="Also write the summary here."),
    ] = None,
    sections: Annotated[
        int | None, typer.Option("--sections", help="How many sections, 1 to 40; by default the planner decides.")
    ] = None,
    ratio: Annotated[
        float | None,
        typer.Option(
            "--ratio",
            metavar="SHARE",
            help="The summary's share of the text, as 0.1; by default it follows from the length.",
        ),
    ] = None,
    focus: Annotated[
        str, typer.Option("--focus", parser=given.words, metavar="TEXT", help="What you want to know above all.")
    ] = "",
    lang: Annotated[
        Language | None, typer.Option("--lang", help="Language of prompts and report; by default that of the text.")
    ] = None,
    plan_only: Annotated[
        bool, typer.Option("--plan-only", help="Print sizes, calls and tokens of all stages; ask and write nothing.")
    ] = False,
    model: Annotated[str | None, typer.Option("--model", help='Who summarises: PROVIDER:NAME; "" for offline.')] = None,
    citations: Annotated[
        CitationStyle, typer.Option("--citations", help="Footnotes with the place of each sentence, or none.")
    ] = CitationStyle.FOOTNOTE,
    sensitivity: Sensitivity = None,
    max_tokens: MaxTokens = None,
    max_calls: MaxCalls = None,
    max_seconds: MaxSeconds = None,
    max_money: MaxMoney = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report (or plan) as JSON, no progress.")] = False,
) -> None:
    """Summarise a text of any length; every sentence leads back to its place. 长文摘要，句句可溯源。"""
    with exit_codes():
        from kaozheng import api

        language = lang.value if lang else None
        sized: dict[str, Any] = {"ratio": ratio, "sections": sections, "language": language}
        if output:
            if plan_only:
                raise InputError("--plan-only makes no summary that -o could take: leave one of them out")
            api.check_output(output)
        text = given.standard_input("-") if source == "-" else given.path(source)
        given.not_in_place_of(output, text)
        if plan_only:
            _tell_plan(text, sized, max_calls, max_tokens, as_json)
            return
        with progress(quiet=as_json) as show:
            result = api.summarize(
                text,
                focus=focus,
                on_event=show,
                model=model,
                citations=citations.value,
                sensitivity=sensitivity.value if sensitivity else None,
                max_tokens=max_tokens,
                max_calls=max_calls,
                max_seconds=max_seconds,
                max_money=max_money,
                **sized,
            )
        end(result, output, as_json)


def _tell_plan(
    text: str | Path, sized: dict[str, Any], max_calls: int | None, max_tokens: int | None, as_json: bool
) -> None:
    from kaozheng import api

    language, sizes = api.planned_summary(text, **sized)
    if not as_json:
        for line in sizes.told(language, max_calls, max_tokens):
            typer.echo(line)
        return
    limited = max_calls is not None or max_tokens is not None
    reach = [asdict(one) for one in sizes.reach(max_calls, max_tokens)] if limited else None
    say_json({"language": language, **sizes.as_dict(), **({"reach": reach} if limited else {})})
