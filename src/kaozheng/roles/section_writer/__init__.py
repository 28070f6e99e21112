"""Writes the body of one section from its passages; each sentence carries the label of the passage it rests on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from kaozheng.aside import aside
from kaozheng.documents.document import Document
from kaozheng.documents.html import without_html
from kaozheng.documents.tokens import estimate_tokens
from kaozheng.models.answer import Answer, text_or
from kaozheng.models.messages import Call
from kaozheng.models.model import Model
from kaozheng.roles.labels import own_words, unwrapped, without_footnotes
from kaozheng.roles.prompts import prompt, quoted, unfenced
from kaozheng.roles.section_writer import offline
from kaozheng.roles.section_writer.usable import unusable
from kaozheng.roles.titles import clean_title
from kaozheng.sources.passage import Passage

__all__ = ["Assignment", "write_section"]

_EVIDENCE_TOKENS = 10_000
_LABEL = re.compile(r"\[E(\d+)\]")
_FORGED = re.compile(r"^([ \t]*)(\[E\d+\])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Assignment:
    """One section to write. `passages` in order; passage i is labelled E(i+1). `source_titles` leads from a
    source's id to the title that tells it from the others. `made_by_code`: code has chosen and shortened the passages
    already, so the twin leaves none of them out. `purpose` is that of the call
    when it is not the usual."""

    index: int
    title: str
    brief: str
    document_title: str
    all_titles: tuple[str, ...]
    passages: tuple[Passage, ...]
    language: str
    source_titles: Mapping[str, str] = field(default_factory=dict)
    made_by_code: bool = False
    purpose: str = ""


async def write_section(model: Model | None, task: Assignment) -> Answer[str]:
    """Markdown of the section's body, without its heading, with `[E1]` labels.

    Offline: the passages themselves, the best of them when there are too many.
    """
    if model is None:
        return Answer(await aside(offline.write, task), "offline")
    evidence = offline.chosen(task.passages, most_tokens=_EVIDENCE_TOKENS)
    places = {passage.id: place for place, passage in enumerate(task.passages, start=1)}
    listing = _listing(evidence, places)
    messages = prompt(
        "section_writer",
        task.language,
        title=unfenced(task.document_title),
        sections=unfenced("; ".join(task.all_titles)),
        section=unfenced(task.title),
        brief=unfenced(task.brief or task.title),
        evidence=quoted("evidence", listing),
    )
    call = Call(role="section_writer", purpose=task.purpose or f"section/{task.index}", messages=messages)
    shown = {places[passage.id] for passage in evidence}
    answer = await text_or(
        model, call, otherwise=lambda: offline.write(task), check=lambda text: _complaints(text, shown)
    )
    return answer.carrying(_body(answer.value, task.title)) if answer.by == "model" else answer


def _body(text: str, title: str) -> str:
    """The reply without a fence around the whole, footnotes of its own, the section's heading said again, and HTML."""
    text = unwrapped(text)
    first, _, rest = text.partition("\n")
    if first.startswith("#") and clean_title(first) == title and rest.strip():
        text = rest
    return without_html(without_footnotes(text)).strip()


def _listing(evidence: Sequence[Passage], places: Mapping[str, int]) -> str:
    """The passages with their labels, under the headings that they stood under."""
    lines: list[str] = []
    for path, run in groupby(evidence, key=lambda passage: passage.path):
        lines.append(f"({own_words(' > '.join(path))})")
        lines.extend(f"[E{places[passage.id]}] {_shown(passage)}" for passage in run)
    return "\n\n".join(lines)


def _shown(passage: Passage) -> str:
    """The passage without what would be taken for a label of ours; in code, which is to be copied as it is, only at the
    start of a line, where it would begin a passage."""
    if passage.kind == "code":
        return _FORGED.sub(r"\1 \2", passage.text)
    return own_words(passage.text)


def _complaints(text: str, shown: set[int]) -> list[str]:
    """What makes a body unusable; a wrong label is only worth a complaint when no right one is left."""
    if fault := unusable(text):
        return [fault]
    labels = {int(label) for label in _LABEL.findall(text)}
    if labels and not labels & shown:
        return [f"none of the labels {', '.join(f'[E{label}]' for label in sorted(labels)[:5])} stands in the evidence"]
    if estimate_tokens(text) < 5:
        return ["the section is empty"]
    if any(block.kind == "code" and block.fenced and not block.closed for block in Document(text).blocks):
        return ["a code fence is opened and never closed: what follows it would count as code"]
    return []
