"""Live progress of a run on stderr: a line a section, module or level; on a terminal the step at work stands below."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Protocol

import typer

from kaozheng.cli.speaking import counted
from kaozheng.journal.event import WITHHELD
from kaozheng.workflows.summarize.progress import SummaryProgress
from kaozheng.workflows.write.progress import Progress

if TYPE_CHECKING:
    from kaozheng.api import OnEvent
    from kaozheng.journal import Event


_SEAM = {
    "retry": "retry {attempt} in {wait_s:.1f} s: {error} ({purpose})",
    "next_model": "{failed} failed, {instead} is asked: {reason} ({purpose})",
    "fallback": "no answer to {purpose}: {reason}",
    "budget": "budget reached: {reached}",
}
_BEGINS = frozenset({"run_started", "run_resumed"})


class Share(Protocol):
    """Takes a run's events and says after each how much of it is done, 0 to 1."""

    def take(self, event: Event) -> float: ...


_SHARES: Final[dict[str, Callable[[], Share]]] = {"write": Progress, "summarize": SummaryProgress}


@contextmanager
def progress(quiet: bool) -> Iterator[OnEvent | None]:
    """What to hand to the API as `on_event`."""
    if quiet:
        yield None
        return
    if not sys.stderr.isatty():
        yield _plain
        return
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("…") as status:
        done: Share = Progress()
        step = used = ""

        def show(event: Event) -> None:
            nonlocal done, step, used
            if line := told(event):
                console.print(line, markup=False, highlight=False)
            if event.kind in _BEGINS:
                done = _SHARES[event.data["workflow"]]()
            share = done.take(event)
            if event.kind == "step_started":
                step = str(event.data.get("step", ""))
            if event.kind == "tokens":
                used = (
                    f", {event.data['calls']} calls, {event.data['input_tokens'] + event.data['output_tokens']} tokens"
                )
            status.update(f"{share:.0%} {step}{used}")

        yield show


def told(event: Event) -> str:
    """One line for an event, "" when it is not worth one."""
    return f"run {event.run_id}" if event.kind in _BEGINS else said(event.kind, event.data)


def said(kind: str, data: dict[str, Any]) -> str:
    """The same for what is said outside of runs, by its kind and data."""
    if kind == "note":
        return _note(data) or _of_a_summary(data)
    return _SEAM[kind].format_map(data) if kind in _SEAM else ""


def _plain(event: Event) -> None:
    if line := told(event):
        typer.echo(line, err=True)


def _note(data: dict[str, Any]) -> str:
    by = _by(data)
    if "said" in data:  # of a secret run nobody hears it
        return "" if data["said"] == WITHHELD else str(data["said"])
    if "outline" in data:
        return f"outline: {counted(len(data['outline']), 'section')}{by}"
    if "section" in data and "of" in data:
        what = f"gap: {data['gap']}" if "gap" in data else "written"
        return f"section {data['section']}/{data['of']} {data['title']}: {what}{by}"
    if "landed" in data:
        done = f"{data['fixed']} fixed by code, {data['landed']} replacements landed, {data['refused']} refused"
        return f"revise {data['module']} (try {data['try']}): {done}"
    if "violations" in data:
        verdict = counted(data["violations"], "violation") if data["violations"] else "pass"
        return f"review {data['module']}: {verdict}" + (f", let through: {data['circuit']}" if data["circuit"] else "")
    if "code" in data:
        return f"read {counted(data['files'], 'file')} of {data['code']}, {data['skipped']} skipped"
    if "explored" in data:
        return f"explored: {data['explored']} statements{by}"
    if "sources" in data:
        return f"read {counted(data['sources'], 'source')}, {data['skipped']} skipped"
    return ""


def _of_a_summary(data: dict[str, Any]) -> str:
    """Of blocks, of which there may be hundreds, only those that the model did not summarise."""
    if "block" in data and ("gap" in data or data["by"] == "fallback"):
        what = f"gap: {data['gap']}" if "gap" in data else f"by rules: {data['reason']}"
        return f"block {data['block']} of level {data['level']}: {what}"
    if "summarised" in data:
        without = f", {data['without_model']} without the model" if data["without_model"] else ""
        return f"level {data['level']}: {data['summarised']} of {data['of']} summarised{without}"
    if "lost" in data:
        return f"loss check {data['round'] + 1}: {data['lost']} of {data['watched']} watched statements lost"
    if "restored" in data:
        return f"section {data['section']}: {counted(data['restored'], 'statement')} put back{_by(data)}"
    return ""


def _by(data: dict[str, Any]) -> str:
    """Who did it and why, in brackets; "" when it was the model."""
    if data.get("by") in {None, "model"}:
        return ""
    return f" ({': '.join(part for part in (data['by'], data.get('reason')) if part)})"
