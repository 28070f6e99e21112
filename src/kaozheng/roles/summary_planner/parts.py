"""Sections in the making: as many as wanted, in the order of the source, each under a title that no other has."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from kaozheng.documents.characters import HAN
from kaozheng.evidence.agreement import unsupported
from kaozheng.evidence.numbers import find_numbers
from kaozheng.roles.answerer.orders import is_order
from kaozheng.roles.outliner.grouping import PREFACE_TITLE, Item, runs
from kaozheng.roles.structure import continued, own_title, same
from kaozheng.roles.summary_planner.phrases import phrases_of

_HAN = re.compile(f"[{HAN}]")
_COLUMNS: Final = 60
_NO_NAME = re.compile(
    r"(?:[\W\d_]|[年月日号第部分章节条款元万亿个次项]|\b(?:part|section|chapter|no)\b)*", re.IGNORECASE
)


@dataclass(slots=True)
class Part:
    """A section and the titles of all that came together in it; none when code has to name it. `brief` is the
    model's."""

    titles: list[str]
    items: list[Item]
    brief: str = ""
    subsections: list[tuple[str, list[str]]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Characters."""
        return sum(len(item.text) for item in self.items)


def fitted(parts: Sequence[Part], least: int, most: int) -> list[Part]:
    """The parts, or as many of them as are wanted: neighbours with the least text join, the largest are divided, by
    headings where there are any below, else where the words change."""
    found = list(parts)
    while len(found) < least:
        divisible = [place for place, part in enumerate(found) if len(part.items) > 1]
        if not divisible:
            break
        place = max(divisible, key=lambda at: found[at].size)
        found[place : place + 1] = _divided(found[place], most=least - len(found) + 1)
    return _fewer(found, most)


def _fewer(parts: list[Part], most: int) -> list[Part]:
    while len(parts) > most:
        place = min(range(len(parts) - 1), key=lambda at: parts[at].size + parts[at + 1].size)
        first, second = parts[place : place + 2]
        brief = " ".join(filter(None, (first.brief, second.brief)))
        subsections = [*first.subsections, *second.subsections]
        parts[place : place + 2] = [
            Part([*first.titles, *second.titles], [*first.items, *second.items], brief, subsections)
        ]
    return parts


def _divided(part: Part, most: int) -> list[Part]:
    """At least two parts: by the first level of headings that tells its items apart, else by their words."""
    for depth in range(max(len(item.path) for item in part.items)):
        below = [(title, list(run)) for title, run in groupby(part.items, key=lambda item: _heading(item, depth))]
        if len(below) > 1:
            pieces = _fewer([Part([title] if title else [], items) for title, items in below], most)
            break
    else:
        pieces = [Part([], group.items) for group in runs(part.items, min(most, len(part.items)))]
        pieces[0].titles = list(part.titles)
    pieces[0].brief = part.brief
    return pieces


def _heading(item: Item, depth: int) -> str:
    return item.path[min(depth, len(item.path) - 1)] if item.headed else ""


def titled(parts: Sequence[Part], language: str) -> list[str]:
    """A title for each part: its own ones, as many as may be read at a glance; else the phrases that tell it from the
    others. No two are the same, none is a piece of a sentence or a bare number."""
    known = "zh" if language == "zh" else "en"
    own = [_together([title for title in part.titles if fit(title, known)], known) for part in parts]
    if not all(own):
        telling = phrases_of(["\n".join(item.text for item in part.items) for part in parts], known)
        own = [title or fit(_together(found, known), known) for title, found in zip(own, telling, strict=True)]
    numbered = "第 {} 部分" if known == "zh" else "Part {}"
    taken: set[str] = set()
    titles: list[str] = []
    for place, plain in enumerate(own, start=1):
        plain = plain or numbered.format(place)
        title, times = plain, 1
        while same(title) in taken:
            times += 1
            title = continued(plain, times, known)
        taken.add(same(title))
        titles.append(title)
    return titles


def fit(title: str, language: str, texts: Sequence[str] = ()) -> str:
    """The title as it may stand over a section, "" when it may not: bare numbers, an order, or, where there are
    `texts`, a number that none of them has."""
    clean = own_title(title, language)
    if not clean or _NO_NAME.fullmatch(clean) or is_order(clean):
        return ""
    numbers = find_numbers(clean) if texts else []
    return "" if numbers and unsupported(numbers, find_numbers("\n".join(texts))) else clean


def _together(titles: Sequence[str], language: str) -> str:
    """All of them where they fit into a heading, else the first ones "and more"."""
    clean = list(dict.fromkeys(own_title(title, language) for title in titles))
    clean = [title for title in clean if title != PREFACE_TITLE[language]] or clean
    if len(clean) < 2:
        return "".join(clean)
    for number in range(len(clean), 0, -1):
        shown, rest = clean[:number], len(clean) - number
        # Titles are quoted: what joins them is of their language, whatever that of the summary.
        if language == "zh" or _HAN.search("".join(shown)):
            title = f"{'、'.join(shown)}{'等' if rest else ''}"
        else:
            title = f"{', '.join(shown)} and more" if rest else f"{', '.join(shown[:-1])} and {shown[-1]}"
        if _columns(title) <= _COLUMNS:
            return title
    return clean[0]


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WFA" else 1 for sign in text)
