"""The Python API: plain functions over the async core; the doors call these and nothing else.

Names starting with `a` are the async twins for callers that already have an event loop.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from kaozheng.errors import EncodingError, InputError, RuleBookError, SourceError, StorageError
from kaozheng.models.messages import SENSITIVITIES, Sensitivity
from kaozheng.settings import Settings, load_settings
from kaozheng.wiring import (
    OF_THE_RUN,
    check_embedder,
    check_priced,
    checked_model,
    open_desk,
    open_model,
    reader,
    vectors,
)

if TYPE_CHECKING:
    from kaozheng.journal import Event, RunRecord
    from kaozheng.rules.rule import RuleBook
    from kaozheng.rules.violation import Violation
    from kaozheng.runs.history import Checkpoint
    from kaozheng.runs.record import RunView
    from kaozheng.wiring import Finding
    from kaozheng.workflows.write.workflow import WriteWorkflow

OnEvent = Callable[["Event"], None]
Citations = Literal["footnote", "none"]
T = TypeVar("T")

_LIMITS = ("tokens", "calls", "seconds", "money")
_BOOK = "rules.md"
_BOOK_BY_LANGUAGE = {"zh": "zh-tech", "en": "en-tech"}


@dataclass(frozen=True, slots=True)
class WriteResult:
    """What `write` and `resume` give back. `exit_code` is 0 (clean) or 1 (something is left, see `report`)."""

    run_id: str
    folder: Path
    document: str
    report: dict[str, Any]
    usage: dict[str, Any]
    exit_code: int


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One reviewed text. `fixed` differs from `text` when fixes were asked for and found."""

    path: str
    text: str
    fixed: str
    violations: list[Violation]


def run_sync(work: Coroutine[Any, Any, T]) -> T:
    """Run to its end; inside a running loop (a notebook) in a thread with a loop of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


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

    topic = _one_line(topic)
    settings = _with(settings, **{name: options.get(name) for name in ("model", "rules", "sensitivity")})
    mode, source = _source(text, notes, code)
    if options.get("max_money"):
        check_priced(settings)
    check_embedder(settings)
    language = options.get("language") or await (_language_of_code(source) if mode == "code" else _language(source))
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
        named = topic or _topic(source, settings.sensitivity)
        record = await start(desk, WriteWorkflow(book), request, named, prepare, on_event)
        return _result(record)


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
            chosen = _of_run(settings, record)
            checked_model(chosen)
            if budget.get("money"):
                check_priced(chosen)
        workflow = _workflow(record)
        return _result(await go_on(desk, run_id, lambda _: workflow, on_event, budget))


def _ensure_room(record: RunRecord, budget: Mapping[str, float]) -> None:
    """A run that reached its budget needs a higher one. Seconds count anew from each resumption."""
    known = record.request.get("budget", {})
    for name in (record.result or {}).get("limits", ()):
        if name != "seconds" and name in known and budget.get(name, 0) <= known[name]:
            used_up = f"run {record.id} used up its budget of {known[name]:.10g} {name}"
            raise InputError(f"{used_up}: resume it with --max-{name} above that")


def checkpoints(run_id: str, settings: Settings | None = None) -> list[Checkpoint]:
    """The checkpoints of a run, newest first: where `fork` can begin. Raises UnknownRunError."""

    async def listed() -> list[Checkpoint]:
        from kaozheng.runs.history import checkpoints as known

        async with open_desk(settings or load_settings()) as desk:
            workflow = _workflow(await desk.journal.get(run_id))
            return await known(desk, run_id, lambda _: workflow)

    return run_sync(listed())


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
        workflow = _workflow(record)

        def prepare(folder: Path) -> None:
            # Only now: of a run or a checkpoint that does not exist nobody needs to hear that a key is missing.
            checked_model(_of_run(settings, record))
            for name in (_BOOK, INPUT):
                _copy(Path(record.folder) / name, folder / name)

        return _result(await begin_at(desk, run_id, checkpoint, lambda _: workflow, prepare, on_event))


def _workflow(record: RunRecord) -> WriteWorkflow:
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


def list_runs(limit: int = 50, settings: Settings | None = None) -> list[RunRecord]:
    """The newest runs first."""

    async def listed() -> list[RunRecord]:
        from kaozheng.runs.record import list_runs as newest

        async with open_desk(settings or load_settings()) as desk:
            return await newest(desk, limit)

    return run_sync(listed())


def show_run(run_id: str, settings: Settings | None = None) -> RunView:
    """One run with its events and the versions of its artifacts. Raises UnknownRunError."""

    async def shown() -> RunView:
        from kaozheng.runs.record import show_run as view_of

        async with open_desk(settings or load_settings()) as desk:
            return await view_of(desk, run_id)

    return run_sync(shown())


def review(
    paths: Sequence[str | Path],
    *,
    fix: bool = False,
    unsafe: bool = False,
    settings: Settings | None = None,
    **options: Any,
) -> list[Reviewed]:
    """Check Markdown files by the rule book's checks, and by a model for the other rules when `model` is set.

    With `fix` the texts are mended (in the result, not on disk). Options as in `awrite`: `rules`, `model`, `language`,
    `sensitivity`.
    """
    settings = _with(settings, **{name: options.get(name) for name in ("model", "rules", "sensitivity")})
    return run_sync(_areview([Path(path) for path in paths], fix, unsafe, settings, options.get("language")))


async def _areview(
    paths: Sequence[Path], fix: bool, unsafe: bool, settings: Settings, language: str | None
) -> list[Reviewed]:
    from kaozheng.workflows.review.once import review_text

    checked_model(settings)
    check_embedder(settings)
    reviewed = []
    async with open_model(settings) as model:
        for path in paths:
            if path.is_dir():
                raise InputError(f"{path} is a folder: name the files to review")
            reading = await reader().read(path)
            source = reading.sources[0]
            book = book_of(settings, language or _language_of(source.text))
            fixed, violations = await review_text(source.text, book, model, vectors(settings), fix, unsafe, language)
            reviewed.append(Reviewed(str(path), source.text, fixed, violations))
    return reviewed


def save_fixed(one: Reviewed) -> None:
    """Put the mended text back into its file; its encoding, byte order mark, line ends and untouched lines stay.

    Raises EncodingError when a change cannot be written in the file's encoding, StorageError when the file has changed
    since it was reviewed or cannot be read or written; the file is then left as it is.
    """
    from kaozheng.sources.rewriting import rewritten, same_text
    from kaozheng.wiring import write_bytes

    path = Path(one.path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise StorageError(f"{path}: cannot be read ({error.strerror})") from error
    try:
        if not same_text(data, one.text):
            raise StorageError(f"{path}: has changed since it was read; review it again")
        mended = rewritten(data, one.fixed)
    except EncodingError as error:
        raise EncodingError(f"{path}: left as it is: {error}") from error
    write_bytes(path, mended)


def book_of(settings: Settings, language: str = "zh") -> RuleBook:
    """The chosen rule book, else the bundled one for the language. Raises RuleBookError."""
    from kaozheng.rules.book import load_book

    return load_book(settings.rules or _BOOK_BY_LANGUAGE.get(language, "zh-tech"))


def build_rules(book: str = "", force: bool = False, settings: Settings | None = None) -> dict[str, Any]:
    """Cut the rule book, embed it when an embedder is set, and keep it.

    Says {"book", "pieces", "path", "reused"}: how many pieces, where, and whether they were there already.
    """
    from kaozheng.rules.retrieval import RuleStore
    from kaozheng.wiring import open_embedder

    chosen = _with(settings, rules=book or None)

    async def built() -> dict[str, Any]:
        async with open_embedder(chosen) as embedder:
            loaded = book_of(chosen)
            done = await RuleStore(loaded, vectors(chosen), embedder).build(force=force)
            return {"book": loaded.name, "pieces": done.chunks, "reused": done.reused, "path": done.path}

    return run_sync(built())


def _source(text: str | Path | None, notes: str | Path | None, code: str | Path | None) -> tuple[str, str | Path]:
    """The mode, and a text or a path."""
    given = [(mode, value) for mode, value in (("text", text), ("notes", notes), ("code", code)) if value is not None]
    if len(given) != 1:
        raise InputError("give exactly one of text, notes and code")
    mode, value = given[0]
    if isinstance(value, str) and not value.strip():  # Path("") would be the working folder
        raise SourceError("the text is empty" if mode == "text" else f"{mode}: the path is empty")
    if mode == "code" and not any(one.is_file() for one in Path(value).rglob("*")):
        raise SourceError(f"{value}: no such folder, or no file in it; code is the folder of a code base")
    if isinstance(value, str) and mode == "text":
        return mode, value
    return mode, Path(value)


async def _language(source: str | Path) -> str:
    if isinstance(source, str):
        return _language_of(source)
    reading = await reader().read(source)
    return _language_of("\n".join(one.text[:20_000] for one in reading.sources))


async def _language_of_code(source: str | Path) -> str:
    """That of the code base's README; Chinese when there is none."""
    readmes = await asyncio.to_thread(lambda: sorted(Path(source).glob("[Rr][Ee][Aa][Dd][Mm][Ee]*")))
    files = [one for one in readmes if one.is_file() and not one.is_symlink()]
    return await _language(files[0]) if files else "zh"


def _language_of(text: str) -> str:
    from kaozheng.documents.document import language_of

    return language_of(text) or "zh"


def _one_line(topic: str) -> str:
    """The topic as a heading can hold it. Raises InputError."""
    from kaozheng.documents.characters import without_controls
    from kaozheng.roles.structure import own_title
    from kaozheng.roles.titles import clean_title

    try:
        topic.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError("the topic is not text: it holds half of a surrogate pair") from None
    line = " ".join(without_controls(topic).split())
    title = clean_title(line)
    if line and (not title or own_title(title, "zh") != title):  # those names belong to parts of every document
        raise InputError(f"{line!r} cannot be the topic: name what the document is about")
    return re.sub(r"^#{1,6}\s+", "", line)


def _topic(source: str | Path, sensitivity: Sensitivity) -> str:
    """What names the run's folder when no topic was given. Words of a secret text must not stand in a name."""
    if isinstance(source, Path):
        return source.resolve().stem
    if sensitivity == "secret":
        return "secret"
    return next(line.strip(" #") for line in source.split("\n") if line.strip())


def _of_run(settings: Settings, record: RunRecord) -> Settings:
    """The settings with what the run chose when it was started."""
    chosen = {name: record.request.get(name) or default for name, default in OF_THE_RUN.items()}
    return _with(settings, **chosen)


def _with(settings: Settings | None, **chosen: Any) -> Settings:
    settings = settings or load_settings()
    if (level := chosen.get("sensitivity")) is not None and level not in SENSITIVITIES:
        raise InputError(f"sensitivity {level!r} is not known: give one of {', '.join(SENSITIVITIES)}")
    return settings.model_copy(update={name: str(value) for name, value in chosen.items() if value is not None})


def _result(record: RunRecord) -> WriteResult:
    made = record.result or {}
    try:
        document = Path(made["document"]).read_text(encoding="utf-8")
        report = json.loads(Path(made["report"]).read_text(encoding="utf-8"))
    except OSError as error:
        raise StorageError(f"{error.filename}: what the run made cannot be read ({error.strerror})") from error
    return WriteResult(record.id, Path(record.folder), document, report, record.usage, record.exit_code or 0)


def check_output(path: Path) -> None:
    """Raises InputError when nothing can be written at `path`: better before a run than after it. Leaves no trace."""
    from kaozheng.wiring import check_writable

    check_writable(path)


def save_document(result: WriteResult, path: Path) -> None:
    """Put the document at `path`; its relative links lead to the same files from there. Raises StorageError."""
    from kaozheng.documents.links import moved_links

    save(moved_links(result.document, result.folder, path.resolve().parent), path)


def save(text: str, path: Path) -> None:
    """Put `text` at `path`, wholly or not at all. Raises StorageError."""
    from kaozheng.wiring import write_file

    write_file(path, text)


def graph_mermaid(workflow: str, rules: str | None = None) -> str:
    """The workflow's graph as Mermaid text."""
    from kaozheng.workflows.picture import mermaid

    return mermaid(_graph(workflow, rules))


def graph_svg(workflow: str, rules: str | None = None) -> str:
    """The workflow's graph as an SVG picture, drawn offline."""
    from kaozheng.workflows.picture import svg

    return svg(_graph(workflow, rules))


def _graph(workflow: str, rules: str | None) -> Any:
    from kaozheng.workflows.write.graph import build

    if workflow != "write":
        raise InputError(f"no workflow {workflow!r}; there is: write")
    return build(book_of(_with(None, rules=rules))).compile()


def doctor(settings: Settings | None = None, *, ping: bool = False) -> list[Finding]:
    """What is configured and what is missing; no secret is shown. With `ping` each configured model is asked for one
    word, which costs a few tokens; a model that is wrongly configured is not asked."""
    from kaozheng import wiring

    settings = settings or load_settings()
    findings = wiring.diagnose(settings)
    if ping and all(one.ok for one in findings if one.what == "model"):
        findings += run_sync(wiring.ping(settings))
    return findings
