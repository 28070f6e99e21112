"""`kaozheng county import`: tables in, with every cell that was left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from kaozheng.cli import given
from kaozheng.cli.county_options import AsJson, Lang
from kaozheng.cli.options import Language
from kaozheng.cli.speaking import counted, exit_codes, on_one_line, say_json
from kaozheng.cli.tables import synthetic_mark
from kaozheng.errors import InputError

if TYPE_CHECKING:
    from kaozheng.api.county_import import FileImport
    from kaozheng.api.county_records import RecordImport
    from kaozheng.county.importing.finding import ImportFinding
    from kaozheng.county.importing.plan import Plan

_MOST_REFUSED = 50
_FIRST = 5


def import_files(
    files: Annotated[
        list[Path],
        typer.Argument(parser=given.path, metavar="FILE|FOLDER...", help="Tables (xlsx, xls, csv), lists (also yml)."),
    ],
    mapping: Annotated[
        Path | None,
        typer.Option(
            "--mapping",
            parser=given.path,
            metavar="FILE",
            help="What the cells mean (TOML); by default FILE.toml beside the table, else a guess.",
        ),
    ] = None,
    source: Annotated[str, typer.Option("--source", parser=given.words, metavar="ID", help="Id of the source.")] = "",
    title: Annotated[str, typer.Option("--title", parser=given.words, metavar="TEXT", help="Its title.")] = "",
    vintage: Annotated[
        str, typer.Option("--vintage", parser=given.words, metavar="DATE", help="When it was published: 2024, 2024-03.")
    ] = "",
    preview: Annotated[bool, typer.Option("--preview", help="Show what would be imported; change nothing.")] = False,
    save_mapping: Annotated[
        Path | None,
        typer.Option("--save-mapping", parser=given.path, metavar="FILE", help="Write the mapping, to be corrected."),
    ] = None,
    records: Annotated[
        str,
        typer.Option(
            "--records",
            parser=given.words,
            metavar="KIND",
            help="The files are lists of policies, enterprises, projects, constraints, "
            "chain-links, expert-rules, mechanisms, terms; by default their heads say it. 政策、企业、项目等名录。",
        ),
    ] = "",
    lang: Lang = Language.ZH,
    as_json: AsJson = False,
) -> None:
    """Import tables, each wholly or not at all; again, to bring a source up to date. Exit code 1 when cells were left
    out, 4 when a guess is not sure and a mapping is needed. 导入统计表。"""
    with exit_codes("stopped; nothing of the file under way was imported"):
        from kaozheng.api.county_files import import_files as imported
        from kaozheng.api.county_import import ImportOptions
        from kaozheng.api.county_records import import_records

        for file in files:
            given.not_in_place_of(save_mapping, file)
        if records:
            if mapping or title or vintage or save_mapping:
                raise InputError("--records needs no mapping: its columns are known by their names")
            kept = [import_records(file, records, source, preview) for file in files]
            _end(kept, [line for one in kept for line in _record_lines(one, lang.value)], as_json)
        options = ImportOptions(mapping, source, title, vintage, preview, save_mapping)
        done = imported(files, options)
        _end(done, [line for one in done for line in _file_lines(one, lang.value)], as_json)


def _end(done: Sequence[FileImport | RecordImport], lines: Iterable[str], as_json: bool) -> NoReturn:
    if as_json:
        say_json([one.as_dict() for one in done])
    else:
        for line in lines:
            typer.echo(line)
    raise typer.Exit(max(one.exit_code for one in done))


def _file_lines(one: FileImport | RecordImport, language: str) -> Iterator[str]:
    from kaozheng.api.county_records import RecordImport

    return _record_lines(one, language) if isinstance(one, RecordImport) else _lines(one, language)


def _record_lines(one: RecordImport, language: str) -> Iterator[str]:
    done = "kept" if one.kept else "nothing was changed"
    yield f"{one.path} -> {one.kind}: {counted(len(one.plan.records), 'record')}, {done}"
    yield from _cells(one.plan.findings, language)


def _lines(one: FileImport, language: str) -> Iterator[str]:
    by = f"by {one.mapping_path}" if one.mapping_path else "by a guess"
    plan = one.plan
    if plan is None:
        yield f"{one.path}: nothing was imported: the guess is not sure"
        yield from _choices(one, language)
        yield "  write the mapping with --save-mapping FILE.toml, correct it, and import with --mapping FILE.toml"
        return
    mark = f"  [{synthetic_mark(language)}]" if plan.source.synthetic else ""
    yield f"{one.path} -> {plan.source.id} ({on_one_line(plan.source.title)}, {plan.source.vintage}), {by}{mark}"
    if one.imported:
        done = one.imported
        counts = (
            (done.added, "added"),
            (done.changed, "changed"),
            (done.removed, "removed"),
            (done.unchanged, "as before"),
        )
        said = ", ".join(f"{count} {what}" for count, what in counts if count)
        yield f"  {counted(len(plan.observations), 'row')}: {said}"
    elif not plan.observations:
        yield "  no row could be read; nothing was changed"
    else:
        yield f"  preview: {counted(len(plan.observations), 'row')}, nothing was changed"
    if one.answered:
        yield f"  {counted(len(one.answered), 'ticket')} answered: {', '.join(one.answered[:_FIRST])}"
    yield from _choices(one, language)
    yield from _plan_lines(plan, language)


def _choices(one: FileImport, language: str) -> Iterator[str]:
    for choice in one.guess.choices if one.guess else ():
        sure = "" if choice.is_sure else "?? "
        sheet = f"{on_one_line(choice.sheet)} " if choice.sheet else ""
        yield f"  {sure}{sheet}{choice.what} = {choice.chosen or '…'}: {on_one_line(choice.reason.said(language))}"


def _plan_lines(plan: Plan, language: str) -> Iterator[str]:
    from kaozheng.county.importing.preview import preview

    seen = preview(plan)
    for count in seen.indicators:
        missing = f", {count.missing} without a value" if count.missing else ""
        extent = f"{counted(count.regions, 'region')}, {counted(count.periods, 'period')}"
        yield f"  {count.indicator.key}  {count.indicator.name}  {counted(count.rows, 'row')}: {extent}{missing}"
    yield from _cells(plan.findings, language)
    if seen.unread:
        yield f"  sheets that no table reads: {', '.join(map(on_one_line, seen.unread))}"


def _cells(findings: Sequence[ImportFinding], language: str) -> Iterator[str]:
    """Every cell that was left out, then what is told of others, of each code once."""
    from kaozheng.county.importing.finding import Kind

    refused = [one for one in findings if one.kind is Kind.REFUSED]
    if refused:
        yield f"  left out: {counted(len(refused), 'place')}"
        yield from (_finding(one, language) for one in refused[:_MOST_REFUSED])
        if len(refused) > _MOST_REFUSED:
            yield f"    and {len(refused) - _MOST_REFUSED} more: --json lists all"
    noted: dict[str, list[ImportFinding]] = {}
    for one in findings:
        if one.kind is Kind.NOTED:
            noted.setdefault(one.code.value, []).append(one)
    for code, these in noted.items():
        cells = ", ".join(on_one_line(one.cell) for one in these[:_FIRST]) + (", …" if len(these) > _FIRST else "")
        yield f"  noted: {code} ({len(these)}): {cells}: {on_one_line(these[0].reason.said(language))}"


def _finding(one: ImportFinding, language: str) -> str:
    raw = on_one_line(one.raw)
    return f"    {on_one_line(one.cell)}  {raw[:40]}  [{one.code.value}] {on_one_line(one.reason.said(language))}"
