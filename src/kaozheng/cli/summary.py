"""What a finished run comes to, in a few lines for the terminal; the whole of it is in the report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from kaozheng.cli.speaking import counted

if TYPE_CHECKING:
    from kaozheng.api import RunResult

MOST_CONFLICTS, _MOST_FILES, _MOST_LEFT = 3, 5, 10
_IMAGES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".ico", ".tif", ".tiff", ".heic"})


def summary(result: RunResult, output: Path | None) -> list[str]:
    """The lines, each a word and what it came to; details are indented. `output` is where the document was put too."""
    report = result.report
    inputs = report["inputs"]
    lines = [
        f"document  {output or result.path}",
        f"report    {result.folder / 'report.md'}",
        f"trace     {result.folder / 'trace.json'}",
        f"inputs    {len(inputs['used'])} used, {len(inputs['unused'])} unused, {len(inputs['skipped'])} not read",
        *not_read(inputs["skipped"]),
        f"evidence  {report['statements']} statements, {len(report['unsupported'])} without evidence",
        f"conflicts {len(report['contradictions'])} between the inputs",
        *some(map(conflict, report["contradictions"]), MOST_CONFLICTS),
        f"left      {counted(len(report['violations_left']), 'violation')}",
        *some(map(_left, report["violations_left"]), _MOST_LEFT),
        *_code(report["code"]),
        *_links((report.get("explored") or {}).get("links", ())),
        *_fallback(report["sections"]),
    ]
    if report["fallbacks"] and not report["gaps"]:
        lines.append(f"again     what the model did not write: kaozheng runs resume {result.run_id}")
    if report["gaps"]:
        gaps = ", ".join(map(str, report["gaps"]))
        lines.append(f"gaps      sections {gaps}; try again: kaozheng runs resume {result.run_id}")
    if report["budget"]:
        lines.append(f"budget    reached; without the model: {', '.join(report['budget'])}")
    return [*lines, *used(result.usage)]


def used(usage: Mapping[str, Any]) -> list[str]:
    """What was asked of models; nothing when nobody was."""
    if not usage.get("calls"):
        return []
    tokens = f"{usage.get('input_tokens', 0)} + {usage.get('output_tokens', 0)} tokens"
    return [f"usage     {usage['calls']} calls, {tokens}"]


def not_read(skipped: Sequence[Mapping[str, str]]) -> list[str]:
    """Files by name; images are usually many, and nobody expects them to be read."""
    files = [one for one in skipped if PurePosixPath(one["path"]).suffix.lower() not in _IMAGES]
    images = len(skipped) - len(files)
    lines = some((f"{one['path']}: {one['why']}" for one in files), _MOST_FILES)
    return [*lines, f"  {images} image{'s' if images > 1 else ''}"] if images else lines


def conflict(one: Mapping[str, Any]) -> str:
    """One subject, its values and where each stands."""
    return f"{one['subject']}: " + " / ".join(f"{at['value']} ({_place(at)})" for at in one["places"])


def _place(at: Mapping[str, Any]) -> str:
    """With its line, or the page, sheet or section of a file whose lines nobody sees."""
    return f"{at['path']}, {at['where']}" if at.get("where") else f"{at['path']}:{at['line']}"


def _left(one: Mapping[str, Any]) -> str:
    return f"{one['rule']} line {one['start_line']}: {one['message']}"


def _code(code: Mapping[str, Any] | None) -> list[str]:
    """What was held against the code base at the end, and what of it does not stand there."""
    if code is None:
        return []
    counted = f"{code['places']} places and {code['names']} names"
    doubts = some((f"{one['claim']}: {one['why']}" for one in code["doubts"]), _MOST_LEFT)
    return [f"code      {counted} read again, {len(code['doubts'])} do not hold", *doubts]


def _links(links: Sequence[Mapping[str, str]]) -> list[str]:
    """The links of the topic from which no page came."""
    failed = [f"{one['url']}: {one['failure']}" for one in links if one["failure"]]
    return [f"links     {len(failed)} of {len(links)} not fetched", *some(failed, _MOST_LEFT)] if failed else []


def _fallback(sections: Sequence[Mapping[str, Any]]) -> list[str]:
    whys = [one["reason"] for one in sections if one["by"] == "fallback"]
    if not whys:
        return []
    verb = "was" if len(whys) == 1 else "were"
    return [f"fallback  {len(whys)} of {len(sections)} sections {verb} written without the model: {whys[0]}"]


def some(told: Iterable[str], most: int) -> list[str]:
    """The first lines, indented, and how many more there are."""
    lines = [f"  {' '.join(line.split())}" for line in told]
    more = len(lines) - most
    return [*lines[:most], f"  and {more} more, see the report"] if more > 0 else lines
