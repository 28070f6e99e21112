"""`kaozheng kb`: documents into knowledge bases, out of them, and what they say to a question."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kaozheng.cli import given
from kaozheng.cli.kb_progress import kb_progress
from kaozheng.cli.kb_summary import hit_lines, of_key, report_lines, stats_lines
from kaozheng.cli.links import place
from kaozheng.cli.options import SensitivityLevel
from kaozheng.cli.speaking import counted, exit_codes, on_one_line, say_json
from kaozheng.errors import InputError

if TYPE_CHECKING:
    from kaozheng.sources.twins import Document

app = typer.Typer(help="Knowledge bases: add, list, remove and search documents. 知识库。", no_args_is_help=True)

_GOES_ON = "stopped; what was added stays: the same command goes on from there"


def _target(text: str) -> str | Path:
    return given.words(text) if text.lower().startswith(("http://", "https://")) else given.path(text)


Base = Annotated[str, typer.Option("--kb", parser=given.words, metavar="NAME", help="The knowledge base.")]
Bases = Annotated[
    list[str] | None, typer.Option("--kb", parser=given.words, metavar="NAME", help="A base; by default all.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, no progress.")]
Sensitive = Annotated[
    SensitivityLevel | None,
    typer.Option("--sensitivity", help="How far texts may go; secret: private embedders only, no pages fetched."),
]
Domain = Annotated[
    str | None, typer.Option("--domain", parser=given.words, metavar="TEXT", help="Label: domain. 领域。")
]
Type = Annotated[
    str | None, typer.Option("--type", parser=given.words, metavar="TEXT", help="Label: kind of data. 数据类型。")
]
Period = Annotated[
    str | None, typer.Option("--period", parser=given.words, metavar="TEXT", help="Label: period. 数据时期。")
]
Level = Annotated[
    str | None,
    typer.Option(
        "--level", parser=given.words, metavar="TEXT", help="Label: level (国家级, 省级, 市州级, 县级). 层级。"
    ),
]


@app.command("add")
def add(
    what: Annotated[
        list[Any], typer.Argument(parser=_target, metavar="PATH|URL...", help="Files, folders, web pages.")
    ],
    kb: Base = "default",
    domain: Domain = None,
    data_type: Type = None,
    data_period: Period = None,
    level: Level = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Also remove documents of these folders whose files are gone.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Read unchanged documents again.")] = False,
    sensitivity: Sensitive = None,
    as_json: AsJson = False,
) -> None:
    """Add documents, or bring a base up to date: what has not changed is not read again. 加入或更新文档。"""
    with exit_codes(_GOES_ON):
        from kaozheng import api

        labels: dict[str, Any] = {"domain": domain, "data_type": data_type, "data_period": data_period, "level": level}
        with kb_progress(quiet=as_json) as show:
            report = api.kb_add(
                what,
                kb,
                on_progress=show.on_progress,
                emit=show.emit,
                prune=prune,
                force=force,
                sensitivity=sensitivity.value if sensitivity else None,
                **labels,
            )
    if as_json:
        say_json(report.as_dict())
    else:
        for line in report_lines(report):
            typer.echo(line)
    raise typer.Exit(report.exit_code)


@app.command("list")
def list_documents(kb: Bases = None, as_json: AsJson = False) -> None:
    """The documents of a base, by name, with those that have the same content. 列出文档。"""
    with exit_codes():
        from kaozheng import api

        owners = {one.name: one.owner for one in api.kb_stats().bases}
        bases = kb or list(owners)
        documents = {base: api.kb_list(base) for base in bases}
    if as_json:
        say_json({base: [_as_dict(one) for one in of] for base, of in documents.items()})
        return
    for base, of in documents.items():
        typer.echo(f"{base}: {counted(len(of), 'document')}{of_key(owners.get(base, ''))}")
        for one in of:
            words = [one.entry.title, *asdict(one.entry.labels).values()]
            twin = [f"same as {place(one.duplicate_of)}"] if one.duplicate_of else []
            typer.echo("  " + "  ".join([place(one.entry.name), *filter(None, map(on_one_line, words)), *twin]))
    if not documents:
        typer.echo("no knowledge base yet: kaozheng kb add FOLDER")


@app.command("remove")
def remove(
    names: Annotated[
        list[str] | None,
        typer.Argument(parser=given.words, metavar="NAME...", help="Documents by name, path or folder."),
    ] = None,
    kb: Base = "default",
    everything: Annotated[bool, typer.Option("--all", help="The whole base.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remove documents, or a whole base with --all; nothing of them is found any more. 移除文档。"""
    with exit_codes("stopped"):
        from kaozheng import api

        if bool(names) == everything:
            raise InputError("name the documents to remove, or say --all")
        outcomes = api.kb_remove(names or [], kb, everything=everything)
    if as_json:
        say_json([{"name": one.name, "status": one.status, "reason": one.reason} for one in outcomes])
        return
    for one in outcomes[:20]:
        typer.echo(f"removed {place(one.name)}" + (f" ({one.reason})" if one.reason else ""))
    typer.echo(f"{kb}: {counted(len(outcomes), 'document')} removed" + (", the base is gone" if everything else ""))


@app.command("search")
def search(
    question: Annotated[str, typer.Argument(parser=given.words, metavar="QUESTION", help="Words, or a question.")],
    kb: Bases = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=50, help="How many places at most.")] = 5,
    domain: Domain = None,
    data_type: Type = None,
    data_period: Period = None,
    level: Level = None,
    sensitivity: Sensitive = None,
    as_json: AsJson = False,
) -> None:
    """The places that answer best, with their scores. An exact document number goes first. 检索。"""
    with exit_codes("stopped"):
        from kaozheng import api

        if not question.strip():  # a variable that was not set
            raise InputError("there is nothing to search for: give words")
        within: dict[str, Any] = {"domain": domain, "data_type": data_type, "data_period": data_period, "level": level}
        secret = sensitivity.value if sensitivity else None
        found = api.kb_search(question, kb or (), limit=limit, sensitivity=secret, **within)
    if as_json:
        say_json({"hits": [hit.as_dict() for hit in found.hits], "refused": found.refused})
        return
    for leg, why in found.refused.items():
        typer.echo(f"kaozheng: without {leg}: {why}", err=True)
    for number, hit in enumerate(found.hits, start=1):
        for line in hit_lines(number, hit):
            typer.echo(line)
    if not found.hits:
        typer.echo("nothing found")


@app.command("stats")
def stats(as_json: AsJson = False) -> None:
    """All bases: documents, chunks, by whom they are embedded, labels. 统计。"""
    with exit_codes():
        from kaozheng import api

        known = api.kb_stats()
    if as_json:
        say_json(asdict(known))
        return
    for line in stats_lines(known):
        typer.echo(line)


def _as_dict(one: Document) -> dict[str, Any]:
    return {**asdict(one.entry), "duplicate_of": one.duplicate_of}
