"""Which models answer the calls of a run, and what stands around each of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Hashable, Iterable
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path

from kaozheng.errors import SettingsError
from kaozheng.models.budget import Budget, Budgeted
from kaozheng.models.continuing import Continuing
from kaozheng.models.limits import Limited, Slots
from kaozheng.models.looping import Unlooped
from kaozheng.models.messages import Call, Weight
from kaozheng.models.metered import CallReport, Metered
from kaozheng.models.model import Model
from kaozheng.models.prices import Prices, load_prices
from kaozheng.models.retrying import Retrying
from kaozheng.models.routing import Classified, Fallback, FallbackChain, Routed
from kaozheng.models.timed import Timed
from kaozheng.models.usage import Usage
from kaozheng.ports import Emit
from kaozheng.providers.clients import check_environment
from kaozheng.providers.models.choosing import Endpoint, endpoint
from kaozheng.providers.models.shared import SharedModel
from kaozheng.providers.pool import PROCESS, Visit
from kaozheng.settings import Settings, listed


def checked_model(settings: Settings) -> str:
    """The chosen model as PROVIDER:NAME, or "" for the offline twins. Light and fallback models are checked with it.

    Raises SettingsError, CredentialsError or MissingExtraError, before anything starts: also when texts are secret and
    none of the models that write is private.
    """
    if not settings.model:
        return ""
    for text in configured_models(settings):
        if base_url := endpoint_of(settings, text).base_url:
            check_environment(base_url)
    deep = [endpoint_of(settings, text) for text in _deep(settings)]
    if settings.sensitivity == "secret" and not any(one.private for one in deep):
        raise SettingsError(
            f"the texts are secret and no model of {', '.join(map(str, deep))} is private: choose one that is (local, "
            "vllm, ollama, gguf), mark a provider of your own in KAOZHENG_PRIVATE_PROVIDERS, or leave the model out to "
            "work offline"
        )
    return str(endpoint_of(settings, settings.model))


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
        chosen = endpoint_of(settings, text)
        if not chosen.provider.private and table.of(chosen.name) is None:
            raise SettingsError(
                f"max_money: no price is known for {chosen.name!r}; put it into a file like models/prices.toml and "
                "name that in KAOZHENG_PRICES, or limit calls, tokens or seconds"
            )


@asynccontextmanager
async def open_model(settings: Settings) -> AsyncIterator[Model | None]:
    """The chosen model outside of a run (no ledger, no budget); None for the offline twins."""
    async with PROCESS.visit() as visit:
        yield outermost(model_of(settings, visit), settings)


def model_of(settings: Settings, visit: Visit, emit: Emit | None = None) -> Model | None:
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


def budgeted_model(
    settings: Settings, visit: Visit, emit: Emit, budget: Budget, spent: Usage | None = None
) -> Budgeted | None:
    """Who answers within a budget, of which `spent` is used up already; `emit` is told when it is reached."""
    model = model_of(settings, visit, emit)
    if model is None:
        return None

    def reached(purpose: str, said: str) -> None:
        emit("budget", {"purpose": purpose, "reached": said})

    return Budgeted(model, budget, spent=spent, prices=prices(settings), on_reached=reached)


def _provider(settings: Settings, text: str, visit: Visit, ours: dict[Hashable, Slots], emit: Emit | None) -> Model:
    """One provider with what every call needs, from the inside out: a stop for circles, time-outs, a place among the
    calls of the process and one among the calls of this run, retries."""
    chosen = endpoint_of(settings, text)
    timed = with_timeouts(Unlooped(SharedModel(chosen, visit)), chosen, settings)
    of_process = Limited(timed, visit.slots(chosen.account, chosen.provider.at_once))
    of_run = Limited(of_process, ours.setdefault(chosen.account, Slots(settings.at_once)))
    return Retrying(of_run, on_retry=(lambda retry: emit("retry", asdict(retry))) if emit else None)


def with_timeouts(model: Model, chosen: Endpoint, settings: Settings) -> Timed:
    """The model, given up when it is silent for longer than the operator, or its provider, allows."""
    first_s = max(settings.first_token_s, chosen.provider.first_token_s)
    return Timed(model, first_s, settings.between_tokens_s, settings.call_s)


def endpoint_of(settings: Settings, text: str) -> Endpoint:
    """The endpoint that `text` (PROVIDER:NAME) means with these settings. Raises as `choosing.endpoint`."""
    return endpoint(text, settings.read, listed(settings.private_providers), settings.call_s, settings.connect_s)


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
    return tuple(text for text in known if endpoint_of(settings, text).private) or known


def outermost(model: Model | None, settings: Settings) -> Model | None:
    """The wrappers that stand outside of the ledger, where a run has one."""
    return None if model is None else Classified(Continuing(model), settings.sensitivity)


def reported(model: Model, budgeted: Budgeted, settings: Settings, emit: Emit) -> Model:
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
    return str(endpoint_of(settings, (chain(settings) or _deep(settings))[0]))
