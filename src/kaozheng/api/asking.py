"""Ask the knowledge bases a question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kaozheng.api.choosing import with_choices
from kaozheng.api.running import run_sync
from kaozheng.errors import InputError
from kaozheng.models.budget import Budget
from kaozheng.settings import Settings
from kaozheng.sources.index import LABELS, Within
from kaozheng.wiring import check_embedder, check_priced, checked_model, open_knowledge, reader

if TYPE_CHECKING:
    from kaozheng.runs.knowledge_desk import KnowledgeDesk
    from kaozheng.workflows.ask.request import AskRequest
    from kaozheng.workflows.ask.result import AskResult
    from kaozheng.workflows.ask.telling import OnAskEvent

_LIMITS = ("tokens", "calls", "seconds", "money")


def ask(
    question: str,
    *,
    kb: Sequence[str] = (),
    session: str = "",
    article: str | Path | None = None,
    on_event: OnAskEvent | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> AskResult:
    """Answer a question from the knowledge bases: each sentence with the place that it rests on, or an honest "not
    found". See `aask` for the options."""
    asked = aask(question, kb=kb, session=session, article=article, on_event=on_event, settings=settings, **options)
    return run_sync(asked)


async def aask(
    question: str,
    *,
    kb: Sequence[str] = (),
    session: str = "",
    article: str | Path | None = None,
    on_event: OnAskEvent | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> AskResult:
    """The async twin of `ask`. `kb` names the bases to search (all when empty), `session` continues a conversation,
    `article` is a text, or the Path of a file, that the question is about.

    Options: `model` ("openai:NAME"), `language` ("zh" | "en"; "" that of the question), `strict` (drop sentences that
    nothing supports), `new_session`, `history` (turns, in place of a session), `sensitivity` ("open" | "internal" |
    "secret"), `domain`, `data_type`, `data_period`, `level` (lists of labels to search within), `live_progress`,
    `stream_answer`, `article_name`, `max_tokens`, `max_calls`, `max_seconds`, `max_money`, `desk` (one that is open
    already, with these settings).
    Raises InputError (also for an unknown base or session), ModelRefusedError, StorageError.
    """
    settings = with_choices(settings, **{name: options.get(name) for name in ("model", "sensitivity")})
    checked_model(settings)
    check_embedder(settings)
    if options.get("max_money"):
        check_priced(settings)
    request = await _request(question, settings, kb=kb, session=session, article=article, **options)
    if (desk := options.get("desk")) is not None:
        return await answer(desk, request, on_event)
    async with open_knowledge(settings) as opened:
        return await answer(opened, request, on_event)


def load_answering() -> None:
    """Load what the first question would else wait for (the graph engine takes a second, the dictionary some tenths).
    May be called in a thread."""
    from kaozheng.workflows.ask.graph import compiled
    from kaozheng.workflows.ask.preparing import ANALYSER

    compiled()
    ANALYSER.terms("预热")


async def answer(desk: KnowledgeDesk, request: AskRequest, on_event: OnAskEvent | None = None) -> AskResult:
    """Answer at an open desk; see `aask` for what it raises. Cancelling it frees everything."""
    from kaozheng.runs.asking import answer as answered

    return await answered(desk, request, on_event)


async def _request(question: str, settings: Settings, **options: Any) -> AskRequest:
    from kaozheng.workflows.ask.request import AskRequest

    article, name = options.get("article"), options.get("article_name", "")
    if isinstance(article, Path):
        if article.is_dir():
            raise InputError(f"{article}: the article is a folder; name a file, or kaozheng kb add the folder")
        source = (await reader().read(article)).sources[0]
        article, name = source.text, name or str(article)
    labels = {label: tuple(options.get(label) or ()) for label in LABELS}
    chosen = {
        option: options[option]
        for option in ("language", "strict", "new_session", "history", "live_progress", "stream_answer", "owner")
        if options.get(option) is not None
    }
    limits = {limit: options[f"max_{limit}"] for limit in _LIMITS if options.get(f"max_{limit}")}
    return AskRequest(
        question,
        tuple(options["kb"]),
        options["session"],
        article=article or "",
        article_name=name,
        within=Within((), **labels),
        sensitivity=settings.sensitivity,
        budget=Budget(**limits),
        **chosen,
    )
