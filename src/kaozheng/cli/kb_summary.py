"""What an ingest, a search and the bases come to, in lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kaozheng.cli.links import place, short
from kaozheng.cli.speaking import counted, on_one_line

if TYPE_CHECKING:
    from kaozheng.api import BaseSummary, KnowledgeStats
    from kaozheng.sources.index import Hit
    from kaozheng.workflows.ingest.report import IngestReport, Outcome

_MOST = 10
_EXCERPT = 240


def report_lines(report: IngestReport) -> list[str]:
    """What became of the documents, a line a status; those that somebody may want to look at by name."""
    lines = [f"base       {report.base}"]
    for status in ("added", "replaced", "unchanged", "duplicate", "removed", "empty", "skipped", "failed"):
        of = [one for one in report.outcomes if one.status == status]
        if not of:
            continue
        chunks = sum(one.chunks for one in of)
        lines.append(
            f"{status:<10} {counted(len(of), 'document')}" + (f", {counted(chunks, 'chunk')}" if chunks else "")
        )
        if status in ("duplicate", "removed", "empty", "failed"):
            lines += _some(map(_why, of))
    left_out = [f"{short(one.name)}: {part}" for one in report.outcomes for part in one.left_out]
    if left_out:
        lines += [f"left out   {counted(len(left_out), 'part')} of documents", *_some(left_out)]
    if report.embedded or report.reused:
        lines.append(f"embedded   {counted(report.embedded, 'text')}, {report.reused} known already")
    return [*lines, f"took       {report.seconds:.1f} s"]


def told(one: Outcome) -> str:
    """One line for a document while others are under way, "" when it is not worth one."""
    if one.status in ("added", "replaced"):
        return f"{one.status:<9} {short(one.name)}: {counted(one.chunks, 'chunk')}"
    return f"{one.status:<9} {on_one_line(_why(one))}" if one.status in ("failed", "empty", "removed") else ""


def hit_lines(number: int, hit: Hit) -> list[str]:
    """A place that was found: where, under which headings, what it says, and its scores."""
    from kaozheng.sources.places import is_place  # the room of sources costs the help page a tenth of a second

    chunk, entry = hit.chunk, hit.entry
    within = on_one_line(chunk.path[-1]) if chunk.path and is_place(chunk.path[-1]) else ""
    path = " > ".join(dict.fromkeys([entry.title, *(chunk.path[:-1] if within else chunk.path)]))
    where = place(entry.name, (chunk.lines.start, chunk.lines.end), within)
    legs = ", ".join(f"{leg} {score:.2f}" for leg, score in hit.legs.items())
    scores = f"score {hit.score:.3f}" + (f" ({legs})" if legs else "")
    said = on_one_line(chunk.text)
    return [
        f"{number}. {where}  {on_one_line(path)}  [{entry.base}]",
        f"   {said[:_EXCERPT]}{'…' if len(said) > _EXCERPT else ''}",
        f"   {scores}{', the document number itself' if hit.exact else ''}",
    ]


def stats_lines(stats: KnowledgeStats) -> list[str]:
    """All bases, and where they are."""
    lines = [line for base in stats.bases for line in _base_lines(base)]
    return [f"kept in {stats.where}", *(lines or ["no knowledge base yet: kaozheng kb add FOLDER"])]


def of_key(owner: str) -> str:
    """That a base is a key's and not searched unless it is named; "" for one of the command line."""
    return f", of the key {owner}: searched when it is named" if owner else ""


def _base_lines(base: BaseSummary) -> list[str]:
    twins = f" ({counted(base.duplicates, 'duplicate')})" if base.duplicates else ""
    by = f"embedded by {base.embedder}" if base.embedder else "searched by words alone"
    documents, chunks = counted(base.documents, "document"), counted(base.chunks, "chunk")
    lines = [f"{base.name}: {documents}{twins}, {chunks}, {by}{of_key(base.owner)}"]
    for label, values in base.labels.items():
        if values:
            some = ", ".join(f"{on_one_line(value)} {count}" for value, count in list(values.items())[:_MOST])
            lines.append(f"  {label}: {some}{', …' if len(values) > _MOST else ''}")
    return lines


def _why(one: Outcome) -> str:
    if one.duplicate_of:
        return f"{short(one.name)} is {short(one.duplicate_of)}"
    return f"{short(one.name)}" + (f": {one.reason}" if one.reason else "")


def _some(told: Iterable[str]) -> list[str]:
    lines = [f"  {on_one_line(line)}" for line in told]
    more = len(lines) - _MOST
    return [*lines[:_MOST], f"  and {more} more (--json has them all)"] if more > 0 else lines
