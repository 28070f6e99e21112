"""An answer on the terminal: its text while it comes, and below it where each sentence stands."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import typer

from kaozheng.cli.links import place
from kaozheng.cli.speaking import on_one_line
from kaozheng.documents.characters import without_controls

if TYPE_CHECKING:
    from rich.status import Status

    from kaozheng.workflows.ask.result import AskResult
    from kaozheng.workflows.ask.telling import AskEvent

_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "zh": {
        "corrected": "—— 以上文字经核对有误，以下为准 ——",
        "sources": "出处",
        "conflict": "资料之间有矛盾",
        "warning": "注意",
        "twin": "未经模型，由程序据原文摘录",
        "fallback": "模型未能回答，由程序据原文摘录",
        "doubt": "没有出处支持",
        "next": "可以接着问",
    },
    "en": {
        "corrected": "-- the text above did not hold; this is the answer --",
        "sources": "Sources",
        "conflict": "The sources contradict each other",
        "warning": "Note",
        "twin": "without a model, in the words of the sources",
        "fallback": "the model gave no answer; in the words of the sources",
        "doubt": "no source for",
        "next": "You may go on with",
    },
}
_QUOTE_CHARS = 160
_MOST_DOUBTS = 5


class Screen:
    """Hears the events of one answer. On a terminal the text is printed as it comes; elsewhere once, when it is final:
    what a pipe has taken cannot be taken back."""

    def __init__(self, live: bool | None = None, language: str = "") -> None:
        self._language = language
        self._live = sys.stdout.isatty() if live is None else live
        self._shown = ""
        self._status: Status | None = None

    def __call__(self, event: AskEvent) -> None:
        """Take one event; callable from the loop's thread."""
        if event.kind == "progress":
            self._progress(str(event.data.get("step", "")))
        elif event.kind == "delta":
            self._add(without_controls(str(event.data["text"])))
        elif event.kind == "replace":
            self._replace(without_controls(str(event.data["text"])))
        elif event.kind in ("done", "error"):
            self.close()

    def close(self) -> None:
        """Take the progress line away."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    def finish(self, result: AskResult) -> None:
        """Print what is still missing of the answer, and all that belongs to it."""
        self.close()
        answer = without_controls(result.answer)
        if self._shown != answer:
            self._replace(answer, always=True)
        typer.echo("")
        for line in notes(result, self._language):
            typer.echo(line)

    def _add(self, text: str) -> None:
        if self._live and text:
            self.close()
            self._shown += text
            sys.stdout.write(text)
            sys.stdout.flush()

    def _replace(self, text: str, always: bool = False) -> None:
        """Wipe what is still on the screen and say it anew; what has scrolled away is said to be wrong."""
        if not (self._live or always):
            return
        self.close()
        if text.startswith(self._shown):
            sys.stdout.write(text[len(self._shown) :])
        else:
            sys.stdout.write(f"{_wiped(self._shown, text)}{text}")
        self._shown = text
        sys.stdout.flush()

    def _progress(self, step: str) -> None:
        if not sys.stderr.isatty() or self._shown:
            return
        if self._status is None:
            from rich.console import Console

            self._status = Console(stderr=True).status("…")
            self._status.start()
        self._status.update(step.replace("_", " "))


def notes(result: AskResult, language: str = "") -> Iterator[str]:
    """The lines below an answer: sources with links, conflicts, sentences without a source, what else went wrong. In
    that language; without one in that of the question, since an answer may be nothing but titles in another."""
    say = _WORDS[language] if language in _WORDS else _words(str(result.task.get("goal") or result.answer))
    if result.citations:
        yield ""
        yield f"{say['sources']}:"
        for one in result.citations:
            yield from citation_lines(one)
    for one in result.conflicts:
        yield f"{say['conflict']}: {_conflict(one)}"
    for sentence in unsupported(result)[:_MOST_DOUBTS]:
        yield f"{say['doubt']}: {on_one_line(sentence)}"
    for warning in result.warnings:
        yield f"{say['warning']}: {on_one_line(warning.get('message', ''))}"
    if result.by == "offline" and result.citations:
        yield f"({say['twin']})"
    elif result.by == "fallback":
        yield f"({say['fallback']}: {on_one_line(result.reason)})"


def citation_lines(one: Mapping[str, Any], whole: bool = False) -> Iterator[str]:
    """`[E1] Handbook > Leave  notes/hr.md:5-7` and the quote, shortened unless `whole`."""
    lines = [int(line) for line in one.get("lines") or ()]
    spot = str(one.get("place") or "")
    where = place(str(one.get("document", "")), (lines[0], lines[-1]) if lines else None, on_one_line(spot))
    headings = (str(part) for part in (one.get("title") or "", *(one.get("path") or ())) if part and part != spot)
    title = " > ".join(dict.fromkeys(headings))
    said = "  ".join(part for part in (f"[{one.get('label', '')}]", on_one_line(title), where) if part)
    yield f"  {said}"
    quote = on_one_line(str(one.get("quote") or ""))
    if quote:
        yield f"      {quote if whole or len(quote) <= _QUOTE_CHARS else quote[:_QUOTE_CHARS].rstrip() + '…'}"


def follow_up_lines(result: AskResult) -> Iterator[str]:
    """What may be asked next."""
    if result.follow_ups:
        yield f"{_words(result.answer)['next']}:"
        for question in result.follow_ups:
            yield f"  - {on_one_line(question)}"


def unsupported(result: AskResult) -> list[str]:
    """The sentences of the answer that code found no source for."""
    sentences = result.grounding.get("sentences") or ()
    return [str(one.get("text", "")) for one in sentences if one.get("faults")]


def exit_code(result: AskResult) -> int:
    """0 for an answer that holds; 1 for one with leftovers, and where there is none."""
    leftovers = result.code or result.warnings or result.by == "fallback" or unsupported(result)
    return 1 if result.status != "answered" or leftovers else 0


def _words(answer: str) -> Mapping[str, str]:
    """What is said around an answer, in its language."""
    from kaozheng.documents.document import language_of  # brings the Markdown parser, which the help page need not pay

    return _WORDS[language_of(answer) or "en"]


def _conflict(one: Mapping[str, Any]) -> str:
    values = one.get("values") or ()
    said = "; ".join(f"{value.get('value', '')} [{value.get('label', '')}]" for value in values)
    return on_one_line(f"{one.get('about', '')}: {said}".strip(": "))


def _wiped(shown: str, anew: str) -> str:
    """What takes the shown text off the screen, or says below it that it does not hold."""
    if not shown:
        return ""
    from rich.cells import cell_len

    size = shutil.get_terminal_size()
    rows = sum(max(1, -(-cell_len(line) // size.columns)) for line in shown.split("\n"))
    if sys.stdout.isatty() and rows < size.lines:
        return "\r" + (f"\x1b[{rows - 1}A" if rows > 1 else "") + "\x1b[J"
    return f"\n\n{_words(anew)['corrected']}\n\n"
