"""`kaozheng county check` and `render`: drafts through the gates, references to numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kaozheng.cli import given
from kaozheng.cli.county_options import AsJson, Lang
from kaozheng.cli.options import Language
from kaozheng.cli.speaking import counted, exit_codes, on_one_line, say_json
from kaozheng.cli.tables import synthetic_mark
from kaozheng.errors import InputError

if TYPE_CHECKING:
    from kaozheng.api.county_check import Checked, Rendered

_LIKE_A_FILE = re.compile(r"[^\s。，]+\.(?:md|markdown|txt|text|docx|pdf|html?)", re.IGNORECASE)
_ACTIONS = {
    "note": {"zh": "提示", "en": "note"},
    "send_back": {"zh": "打回：改写，或标〔待核〕", "en": "send back: write it again, or mark it 〔待核〕"},
    "rewrite": {"zh": "已改写", "en": "rewritten"},
    "block": {"zh": "阻断：删除后重审", "en": "block: take it out and check again"},
    "ask": {"zh": "须人工复核", "en": "a person must look"},
}

_STATUS = {
    "succeeded": {"zh": "六道门禁全部通过", "en": "all six gates are passed"},
    "needs_human_review": {"zh": "须人工复核", "en": "a person must look at it"},
    "send_back": {"zh": "打回修改", "en": "to be mended"},
    "blocked": {"zh": "阻断", "en": "blocked"},
}

Given = Annotated[
    Any,
    typer.Argument(
        parser=lambda text: _given(text), metavar="TEXT|FILE|-", help="A text, a file (md, txt, docx), or -."
    ),
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", parser=given.path, metavar="FILE", help="Where the text goes.")
]


def check(
    draft: Given,
    region: Annotated[
        str, typer.Option("--region", parser=given.words, metavar="CODE|NAME", help="What it is about. 报告地区。")
    ] = "",
    period: Annotated[
        str, typer.Option("--period", parser=given.words, metavar="PERIOD", help="The period of the report. 报告期。")
    ] = "",
    report_type: Annotated[
        str, typer.Option("--type", parser=given.words, metavar="TYPE", help="Whose sections it must have. 报告类型。")
    ] = "",
    public: Annotated[bool, typer.Option("--public", help="It is to be published: a person is asked.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Write the text as the gates rewrote it; needs -o.")] = False,
    output: Output = None,
    lang: Lang = Language.ZH,
    as_json: AsJson = False,
) -> None:
    """Hold a draft against the data: six gates, each finding with its place, its reason and what to do. References
    become numbers first. Exit code 1 when something must be done. 六道门禁。"""
    with exit_codes("stopped"):
        from kaozheng.api import check_output, save
        from kaozheng.api.county_check import Draft, check_draft

        if fix is not bool(output):
            raise InputError("--fix and -o FILE belong together: the text as the gates rewrote it goes there")
        given.not_in_place_of(output, draft)
        if output:
            check_output(output)
        checked = check_draft(Draft(draft, region, period, report_type, public, lang.value))
        if output:
            save(checked.releasable_text(), output)
    if as_json:
        say_json(checked.as_dict())
    else:
        for line in _lines(checked, lang.value):
            typer.echo(line)
    raise typer.Exit(checked.exit_code)


def render(text: Given, output: Output = None, lang: Lang = Language.ZH, as_json: AsJson = False) -> None:
    """Put numbers where a text refers to rows: {{m:gdp.511083.2024|亿元|1}}. Exit code 1 when one is missing. 取数。"""
    with exit_codes("stopped"):
        from kaozheng.api import check_output, save
        from kaozheng.api.county_check import render_references

        given.not_in_place_of(output, text)
        if output:
            check_output(output)
        rendered = render_references(text, lang.value)
        if output:
            save(rendered.rendering.text, output)
    if as_json:
        say_json(rendered.as_dict())
    else:
        if rendered.synthetic:
            typer.echo(synthetic_mark(lang.value), err=True)
        if not output:
            typer.echo(rendered.rendering.text, nl=not rendered.rendering.text.endswith("\n"))
        for line in _remarks(rendered, lang.value):
            typer.echo(line, err=True)
    raise typer.Exit(rendered.exit_code)


def _given(text: str) -> str | Path:
    """A file where there is one, or where the words can only be the name of one; else a text."""
    if text == "-":
        return given.standard_input("-")
    words = given.words(text)
    if not words.strip():
        raise InputError("there is nothing to check: give a text, a file, or - for standard input")
    if _LIKE_A_FILE.fullmatch(words) or ("\n" not in words and len(words) < 200 and Path(words).exists()):
        return given.path(words)
    return words


def _lines(checked: Checked, language: str) -> Iterator[str]:
    passage = checked.passage
    if checked.synthetic:
        yield synthetic_mark(language)
    for remark in checked.remarks:
        yield f"{checked.path}: {on_one_line(remark.reason.said(language))} [{remark.code.value}]"
    for finding in passage.findings:
        line, column = _place(passage.original, passage.origin(finding).start)
        quote = f"“{on_one_line(finding.quote)}” " if finding.quote else ""
        reason, action = finding.reason.said(language), _ACTIONS[finding.action.value][language]
        yield f"{checked.path}:{line}:{column}: {quote}{reason} [{int(finding.gate)} {finding.code}] {action}"
        if finding.replacement is not None:
            yield f"    -> {on_one_line(finding.replacement)}"
    yield f"{checked.path}: {counted(len(passage.findings), 'finding')}; {_STATUS[passage.status.value][language]}"


def _remarks(rendered: Rendered, language: str) -> Iterator[str]:
    for remark in rendered.rendering.remarks:
        line, column = _place(rendered.original, remark.span.start)
        yield f"{rendered.path}:{line}:{column}: {remark.reason.said(language)} [{remark.code.value}]"


def _place(text: str, at: int) -> tuple[int, int]:
    """Line and column of a character, both from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
