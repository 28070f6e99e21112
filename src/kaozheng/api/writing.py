"""Write a document."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kaozheng.api.choosing import book_of, budget_of, checked, with_choices
from kaozheng.api.inputs import language_of, one_line, source_of, topic_of
from kaozheng.api.results import RunResult, result_of
from kaozheng.api.running import OnEvent, run_sync
from kaozheng.errors import RuleBookError
from kaozheng.settings import Settings
from kaozheng.wiring import open_desk

if TYPE_CHECKING:
    from kaozheng.journal import RunRecord
    from kaozheng.workflows.write.workflow import WriteWorkflow

BOOK = "rules.md"
"""The run's copy of its rule book."""


def write(
    *,
    text: str | Path | None = None,
    notes: str | Path | None = None,
    code: str | Path | None = None,
    topic: str = "",
    on_event: OnEvent | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> RunResult:
    """Write a document from a text (a str, or the Path of a file), notes (a file or a folder) or a code base.

    See `awrite` for the options.
    """
    given = {"text": text, "notes": notes, "code": code}
    return run_sync(awrite(**given, topic=topic, on_event=on_event, settings=settings, **options))


async def awrite(
    *,
    text: str | Path | None = None,
    notes: str | Path | None = None,
    code: str | Path | None = None,
    topic: str = "",
    on_event: OnEvent | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> RunResult:
    """The async twin of `write`.

    Options: `rules` (bundled name or path), `model` ("openai:NAME"), `language` ("zh" | "en"), `citations`
    ("footnote" | "none"), `strict` (drop sentences without evidence), `sensitivity` ("open" | "internal" | "secret":
    secret texts go to private providers only, and stay in the run's folder), `max_tokens`, `max_calls`, `max_seconds`,
    `max_money` (in the currency of the price table: US dollars).
    Raises InputError before a run is made when the input, book or model cannot be used; StoppedError when the run was
    stopped.
    """
    from kaozheng.runs.runner import start
    from kaozheng.workflows.write.workflow import INPUT, WriteWorkflow

    topic = one_line(topic)
    settings = with_choices(settings, **{name: options.get(name) for name in ("model", "rules", "sensitivity")})
    mode, source = source_of(text, notes, code)
    language = options.get("language") or await language_of(mode, source)
    book = book_of(settings, language)
    budget = budget_of(options)
    request = {
        "mode": mode,
        "source": str(source.resolve()) if isinstance(source, Path) else "",
        "topic": topic,
        "language": language if mode == "code" else options.get("language"),
        "citations": options.get("citations", "footnote"),
        "strict": bool(options.get("strict", False)),
        "date": datetime.now().astimezone().date().isoformat(),
        "model": checked(settings, budget),
        "sensitivity": settings.sensitivity,
        "rules": book.name,
        "rules_sha256": book.sha256,
        "budget": budget,
    }

    def prepare(folder: Path) -> None:
        (folder / BOOK).write_text(book.text, encoding="utf-8")
        if isinstance(source, str):
            (folder / INPUT).write_text(source, encoding="utf-8")

    async with open_desk(settings) as desk:
        named = topic or topic_of(source, settings.sensitivity)
        record = await start(desk, WriteWorkflow(book), request, named, prepare, on_event)
        return result_of(record)


def workflow_of(record: RunRecord) -> WriteWorkflow:
    """The workflow with the rule book that the run started with. Raises RuleBookError."""
    from kaozheng.rules.book import parse_book
    from kaozheng.workflows.write.workflow import WriteWorkflow

    copy = Path(record.folder) / BOOK
    try:
        book = parse_book(copy.read_text(encoding="utf-8"), record.request.get("rules", BOOK))
    except UnicodeDecodeError as error:
        raise RuleBookError(
            f"{copy}: the run's copy of its rule book is not UTF-8 any more; start a new run"
        ) from error
    except OSError as error:
        gone = f"the run's copy of its rule book is gone ({error.strerror})"
        raise RuleBookError(f"{copy}: {gone}; start a new run") from error
    # With other modules the graph would end early and call the document clean.
    if book.sha256 != record.request.get("rules_sha256", book.sha256):
        raise RuleBookError(f"{copy}: the run began with another rule book; put it back or start a new run")
    return WriteWorkflow(book)
