"""What the caller chose, on top of the settings: model, rule book, what a run keeps of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from kaozheng.errors import InputError
from kaozheng.models.messages import SENSITIVITIES
from kaozheng.settings import Settings, load_settings
from kaozheng.wiring import OF_THE_RUN, check_embedder, check_priced, check_reranker, checked_model

if TYPE_CHECKING:
    from kaozheng.journal import RunRecord
    from kaozheng.rules.rule import RuleBook

Citations = Literal["footnote", "none"]
LIMITS: Final = ("tokens", "calls", "seconds", "money")
"""What a budget may limit; callers write `max_tokens` and so on."""
_BOOK_BY_LANGUAGE = {"zh": "zh-tech", "en": "en-tech"}


def book_of(settings: Settings, language: str = "zh") -> RuleBook:
    """The chosen rule book, else the bundled one for the language. Raises RuleBookError."""
    from kaozheng.rules.book import load_book

    return load_book(settings.rules or _BOOK_BY_LANGUAGE.get(language, "zh-tech"))


def of_run(settings: Settings, record: RunRecord) -> Settings:
    """The settings with what the run chose when it was started."""
    chosen = {name: record.request.get(name) or default for name, default in OF_THE_RUN.items()}
    return with_choices(settings, **chosen)


def with_choices(settings: Settings | None, **chosen: Any) -> Settings:
    """The settings, or those of the environment, with what is not None of `chosen` on top. Raises InputError."""
    settings = settings or load_settings()
    if (level := chosen.get("sensitivity")) is not None and level not in SENSITIVITIES:
        raise InputError(f"sensitivity {level!r} is not known: give one of {', '.join(SENSITIVITIES)}")
    return settings.model_copy(update={name: str(value) for name, value in chosen.items() if value is not None})


def budget_of(options: Mapping[str, Any]) -> dict[str, float]:
    """The limits among the options (`max_tokens`, `max_calls`, `max_seconds`, `max_money`), by what they limit."""
    return {name: value for name in LIMITS if (value := options.get(f"max_{name}"))}


def checked(settings: Settings, budget: Mapping[str, float]) -> str:
    """The model that a run will ask, "" for the offline twins: all that a run needs of the settings is looked at before
    it is made. Raises SettingsError, CredentialsError or MissingExtraError."""
    if budget.get("money"):
        check_priced(settings)
    check_embedder(settings)
    check_reranker(settings)
    return checked_model(settings)
