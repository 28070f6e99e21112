"""The section writer's twin: the section's passages in their own words, the most central when there are too many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from kaozheng.documents.html import without_active_html
from kaozheng.documents.sentences import split
from kaozheng.documents.tokens import estimate_tokens
from kaozheng.roles.labels import own_words
from kaozheng.roles.section_writer.headings import Path, Trail, clean_path, told_by
from kaozheng.roles.structure import own_title
from kaozheng.roles.titles import clean_title
from kaozheng.sources.passage import Passage
from kaozheng.sources.ranking import TfIdf, terms

if TYPE_CHECKING:
    from kaozheng.roles.section_writer import Assignment

MOST_TOKENS = 5_000
_LONG_TOKENS = 400
_HEADING = re.compile(r"^#{1,6}\s", re.MULTILINE)
_CUT_NEVER = frozenset({"table", "code", "math"})
_WHOLE = _CUT_NEVER | {"list"}
_DEFINITION = re.compile(r"\[\^[^\]\s]+\]:")
_IMAGE = r"!\[[^\]]*\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\]\n]*\])"
_IMAGES = re.compile(rf"\s*(?:(?:\[{_IMAGE}\]\([^)\n]*\)|{_IMAGE})\s*)+")
"""Nothing but images, which state nothing that a mark could prove."""
_CLOSED = re.compile(r"(?:```|~~~|\$\$|\||>)$")
"""A label behind these would stand inside a fence, formula, table or HTML."""


def write(task: Assignment) -> str:
    """Markdown with the material's own headings, and a label behind each passage.

    The section's title takes the place of the heading that it repeats. Where a section is made of several sources, each
    stands under its title (`###`) with its headings below (`####`).
    """
    places = {passage.id: place for place, passage in enumerate(task.passages, start=1)}
    kept = task.passages if task.made_by_code else chosen(task.passages, MOST_TOKENS)
    trail = Trail(task.language)
    parts: list[str] = []
    for path, group in groupby(_under_titles(kept, task), key=lambda one: one[0]):
        run = [passage for _, passage in group]
        parts.extend(trail.to(path, _told(path, task, kept)))
        shown = _without_title(run, path, task) if len(kept) > 1 else run
        parts.extend(_blocks(shown, places, task))
    return without_active_html("\n\n".join(parts))


def _under_titles(passages: Sequence[Passage], task: Assignment) -> list[tuple[Path, Passage]]:
    """Each passage with the headings above it; with the title of its source in front where there are several."""
    paths = [clean_path(passage, task.language) for passage in passages]
    tops = {path[0] for path in paths if path}
    alone = len({passage.source for passage in passages}) == 1
    found: list[tuple[Path, Passage]] = []
    for path, passage in zip(paths, passages, strict=True):
        title = own_title(task.source_titles.get(passage.source, ""), task.language)
        # A title that is no heading of its text is a file's name, and the section may be named after the file too.
        if not title or not _several(task) or (alone and title not in tops):
            found.append((path, passage))
        else:
            repeats = bool(path) and (path[0] == title or title.endswith(f" {path[0]}"))
            found.append(((title, *path[repeats:]), passage))
    return found


def _several(task: Assignment) -> bool:
    return len(task.source_titles) > 1 or len({passage.source for passage in task.passages}) > 1


def _told(path: Path, task: Assignment, passages: Sequence[Passage]) -> int:
    """How many headings of `path` the section's title tells; the title of the only source is the document's."""
    told = told_by(task.title, path, task.language, whole=_several(task))
    if told or not path or _several(task):
        return told
    titles = {task.document_title, *(own_title(title, task.language) for title in task.source_titles.values())}
    tops = {one.path[:1] for one in passages}
    return int(len(tops) == 1 and path[0] in titles)


def _without_title(run: list[Passage], path: Path, task: Assignment) -> list[Passage]:
    """Without a first line that is the title under which it stands."""
    first = run[0]
    line = first.text.strip().strip("【】")
    if first.path or first.kind != "paragraph" or clean_title(line) != line:  # more than the title
        return run
    titles = {task.title, *path[:1]} if _several(task) else {task.document_title}
    return run[1:] if line in titles else run


def chosen(passages: Sequence[Passage], most_tokens: int) -> tuple[Passage, ...]:
    """The passages that fit into `most_tokens`, in order: first the best of every source, then the most central."""
    if sum(estimate_tokens(passage.text) for passage in passages) <= most_tokens:
        return tuple(passages)
    worth = _worth(passages)
    ranked = sorted(range(len(passages)), key=lambda place: -worth[place])
    first = list({passages[place].source: place for place in reversed(ranked)}.values())
    kept: set[int] = set()
    left = most_tokens
    for place in [*sorted(first, key=lambda place: -worth[place]), *ranked]:
        cost = estimate_tokens(passages[place].text)
        cost = cost if passages[place].kind in _WHOLE else min(cost, _LONG_TOKENS)
        if place not in kept and (cost <= left or place in first):
            kept.add(place)
            left -= cost
    return tuple(passages[place] for place in sorted(kept))


def _worth(passages: Sequence[Passage]) -> list[float]:
    """Centrality (mean likeness to a sample of the others) plus a little for standing first under a heading."""
    table = TfIdf([terms(passage.text[:1_500]) for passage in passages])
    sample = range(0, len(passages), max(1, len(passages) // 60))
    seen: set[tuple[str, tuple[str, ...]]] = set()
    worth = []
    for place, passage in enumerate(passages):
        under = (passage.source, tuple(passage.path))
        lead = 0.15 if under not in seen else 0.0
        seen.add(under)
        worth.append(sum(table.similarity(place, other) for other in sample) / len(sample) + lead)
    return worth


def _blocks(run: Sequence[Passage], places: dict[str, int], task: Assignment) -> list[str]:
    blocks: list[str] = []
    items: list[str] = []
    for passage in run:
        label = f"[E{places[passage.id]}]"
        if passage.kind == "item" and not _CLOSED.search(passage.text):
            items.append(f"{_as_item(_short(passage))}{label}")
            continue
        if items:
            blocks.append("\n".join(items))
            items = []
        # A table that code made names the place of each row itself.
        stands_alone = task.made_by_code and passage.kind == "table"
        blocks.append(passage.text.rstrip() if stands_alone else _block(passage, label, task.language))
    return [*blocks, "\n".join(items)] if items else blocks


def _block(passage: Passage, label: str, language: str) -> str:
    text = passage.text.rstrip() if passage.kind in _CUT_NEVER else _short(passage)
    if passage.kind == "paragraph" and _DEFINITION.match(passage.text):
        text = f"{'注：' if language == 'zh' else 'Note: '}{text}"
    if passage.kind == "code" or _IMAGES.fullmatch(text):
        return text
    if passage.kind in _CUT_NEVER or _CLOSED.search(text):
        return f"{text}\n\n{'来源：' if language == 'zh' else 'Source: '}{label}"
    return f"{text}{label}"


def _short(passage: Passage) -> str:
    """The passage, or its first sentences when it is very long; marks of headings inside it go."""
    text = _HEADING.sub("", own_words(passage.text.rstrip()))
    if passage.kind in _WHOLE or estimate_tokens(text) <= _LONG_TOKENS:
        return text
    kept: list[str] = []
    left = _LONG_TOKENS
    for span in split(text):
        sentence = text[span.start : span.end]
        left -= estimate_tokens(sentence)
        if kept and left < 0:
            break
        kept.append(sentence.strip())
    return "".join(kept) if "\u4e00" <= (kept[-1] or " ")[0] <= "\u9fff" else " ".join(kept)


def _as_item(text: str) -> str:
    return text if re.match(r"\s*(?:[-*+]|\d+[.)])\s", text) else f"- {text}"
