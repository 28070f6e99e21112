"""The answerer's twin: the sentences of the evidence that answer, in their own words, each with its label."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kaozheng.documents.characters import HAN
from kaozheng.documents.document_numbers import bears, document_numbers
from kaozheng.roles.answerer.cues import Cues
from kaozheng.roles.answerer.rating import Rated, rated
from kaozheng.roles.answerer.refusing import REFUSALS, small_talk
from kaozheng.roles.answerer.statements import Said, announced, statements
from kaozheng.sources.comparing import without_comparing
from kaozheng.sources.ranking import terms
from kaozheng.sources.telling import telling

if TYPE_CHECKING:
    from kaozheng.evidence.bundle import EvidenceItem
    from kaozheng.roles.answerer import AnswerTask

_MOST = {"qa": 3, "summary": 6, "compare": 4}
_LEAST: Final = 0.2
"""Of a question's words, weighed, that the best statement must carry to count as an answer."""
_NEAR_BEST: Final = 0.75
_ALL: Final = 0.85
_ROOM: Final = {True: 230, False: 450}
"""How many characters (of Chinese or not) an answer may have before no further statement is taken."""
_LONGEST = 400
_LIST = 8
_CLAUSE = re.compile(r"(?<=[；;])\s*")
_STOPS = "。.！!？?…"
_POINTING = re.compile(r"^(?:它|他|她|其|该|此|这|上述|前者|后者|It |They |This |These |That |He |She |Its |Their )")
_HAN = re.compile(f"[{HAN}]")


def answer(task: AnswerTask) -> str:
    """Markdown in the words of the evidence; the refusal where nothing of it answers."""
    if task.kind == "chat":
        return small_talk(task.question, task.language)
    if not task.sufficient or not task.bundle.items:
        return REFUSALS[task.language]
    if task.kind == "compare" and task.targets:
        return _compared(task)
    items = task.bundle.items
    chosen = (
        _summed_up(task.question, items) if task.kind == "summary" else _asked_of_its_document(task.question, items)
    )
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
        # A document does not say its own number where it says what it lays down.
        asked = rest if document_numbers(target) else f"{target} {rest}"
        chosen = (_answering(asked, items, most) if rest else []) or _summed_up(rest, items, most)
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
            if clauses and said.kind not in ("code", "row"):
                text = "".join(clauses).rstrip("；; ")
                named.append(
                    [replace(said, text=text if text[-1] in _STOPS else f"{text}{'。' if language == 'zh' else '.'}")]
                )
    return named or chosen


def _asked_of_its_document(question: str, items: Sequence[EvidenceItem]) -> list[list[Said]]:
    """Of a question with a document number what that document says, where it is there and says it: it does not name
    itself, and those that name it say something else."""
    numbers = document_numbers(question)
    if len(numbers) == 1:
        bearing = {item.document for item in items if bears(item.text, numbers[0])}
        own = [item for item in items if item.document in bearing]
        rest = f"{question[: numbers[0].start]} {question[numbers[0].end :]}"
        if own and (chosen := _answering(rest, own)):
            return chosen
    return _answering(question, items)


def _answering(question: str, items: Sequence[EvidenceItem], most: int = _MOST["qa"]) -> list[list[Said]]:
    """The best statements, each with what it needs to be understood; a further one only when it is nearly as good, of
    the kind that the best one is, and there is room."""
    found = rated(question, items)
    if not found or found[0].carried < _LEAST:
        return []
    cues, best = Cues(question), found[0]
    if not cues.missed(best.said.text):
        found = [one for one in found if not cues.missed(one.said.text)]
    found = [one for one in found if one.own or one is best]
    # Where the best one says it all, what is merely like it adds nothing; a row of a table never does.
    all_said = best.own >= _ALL and cues.kind not in ("way", "reason")
    if best.said.kind == "line" and (cues.several or not best.own):
        return [_list_around(best.said)]
    if len(alike := _rows_alike(best, found)) > 1:
        return [alike]
    chosen: list[Rated] = []
    covered: set[str] = set()
    length = 0
    for one in found:
        if one.score < _NEAR_BEST * best.score or len(chosen) == most:
            break
        adds = one.has - covered or most > _MOST["qa"] or not (all_said or one.said.kind in ("line", "row"))
        fits = length + len(one.said.text) <= _ROOM[_HAN.search(one.said.text) is not None]
        if not chosen or (adds and fits and not any(_same(one.said.text, other.said.text) for other in chosen)):
            chosen.append(one)
            covered |= one.has
            length += len(one.said.text)
    taken: set[tuple[str, int]] = set()
    return [
        part
        for one in sorted(chosen, key=lambda one: (one.rank, one.said.place))
        if (part := _understandable(one.said, taken))
    ]


def _rows_alike(best: Rated, found: Sequence[Rated]) -> list[Said]:
    """The rows of a table among which the question does not choose, where the best one is one of them: to name one
    alone would say that it is the one."""
    if best.said.kind != "row":
        return []
    alike = [one.said for one in found if one.said.item is best.said.item and one.said.kind == "row"]
    has = {one.said.place: one.has for one in found if one.said.item is best.said.item}
    return sorted((one for one in alike if has[one.place] == best.has), key=lambda one: one.place)[:_LIST]


def _list_around(said: Said) -> list[Said]:
    """The list that a line stands in, where it is the heading that has the question's words; of a long one the part
    that begins with the line."""
    around = statements(said.item)
    first = last = said.place
    while first and around[first - 1].kind == "line":
        first -= 1
    while last + 1 < len(around) and around[last + 1].kind == "line":
        last += 1
    if last - first >= _LIST:
        first = said.place
    return list(around[first : min(last + 1, first + _LIST)])


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


def _understandable(said: Said, taken: set[tuple[str, int]]) -> list[Said]:
    """The statement; before it the one that it points back to, behind it what its colon announces. A statement is said
    once only."""
    around = statements(said.item)
    first = said.place - 1 if said.place and said.kind == "prose" and _POINTING.match(said.text) else said.place
    last = said.place + len(announced(said, around))
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
            kind = "line" if said.kind in ("line", "row") or as_list else said.kind
            label = f"[{said.item.label}]"
            if kind == "code":
                blocks += [said.text, label]  # a label within the block would be part of the code
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
