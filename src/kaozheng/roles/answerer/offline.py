"""The answerer's twin: the sentences of the evidence that answer, in their own words, each with its label."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kaozheng.evidence.numbers import find_numbers
from kaozheng.roles.answerer.refusing import GREETINGS, REFUSALS
from kaozheng.roles.answerer.statements import Said, statements
from kaozheng.sources.ranking import terms
from kaozheng.sources.telling import lacking, telling, wanted, without_comparing

if TYPE_CHECKING:
    from kaozheng.evidence.bundle import EvidenceItem
    from kaozheng.roles.answerer import AnswerTask

_MOST = {"qa": 3, "summary": 6, "compare": 4}
_LEAST_SHARE = 0.15
"""Of the weight of a question's terms that a statement with its surroundings must have to count as an answer. Low:
whether the evidence is enough was judged before (`sufficient`)."""
_NEAR_BEST = 0.7
_BESIDE = 0.5  # a term that stands in the heading or the sentence before counts half
_RIGHT_KIND = 0.15
_FIRST = 0.1
_LONGEST = 400
_TAIL = 6
_POINTING = re.compile(r"^(?:它|他|她|其|该|此|这|上述|前者|后者|It |They |This |These |That |He |She |Its |Their )")
_OPEN_END = re.compile(r"[：:]\s*\**$")
_CLAUSE = re.compile(r"(?<=[；;])\s*")
_STOPS = "。.！!？?…"
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class _Rated:
    said: Said
    rank: int
    score: float
    share: float
    has: frozenset[str]


def answer(task: AnswerTask) -> str:
    """Markdown in the words of the evidence; the refusal where nothing of it answers."""
    if task.kind == "chat":
        return GREETINGS[task.language]
    if not task.sufficient or not task.bundle.items:
        return REFUSALS[task.language]
    if task.kind == "compare" and task.targets:
        return _compared(task)
    items = task.bundle.items
    chosen = _summed_up(task.question, items) if task.kind == "summary" else _answering(task.question, items)
    return _written(chosen, as_list=task.kind == "summary") if chosen else REFUSALS[task.language]


def _compared(task: AnswerTask) -> str:
    """A part for each target. Where one has no evidence, it is said: nothing is compared with nothing."""
    parts: list[str] = []
    found = False
    most = _MOST["compare"]
    rest = without_comparing(task.question, task.targets)
    for target in task.targets:
        items = task.bundle.of_target(target) or tuple(
            item
            for item in task.bundle.items
            if target.casefold() in " ".join((item.title, *item.path, item.text)).casefold()
        )
        # What was found for a target is told of even where none of it has the words of the question.
        chosen = (_answering(f"{target} {rest}", items, most) if rest else []) or _summed_up(rest, items, most)
        chosen = _about(target, chosen, task.language)
        found = found or bool(chosen)
        missing = "未找到相关资料。" if task.language == "zh" else "Nothing was found about it."
        parts.append(f"**{target}**\n\n{_written(chosen) if chosen else missing}")
    return "\n\n".join(parts) if found else REFUSALS[task.language]


def _about(target: str, chosen: list[list[Said]], language: str) -> list[list[Said]]:
    """Of what was chosen the statements, and of a statement the clauses, that name the target; all where none does."""
    named: list[list[Said]] = []
    for part in chosen:
        for said in part:
            clauses = [one for one in _CLAUSE.split(said.text) if target.casefold() in one.casefold()]
            if clauses and said.kind != "code":
                text = "".join(clauses).rstrip("；; ")
                named.append(
                    [replace(said, text=text if text[-1] in _STOPS else f"{text}{'。' if language == 'zh' else '.'}")]
                )
    return named or chosen


def _answering(question: str, items: Sequence[EvidenceItem], most: int = _MOST["qa"]) -> list[list[Said]]:
    """The best statements, each with what it needs to be understood; a further one only when it adds a term."""
    rated = sorted(_rated(question, items), key=lambda one: -one.score)
    best = rated[0].score if rated else 0.0
    kind = wanted(question)
    if rated and kind in ("date", "number") and _is_kind(kind, rated[0].said.text):
        rated = [one for one in rated if _is_kind(kind, one.said.text)]
    chosen: list[_Rated] = []
    covered: set[str] = set()
    for one in rated:
        if one.share < _LEAST_SHARE or one.score < _NEAR_BEST * best or len(chosen) == most:
            break
        adds = not chosen or one.has - covered or most > _MOST["qa"] or kind in ("way", "reason")
        if adds and not any(_same(one.said.text, other.said.text) for other in chosen):
            chosen.append(one)
            covered |= one.has
    taken: set[tuple[str, int]] = set()
    return [
        part
        for one in sorted(chosen, key=lambda one: (one.rank, one.said.place))
        if (part := _understandable(one.said, taken))
    ]


def _summed_up(question: str, items: Sequence[EvidenceItem], most: int = _MOST["summary"]) -> list[list[Said]]:
    """The statements that have most in common with all the others, of as many items as there are, in their order."""
    rated = [said for item in items for said in statements(item) if said.kind != "code"]
    bags = [Counter(terms(said.text)) for said in rated]
    df = Counter(term for bag in bags for term in bag)
    asked = set(telling(question))
    worth = [
        sum(math.log(1 + df[term]) * (2 if term in asked else 1) for term in bag) / math.sqrt(8 + sum(bag.values()))
        for bag in bags
    ]
    order = sorted(range(len(rated)), key=lambda at: -worth[at])
    per_item = max(1, most // max(1, len(items)))
    kept: list[int] = []
    for at in order:
        alike = any(_same(rated[at].text, rated[other].text) for other in kept)
        if not alike and sum(rated[other].item is rated[at].item for other in kept) < per_item:
            kept.append(at)
        if len(kept) == most:
            break
    return [[rated[at]] for at in sorted(kept)]


def _rated(question: str, items: Sequence[EvidenceItem]) -> list[_Rated]:
    """Every statement with how much of the question it has: its own words fully, those around it half."""
    asked = telling(question)
    kind = wanted(question)
    of_item = [(rank, said) for rank, item in enumerate(items) for said in statements(item)]
    bags = [set(terms(said.text)) for _, said in of_item]
    df = Counter(term for bag in bags for term in bag)
    weights = {term: math.log(1 + (len(bags) + 1) / (df[term] + 0.5)) for term in asked}
    rated = []
    for at, (rank, said) in enumerate(of_item):
        before = bags[at - 1] if said.place else set()
        around = before | set(terms(" ".join((said.item.title, *said.item.path, said.item.prefix))))
        own = frozenset(term for term in asked if term in bags[at])
        beside = sum(weights[term] for term in asked if term in around and term not in own)
        total = sum(weights[term] for term in {*own, *lacking(asked, own)}) or 1.0
        share = (sum(weights[term] for term in own) + _BESIDE * beside) / total if own or said.kind == "code" else 0.0
        score = share + (_RIGHT_KIND if share and _is_kind(kind, said.text) else 0.0) + _FIRST / (1 + rank)
        rated.append(_Rated(said, rank, score, share, own))
    return rated


def _is_kind(kind: str, text: str) -> bool:
    text = text[:_LONGEST]  # no more of it is said
    if kind == "date":
        return any(number.dimension in ("date", "clock") for number in find_numbers(text))
    if kind == "number":
        return any(number.is_quantity for number in find_numbers(text))
    if kind == "reason":
        return (
            re.search(r"因为|由于|因此|所以|导致|以便|为了|\b(?:because|since|due to|so that|therefore)\b", text)
            is not None
        )
    return False


def _understandable(said: Said, taken: set[tuple[str, int]]) -> list[Said]:
    """The statement; before it the one that it points back to, behind it what its colon announces. A statement is said
    once only."""
    around = statements(said.item)
    first = said.place - 1 if said.place and said.kind == "prose" and _POINTING.match(said.text) else said.place
    last = said.place
    if _OPEN_END.search(said.text):
        while last + 1 < len(around) and last < said.place + _TAIL and around[last + 1].kind != "prose":
            last += 1
    part = [one for one in around[first : last + 1] if (one.item.label, one.place) not in taken]
    taken.update((one.item.label, one.place) for one in part)
    return part


def _same(one: str, other: str) -> bool:
    first, second = set(terms(one)), set(terms(other))
    return bool(first and second) and len(first & second) >= 0.8 * min(len(first), len(second))


def _written(chosen: Sequence[Sequence[Said]], as_list: bool = False) -> str:
    """The parts as Markdown: prose runs on, lines and code stand alone."""
    blocks: list[str] = []
    open_kind = ""
    for part in chosen:
        for said in part:
            kind = "line" if said.kind == "line" or as_list else said.kind
            label = f"[{said.item.label}]"
            if kind == "code":
                blocks.append(said.text)
            elif kind == "line":
                line = f"- {_short(said.text)}{label}"
                blocks[-1:] = [f"{blocks[-1]}\n{line}"] if open_kind == "line" and blocks else [*blocks[-1:], line]
            else:
                text = f"{_short(said.text)}{label}"
                between = "" if _HAN.search(text[:2]) else " "
                blocks[-1:] = [f"{blocks[-1]}{between}{text}"] if open_kind == "prose" else [*blocks[-1:], text]
            open_kind = kind
    return "\n\n".join(blocks)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}…"
