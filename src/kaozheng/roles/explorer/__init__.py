"""Explores a repository of code and says what it is, statement by statement, each with the lines it rests on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from kaozheng.aside import aside
from kaozheng.errors import ToolsRefusedError
from kaozheng.models.answer import Answer, object_or
from kaozheng.models.messages import Call
from kaozheng.models.model import Model
from kaozheng.models.tool_call import ToolCall
from kaozheng.ports import Emit
from kaozheng.roles.explorer.merging import merged
from kaozheng.roles.explorer.offline.survey import survey
from kaozheng.roles.explorer.overview import CHAPTERS, Overview, Remark
from kaozheng.roles.explorer.statements import SaidOverview, Sieve
from kaozheng.roles.explorer.surroundings import first_sight, outlines
from kaozheng.roles.prompts import prompt, quoted
from kaozheng.sources.code import CodeShelf
from kaozheng.sources.fetching import Fetcher
from kaozheng.tools.breaker import Tally
from kaozheng.tools.exploring import exploring_tools
from kaozheng.tools.gateway import Admitted, Gateway
from kaozheng.tools.loop import Conversation, LoopLimits, converse
from kaozheng.tools.web_reach import WebReach, links_in, without_links

__all__ = ["CHAPTERS", "Exploration", "Explored", "FetchedLink", "Overview", "Remark", "explore", "survey"]

ALLOWED = ("list_tree", "search_keyword", "get_file_outline", "read_file", "fetch_webpage", "get_current_date")
_MOST_LINKS = 5
_LIMITS = LoopLimits()
_WISH = {"zh": "描述这个仓库。", "en": "Describe this repository."}
_UNREAD = "without a model no page is fetched"
_TOO_MANY = f"only the first {_MOST_LINKS} links are fetched"
_UNTOLD = "what the model said could not be found in the code"


def _unheard(kind: str, data: dict[str, Any]) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """What is to be explored, for whom. `topic` are the user's own words: its links are fetched first, its other words
    are the title. `fetcher` None: nothing of the web is fetched; `open_web`: so may be what the user did not name."""

    shelf: CodeShelf
    language: Literal["zh", "en"]
    now: Callable[[], datetime]
    topic: str = ""
    fetcher: Fetcher | None = None
    open_web: bool = False
    emit: Emit = _unheard


@dataclass(frozen=True, slots=True)
class FetchedLink:
    """A link of the request, and why no page came from it; "" when one did."""

    url: str
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Explored:
    """The overview with how it came about. `said` counts the model's statements in it, `dropped` tells of each that did
    not hold. `ended` and `why` say how the looking around ended ("" when there was none)."""

    overview: Overview
    said: int = 0
    dropped: tuple[str, ...] = ()
    links: tuple[FetchedLink, ...] = ()
    tally: Tally = field(default_factory=Tally)
    ended: str = ""
    why: str = ""


async def explore(model: Model | None, task: Exploration) -> Answer[Explored]:
    """The overview: the survey's facts, and what the model found out in at most 6 rounds of tool calls, every place and
    name of it checked. Offline: the survey alone, and so where the model fails, or nothing that it says holds.

    Raises ModelRefusedError (key, unknown model); a model that takes no tools is asked once, with outlines instead.
    """
    facts = await aside(survey, task.shelf, task.language, without_links(task.topic))
    links = links_in(task.topic)
    if model is None:
        return Answer(Explored(facts, links=tuple(FetchedLink(url, _UNREAD) for url in links)), "offline")
    tools = exploring_tools(task.shelf, task.now, task.fetcher, WebReach(links, task.open_web))
    allowed = [tool.name for tool in tools if tool.name in ALLOWED]
    gateway = Gateway(tools, allowed, task.language, emit=task.emit)
    pages = await _pages(task, gateway, links[:_MOST_LINKS])
    asked = {"topic": task.topic or _WISH[task.language], "material": await _material(task, pages)}
    talk = await _looked_around(model, task, gateway, asked)
    sieve = Sieve(task.shelf)
    answer = await _overview(model, task, asked, talk, sieve)
    fetched = tuple(FetchedLink(url, "" if came else text.removeprefix("error: ")) for url, text, came in pages)
    fetched += tuple(FetchedLink(url, _TOO_MANY) for url in links[_MOST_LINKS:])
    tally, ended, why = (talk.tally, talk.ended, talk.why) if talk else (Tally(), "no tools", "it takes no tools")
    explored = Explored(facts, 0, sieve.dropped, fetched, tally, ended, why)
    if not sieve.held:
        reason = answer.reason or _UNTOLD
        return Answer(explored, "fallback", reason, model.name, answer.out_of_budget or ended == "budget")
    whole = Explored(merged(facts, sieve.held), len(sieve.held), sieve.dropped, fetched, tally, ended, why)
    return Answer(whole, "model", model=model.name)


async def _looked_around(
    model: Model, task: Exploration, gateway: Gateway, asked: dict[str, str]
) -> Conversation | None:
    """The conversation with tools; None when the model takes none."""
    limits = {"rounds": str(_LIMITS.rounds), "calls": str(_LIMITS.calls)}
    messages = prompt("explorer", task.language, **asked, **limits)
    try:
        return await converse(model, Call("explorer", "explore", messages), gateway, _LIMITS)
    except ToolsRefusedError:
        return None


async def _overview(
    model: Model, task: Exploration, asked: dict[str, str], talk: Conversation | None, sieve: Sieve
) -> Answer[SaidOverview]:
    """The model's statements as they came; what holds of them is in the sieve afterwards."""
    found = talk.findings() if talk and talk.tally.gained else ""
    if talk and talk.ended in ("failed", "budget") and not found:
        # Asked once more it would fail the same way, at the price of all its time-outs.
        return Answer(SaidOverview(), "fallback", talk.why, model.name, talk.ended == "budget")
    evidence = found or await aside(outlines, task.shelf)
    messages = prompt("explorer", task.language, file="overview", **asked, evidence=quoted("evidence", evidence))
    call = Call("explorer", "explore/overview", messages)
    return await object_or(model, call, SaidOverview, otherwise=SaidOverview, check=sieve)


async def _material(task: Exploration, pages: list[tuple[str, str, bool]]) -> str:
    seen = await aside(first_sight, task.shelf)
    return "\n\n".join([quoted("material", seen), *(f"{url}\n{text}" for url, text, _ in pages)])


async def _pages(task: Exploration, gateway: Gateway, links: tuple[str, ...]) -> list[tuple[str, str, bool]]:
    """(address, what came of it, whether a page came) for the links of the request, fetched side by side."""

    async def one(url: str) -> tuple[str, str, bool]:
        if task.fetcher is None:
            return url, "no page is fetched here", False
        admitted = gateway.admit(ToolCall("link", "fetch_webpage", json.dumps({"url": url})))
        result = await gateway.run(admitted) if isinstance(admitted, Admitted) else admitted
        return url, result.text, result.status == "done"

    return list(await asyncio.gather(*map(one, links)))
