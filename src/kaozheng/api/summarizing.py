"""Summarise something long, or say beforehand how large that would be."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast, get_args

from kaozheng.api.choosing import Citations, budget_of, checked, with_choices
from kaozheng.api.inputs import plain_line, text_or_path, topic_of
from kaozheng.api.results import RunResult, result_of
from kaozheng.api.running import OnEvent, run_sync
from kaozheng.aside import aside
from kaozheng.errors import InputError
from kaozheng.models.messages import Sensitivity
from kaozheng.settings import Settings
from kaozheng.wiring import open_desk, reader

if TYPE_CHECKING:
    from kaozheng.journal import RunRecord
    from kaozheng.workflows.summarize.sizes import SizePlan
    from kaozheng.workflows.summarize.workflow import SummarizeWorkflow

_LANGUAGES = ("zh", "en")
_LONGEST_FOCUS = 500  # characters: it stands in every prompt


class SummaryOptions(TypedDict, total=False):
    """What else may be chosen; `summarize` says what each means."""

    model: str | None
    language: str | None
    citations: Citations
    sensitivity: Sensitivity | None
    max_tokens: int | None
    max_calls: int | None
    max_seconds: float | None
    max_money: float | None


def summarize(
    source: str | Path,
    *,
    focus: str = "",
    ratio: float | None = None,
    sections: int | None = None,
    on_event: OnEvent | None = None,
    settings: Settings | None = None,
    **options: Unpack[SummaryOptions],
) -> RunResult:
    """Summarise a text (a str), or the Path of a file or of a folder of them, of any length.

    `focus`: what the reader wants to know above all. `ratio`: the summary's share of the text, above 0 and at most 1;
    left out, it follows from the length. `sections`: how many, 1 to 40.
    Options: `model` ("openai:NAME", "" for offline), `language` of prompts and report ("zh" | "en", by default that of
    the text), `citations` ("footnote" | "none"), `sensitivity` ("open" | "internal" | "secret": secret texts go to
    private providers only, and stay in the run's folder), `max_tokens`, `max_calls`, `max_seconds`, `max_money` (in US
    dollars).
    Raises InputError before a run is made when the input, a number or the model cannot be used; StoppedError when the
    run was stopped.
    """
    wanted: dict[str, Any] = {"focus": focus, "ratio": ratio, "sections": sections}
    return run_sync(asummarize(source, on_event=on_event, settings=settings, **wanted, **options))


async def asummarize(
    source: str | Path,
    *,
    focus: str = "",
    ratio: float | None = None,
    sections: int | None = None,
    on_event: OnEvent | None = None,
    settings: Settings | None = None,
    **options: Unpack[SummaryOptions],
) -> RunResult:
    """The async twin of `summarize`, which tells the options."""
    from kaozheng.runs.runner import start
    from kaozheng.workflows.summarize.workflow import INPUT, SummarizeWorkflow

    _check(options)
    chosen: Mapping[str, Any] = options
    settings = with_choices(settings, **{name: chosen.get(name) for name in ("model", "sensitivity")})
    budget = budget_of(options)
    given = text_or_path(source)
    request = {
        "source": str(given.resolve()) if isinstance(given, Path) else "",
        "focus": plain_line(focus, "focus", _LONGEST_FOCUS),
        "language": options.get("language"),
        "ratio": ratio,
        "wanted_sections": sections,
        "citations": options.get("citations", "footnote"),
        "date": datetime.now().astimezone().date().isoformat(),
        "model": checked(settings, budget),
        "sensitivity": settings.sensitivity,
        "budget": budget,
    }
    # Once more in the run: better to read twice than to leave a failed run behind for an empty file.
    await _planned(given, request)

    def prepare(folder: Path) -> None:
        if isinstance(given, str):
            (folder / INPUT).write_text(given, encoding="utf-8")

    async with open_desk(settings) as desk:
        named = topic_of(given, settings.sensitivity)
        return result_of(await start(desk, SummarizeWorkflow(), request, named, prepare, on_event))


def plan_summary(
    source: str | Path, *, ratio: float | None = None, sections: int | None = None, language: str | None = None
) -> SizePlan:
    """How large a summary would be, and the calls and tokens of each stage on the way to it: no run is made and no
    model asked. `told(language)` gives it in lines, `reach(calls, tokens)` says how far a budget leads. Raises
    InputError."""
    return planned_summary(source, ratio=ratio, sections=sections, language=language)[1]


def planned_summary(
    source: str | Path, *, ratio: float | None = None, sections: int | None = None, language: str | None = None
) -> tuple[str, SizePlan]:
    """`plan_summary`, with the language of the text before it ("zh" or "en")."""
    _check({"language": language})
    wanted = {"ratio": ratio, "wanted_sections": sections, "language": language}
    return run_sync(_planned(text_or_path(source), wanted))


async def _planned(given: str | Path, wanted: Mapping[str, Any]) -> tuple[str, SizePlan]:
    from kaozheng.sources.source import Reading, Source
    from kaozheng.workflows.summarize.sizes import MOST_SECTIONS
    from kaozheng.workflows.summarize.splitting import prepared
    from kaozheng.workflows.summarize.workflow import INPUT

    ratio, sections = wanted["ratio"], wanted["wanted_sections"]
    if ratio is not None and not 0 < ratio <= 1:
        raise InputError(f"ratio {ratio:g}: give a share of the text above 0 and at most 1 (0.2 is a fifth of it)")
    if sections is not None and (sections != int(sections) or not 1 <= sections <= MOST_SECTIONS):
        raise InputError(f"sections {sections}: give a number from 1 to {MOST_SECTIONS}")
    reading = Reading([Source.of(given, INPUT)], []) if isinstance(given, str) else await reader().read(given)
    material, _, sizes = await aside(prepared, reading, {name: one for name, one in wanted.items() if one})
    return material.language, sizes


def workflow_of(record: RunRecord) -> SummarizeWorkflow:
    """The workflow: all that a run of it chose stands in its request."""
    from kaozheng.workflows.summarize.workflow import SummarizeWorkflow

    return SummarizeWorkflow()


def _check(options: SummaryOptions) -> None:
    """A misspelt option would silently have no effect. Raises TypeError for that, InputError for an unknown value."""
    if unknown := set(options) - set(SummaryOptions.__annotations__):
        raise TypeError(f"summarize() got an unexpected keyword argument {min(unknown)!r}")
    for name, known in (("language", _LANGUAGES), ("citations", get_args(Citations))):
        value = cast("Mapping[str, Any]", options).get(name)
        if value is not None and value not in known:
            raise InputError(f"{name} {value!r} is not known: give one of {', '.join(known)}")
