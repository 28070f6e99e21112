"""Write a document; go on with a run that was stopped; begin again at one of its checkpoints."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kaozheng.api.choosing import book_of, of_run, with_choices
from kaozheng.api.inputs import language_of, one_line, source_of, topic_of
from kaozheng.api.results import WriteResult, result_of
from kaozheng.api.running import OnEvent, run_sync
from kaozheng.errors import InputError, RuleBookError, StorageError
from kaozheng.settings import Settings, load_settings
from kaozheng.wiring import check_embedder, check_priced, check_reranker, checked_model, open_desk

if TYPE_CHECKING:
    from kaozheng.journal import RunRecord
    from kaozheng.workflows.write.workflow import WriteWorkflow

Citations = Literal["footnote", "none"]
_LIMITS = ("tokens", "calls", "seconds", "money")
_BOOK = "rules.md"


def write(
    *,
    text: str | Path | None = None,
    notes: str | Path | None = None,
    code: str | Path | None = None,
    topic: str = "",
    on_event: OnEvent | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> WriteResult:
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
) -> WriteResult:
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
    if options.get("max_money"):
        check_priced(settings)
    check_embedder(settings)
    check_reranker(settings)
    language = options.get("language") or await language_of(mode, source)
    book = book_of(settings, language)
    request = {
        "mode": mode,
        "source": str(source.resolve()) if isinstance(source, Path) else "",
        "topic": topic,
        "language": language if mode == "code" else options.get("language"),
        "citations": options.get("citations", "footnote"),
        "strict": bool(options.get("strict", False)),
        "date": datetime.now().astimezone().date().isoformat(),
        "model": checked_model(settings),
        "sensitivity": settings.sensitivity,
        "rules": book.name,
        "rules_sha256": book.sha256,
        "budget": {name: options[f"max_{name}"] for name in _LIMITS if options.get(f"max_{name}")},
    }

    def prepare(folder: Path) -> None:
        (folder / _BOOK).write_text(book.text, encoding="utf-8")
        if isinstance(source, str):
            (folder / INPUT).write_text(source, encoding="utf-8")

    async with open_desk(settings) as desk:
        named = topic or topic_of(source, settings.sensitivity)
        record = await start(desk, WriteWorkflow(book), request, named, prepare, on_event)
        return result_of(record)


def resume(
    run_id: str, on_event: OnEvent | None = None, settings: Settings | None = None, **limits: float | None
) -> WriteResult:
    """Go on with a stopped, failed or killed run at the very step. A done run sends out again what is missing: gaps,
    and what its model failed to answer or was not asked for because the budget was used up.

    `limits` (`max_tokens`, `max_calls`, `max_seconds`, `max_money`) replace those of the run. Raises InputError when
    nothing is missing, or when the budget was the reason and is not raised.
    """
    return run_sync(aresume(run_id, on_event, settings, **limits))


async def aresume(
    run_id: str, on_event: OnEvent | None = None, settings: Settings | None = None, **limits: float | None
) -> WriteResult:
    """The async twin of `resume`."""
    from kaozheng.journal import RunStatus
    from kaozheng.runs.runner import resume as go_on

    settings = settings or load_settings()
    async with open_desk(settings) as desk:
        record = await desk.journal.get(run_id)
        budget = {name: value for name in _LIMITS if (value := limits.get(f"max_{name}"))}
        made = record.result or {}
        if record.status is RunStatus.DONE:
            _ensure_room(record, budget)
        if record.status is not RunStatus.DONE or made.get("gaps") or made.get("failed"):
            # Of a run that is done and complete the runner says so, key or no key.
            chosen = of_run(settings, record)
            checked_model(chosen)
            if budget.get("money"):
                check_priced(chosen)
        workflow = workflow_of(record)
        return result_of(await go_on(desk, run_id, lambda _: workflow, on_event, budget))


def _ensure_room(record: RunRecord, budget: Mapping[str, float]) -> None:
    """A run that reached its budget needs a higher one. Seconds count anew from each resumption."""
    known = record.request.get("budget", {})
    for name in (record.result or {}).get("limits", ()):
        if name != "seconds" and name in known and budget.get(name, 0) <= known[name]:
            used_up = f"run {record.id} used up its budget of {known[name]:.10g} {name}"
            raise InputError(f"{used_up}: resume it with --max-{name} above that")


def fork(
    run_id: str, checkpoint: str, on_event: OnEvent | None = None, settings: Settings | None = None
) -> WriteResult:
    """Begin a new run at a checkpoint of another run (its id, or how that ends) and write to the end.

    The old run is only read. Raises UnknownRunError, InputError for an unknown checkpoint; StoppedError as `write`.
    """
    return run_sync(afork(run_id, checkpoint, on_event, settings))


async def afork(
    run_id: str, checkpoint: str, on_event: OnEvent | None = None, settings: Settings | None = None
) -> WriteResult:
    """The async twin of `fork`."""
    from kaozheng.runs.fork import fork as begin_at
    from kaozheng.workflows.write.workflow import INPUT

    settings = settings or load_settings()
    async with open_desk(settings) as desk:
        record = await desk.journal.get(run_id)
        workflow = workflow_of(record)

        def prepare(folder: Path) -> None:
            # Only now: of a run or a checkpoint that does not exist nobody needs to hear that a key is missing.
            checked_model(of_run(settings, record))
            for name in (_BOOK, INPUT):
                _copy(Path(record.folder) / name, folder / name)

        return result_of(await begin_at(desk, run_id, checkpoint, lambda _: workflow, prepare, on_event))


def workflow_of(record: RunRecord) -> WriteWorkflow:
    """The workflow with the rule book that the run started with. Raises RuleBookError."""
    from kaozheng.rules.book import parse_book
    from kaozheng.workflows.write.workflow import WriteWorkflow

    copy = Path(record.folder) / _BOOK
    try:
        book = parse_book(copy.read_text(encoding="utf-8"), record.request.get("rules", _BOOK))
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


def _copy(old: Path, new: Path) -> None:
    """Copy a file that may be missing. Raises StorageError."""
    try:
        shutil.copyfile(old, new)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(f"{error.filename or new}: cannot be copied ({error.strerror})") from error
