"""What the caller chose, on top of the settings: model, rule book, what a run keeps of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kaozheng.errors import InputError
from kaozheng.models.messages import SENSITIVITIES
from kaozheng.settings import Settings, load_settings
from kaozheng.wiring import OF_THE_RUN

if TYPE_CHECKING:
    from kaozheng.journal import RunRecord
    from kaozheng.rules.rule import RuleBook


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
