"""The judged part of a review: what a model says about rules that no check covers, window by window."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from kaozheng.documents.document import Document
from kaozheng.documents.span import Span
from kaozheng.documents.tokens import estimate_tokens
from kaozheng.models.limits import Lanes
from kaozheng.models.model import Model
from kaozheng.roles.reviewer import judge
from kaozheng.rules.retrieval import RuleStore
from kaozheng.rules.rule import Module
from kaozheng.rules.violation import Violation

REVIEWERS = 5
_WINDOW_TOKENS = 6_000
_FIELDS = ("violations", "dropped", "unjudged", "out_of_budget", "failed")


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a review is for, and under which purpose a part of it is asked."""

    name: str
    asked: Callable[[str], str] = str


@dataclass(frozen=True, slots=True)
class Judgements:
    """What a model found in one module; `unjudged` says why some was not judged, `failed` by which calls."""

    violations: tuple[Violation, ...] = ()
    dropped: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    out_of_budget: tuple[bool, ...] = ()
    failed: tuple[str, ...] = ()

    def to_json(self) -> str:
        rows = [
            {"rule": one.rule, "message": one.message, "quote": one.quote, "start": one.span.start}
            for one in self.violations
        ]
        return json.dumps({"violations": rows, "dropped": self.dropped, "unjudged": self.unjudged}, ensure_ascii=False)


async def judgements(
    model: Model | None, document: Document, module: Module, store: RuleStore, lanes: Lanes, purpose: Purpose
) -> Judgements:
    """Ask about the module's rules that have no check; nothing is asked when there is no model or no such rule."""
    open_rules = [rule.number for rule in module.rules if not rule.check]
    if model is None or not open_rules:
        return Judgements()
    retrieved = await store.retrieve(module)
    numbers = [number for number in open_rules if number in retrieved.numbers]
    rules = "\n".join(f"- {chunk.text}" for chunk in retrieved.chunks if set(chunk.numbers) & set(numbers))
    lane = lanes.of("review", REVIEWERS)

    async def one(part: int, window: Span) -> Judgements:
        async with lane:
            inner = Document(document.quote(window))
            name = f"{purpose.name}/part{part}"
            answer = await judge(model, inner, module.title, rules, numbers, purpose.asked(name))
        moved = tuple(_moved(violation, window.start, document) for violation in answer.value.violations)
        unjudged = (answer.reason,) if answer.by != "model" else ()
        failed = (name,) if answer.by == "fallback" else ()
        return Judgements(moved, answer.value.dropped, unjudged, (True,) if answer.out_of_budget else (), failed)

    parts = await asyncio.gather(*(one(part, window) for part, window in enumerate(windows(document), start=1)))
    return Judgements(*(tuple(item for part in parts for item in getattr(part, name)) for name in _FIELDS))


def restored(text: str, document: Document) -> list[Violation]:
    """Judged violations of an earlier step whose quotes still stand in `document`, nearest to where they were."""
    found = []
    for row in json.loads(text)["violations"]:
        places = _places(document.text, row["quote"])
        if places:
            start = min(places, key=lambda at: abs(at - row["start"]))
            span = Span(start, start + len(row["quote"]))
            found.append(
                Violation(row["rule"], None, row["message"], span, document.lines_of(span), row["quote"], None)
            )
    return found


def windows(document: Document) -> list[Span]:
    """The draft in pieces of about 6,000 tokens that end before a heading, or where a block ends."""
    borders = sorted({block.span.start for block in document.blocks if block.depth == 0} | {0})
    heads = {heading.span.start for heading in document.headings}
    spans: list[Span] = []
    start = 0
    for place, border in enumerate(borders[1:], start=1):
        following = borders[place + 1] if place + 1 < len(borders) else len(document.text)
        tokens = estimate_tokens(document.text[start:following])
        if border > start and (tokens > _WINDOW_TOKENS or (border in heads and tokens > 0.7 * _WINDOW_TOKENS)):
            spans.append(Span(start, border))
            start = border
    return [*spans, Span(start, len(document.text))]


def _moved(violation: Violation, by: int, document: Document) -> Violation:
    span = Span(violation.span.start + by, violation.span.end + by)
    return replace(violation, span=span, lines=document.lines_of(span))


def _places(text: str, quote: str) -> Sequence[int]:
    places = []
    at = text.find(quote)
    while at >= 0 and quote:
        places.append(at)
        at = text.find(quote, at + 1)
    return places
