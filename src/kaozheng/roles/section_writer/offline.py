"""The section writer's twin: the section's passages in their own words, the most central when there are too many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from kaozheng.documents.sentences import split
from kaozheng.documents.tokens import estimate_tokens
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
_CODE_OR_FOOTNOTE = re.compile(r"(?P<code>```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`)|\[\^[^\]\s]+\]:?[ ]?", re.DOTALL)
_LABEL = re.compile(r"\[(E\d+)\]")
_CLOSED = re.compile(r"(?:```|~~~|\$\$|\||>)$")
"""A label behind these would stand inside a fence, formula, table or HTML."""


def write(task: Assignment) -> str:
    """Markdown with the material's own sub-headings, and a label behind each passage.

    Where a section is made of several sources, each stands under its title (`###`) with its headings below (`####`).
    """
    places = {passage.id: place for place, passage in enumerate(task.passages, start=1)}
    kept = chosen(task.passages, MOST_TOKENS)
    by_source = [(source, list(run)) for source, run in groupby(kept, key=lambda passage: passage.source)]
    if len(by_source) == 1:
        return "\n\n".join(_under_headings(kept, task, places, "###", task.title))
    parts: list[str] = []
    for source, run in by_source:
        title = task.source_titles.get(source) or clean_title(run[0].path[0] if run[0].path else "")
        if title and title != task.title:
            parts.append(f"### {title}")
        parts.extend(_under_headings(run, task, places, "####" if title else "###", title))
    return "\n\n".join(parts)


def _under_headings(
    passages: Sequence[Passage], task: Assignment, places: dict[str, int], mark: str, above: str
) -> list[str]:
    """The passages under the headings that they had; a heading that only repeats what stands `above` is left out."""
    runs = [(title, list(run)) for title, run in groupby(passages, key=lambda passage: _sub_title(passage, above))]
    parts: list[str] = []
    for title, run in runs:
        if title and (len(runs) > 1 or mark == "####"):
            parts.append(f"{mark} {title}")
        parts.extend(_blocks(run, places, task.language))
    return parts


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


def _sub_title(passage: Passage, section: str) -> str:
    title = clean_title(passage.path[-1]) if passage.path else ""
    return "" if title == section else title


def _blocks(run: Sequence[Passage], places: dict[str, int], language: str) -> list[str]:
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
        blocks.append(_block(passage, label, language))
    return [*blocks, "\n".join(items)] if items else blocks


def _block(passage: Passage, label: str, language: str) -> str:
    text = passage.text.rstrip() if passage.kind in _CUT_NEVER else _short(passage)
    if passage.kind == "code":
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


def own_words(text: str) -> str:
    """Prose without marks that would be taken for ours: its source's footnotes, and what looks like a label."""
    return _LABEL.sub(r"(\1)", without_footnotes(text))


def without_footnotes(text: str) -> str:
    """`text` without footnote references; in code the same signs are something else and stay."""
    return _CODE_OR_FOOTNOTE.sub(lambda found: found["code"] or "", text)


def _as_item(text: str) -> str:
    return text if re.match(r"\s*(?:[-*+]|\d+[.)])\s", text) else f"- {text}"
