"""What a finished summary comes to, in a few lines for the terminal; the whole of it is in the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kaozheng.cli.speaking import counted, on_one_line
from kaozheng.cli.summary import MOST_CONFLICTS, conflict, not_read, some, used

if TYPE_CHECKING:
    from kaozheng.api import RunResult

_MOST_LEFT_OUT: Final = 3
_MOST_PARTS: Final = 6
_SAID: Final = 100  # characters of a statement
_KINDS: Final = {
    "block": "block {}",
    "merge": "merge {}",
    "tree": "the outline",
    "section": "section {}",
    "restore": "what was put back into section {}",
}


def summarized(result: RunResult, output: Path | None) -> list[str]:
    """The lines, each a word and what it came to; details are indented. `output` is where the summary was put too."""
    report = result.report
    inputs, length, loss = report["inputs"], report["length"], report["loss"]
    share = length["summary"] / max(1, length["text"])
    watched = f"{loss['watched']} of {counted(loss['statements'], 'key statement')} watched"
    return [
        f"document  {output or result.path}",
        f"report    {result.folder / 'report.md'}",
        f"trace     {result.folder / 'trace.json'}",
        f"length    about {length['summary']:,} of {length['text']:,} tokens ({share:.1%}), "
        f"{length['target']:,} aimed at; {counted(len(report['sections']), 'section')}",
        f"inputs    {len(inputs['used'])} used, {len(inputs['unused'])} unused, {len(inputs['skipped'])} not read",
        *not_read(inputs["skipped"]),
        f"evidence  {counted(report['statements'], 'statement')}, each with its quote; {_removed(report['removed'])}",
        f"loss      {watched}, {loss['restored']} put back, {len(loss['left_out'])} left out",
        *some((_said(one["text"]) for one in loss["left_out"]), _MOST_LEFT_OUT),
        *_empty([place for level in report["levels"] for place in level["empty"]]),
        f"conflicts {len(report['contradictions'])} in the text",
        *some(map(conflict, report["contradictions"]), MOST_CONFLICTS),
        *_missing(result),
        *used(result.usage),
    ]


def _removed(removed: Sequence[Mapping[str, Any]]) -> str:
    """How many sentences were taken out, and why."""
    bare = sum(one["why"] == "unsupported" for one in removed)
    return f"taken out: {bare} without evidence, {len(removed) - bare} said before"


def _empty(places: Sequence[str]) -> list[str]:
    """Which blocks have no sentence that could be excerpted; nothing where there is none."""
    if not places:
        return []
    said = f"{counted(len(places), 'block')} without a sentence (a table, a list): a model would read them"
    return [f"excerpts  {said}", *some((place.replace("`", "") for place in places), _MOST_LEFT_OUT)]


def _missing(result: RunResult) -> Iterator[str]:
    """Which parts are gaps or had to do without the model, why, and what sends them out again."""
    report = result.report
    gaps = [one for one in report["missing"] if one["status"] == "gap"]
    rest = [one for one in report["missing"] if one["status"] != "gap"]
    again = f"try again: kaozheng runs resume {result.run_id}"
    if gaps:
        yield f"gaps      {_parts(gaps)}; {again}"
        yield from some(_reasons(gaps), _MOST_LEFT_OUT)
    if rest:
        yield f"fallback  without the model: {_parts(rest)}" + ("" if gaps else f"; {again}")
        yield from some(_reasons(rest), _MOST_LEFT_OUT)
    if report["limits"]:
        higher = " ".join(f"--max-{name} MORE" for name in report["limits"])
        yield f"budget    reached: {', '.join(report['limits'])}; go on: kaozheng runs resume {result.run_id} {higher}"


def _parts(parts: Sequence[Mapping[str, Any]]) -> str:
    named = list(dict.fromkeys(_KINDS[one["kind"]].format(one["number"]) for one in parts))
    more = len(named) - _MOST_PARTS
    return ", ".join(named[:_MOST_PARTS]) + (f" and {more} more" if more > 0 else "")


def _reasons(parts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Each reason once, with how often it was one."""
    for reason, same in groupby(sorted(one["reason"] for one in parts)):
        times = len(list(same))
        yield on_one_line(reason) + (f" (x{times})" if times > 1 else "")


def _said(text: str) -> str:
    line = on_one_line(text)
    return line if len(line) <= _SAID else line[: _SAID - 1] + "…"
