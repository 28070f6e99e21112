"""Writes one section of a summary from memories; each sentence keeps the places that it rests on."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kaozheng.aside import aside
from kaozheng.errors import ShapeError
from kaozheng.evidence.sentence import Sentence
from kaozheng.models.answer import Answer, text_or
from kaozheng.models.messages import Call
from kaozheng.models.model import Model
from kaozheng.roles.block_summarizer.shortening import within
from kaozheng.roles.brevity import told_limit
from kaozheng.roles.labels import listed, unwrapped
from kaozheng.roles.prompts import prompt, quoted, unfenced
from kaozheng.roles.replies import Reading
from kaozheng.roles.summary_writer import offline

__all__ = ["Paragraphs", "Writing", "write_summary_section"]

Paragraphs = list[list[Sentence]]
_NONE = {"zh": "（无）", "en": "(none)"}
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Writing:
    """One section to write. `evidence` are sentences in the order of the source, the first `own` of them (0: all) of
    memories that are the section's own, the others of ones near to it; `earlier` is what the sections before it say:
    known to the reader, not to be said again."""

    purpose: str
    title: str
    brief: str
    document_title: str
    all_titles: tuple[str, ...]
    evidence: tuple[Sentence, ...]
    earlier: tuple[str, ...]
    limit_tokens: int
    language: str
    focus: str = ""
    own: int = 0


async def write_summary_section(model: Model | None, task: Writing) -> Answer[Paragraphs]:
    """The section as paragraphs of sentences, in at most `limit_tokens`; what a model says beyond is left out, the
    least telling sentences first. Offline: the best sentences of the evidence.

    Raises ShapeError when the evidence has no sentence; ModelRefusedError (key, unknown model).
    """
    if not task.evidence:
        raise ShapeError("there is no evidence to write from")
    if model is None:
        return Answer(await _twin(task), "offline")
    language = "zh" if task.language == "zh" else "en"
    messages = prompt(
        "summary_writer",
        language,
        limit=str(told_limit(task.limit_tokens, language)),
        title=unfenced(task.document_title),
        sections=unfenced("; ".join(task.all_titles)),
        section=unfenced(task.title),
        brief=unfenced(task.brief or task.title),
        focus=unfenced(task.focus) or _NONE[language],
        earlier=quoted("material", "\n".join(task.earlier) or _NONE[language]),
        evidence=quoted("evidence", listed(task.evidence)),
    )
    reading = Reading(task.evidence, messages[0], task.limit_tokens, task.language)
    call = Call("summary_writer", task.purpose, messages, temperature=0.0)
    answer = await text_or(
        model, call, otherwise=str, check=lambda text: reading.complaints(text, reading.sentences(text))
    )
    if answer.by != "model":
        return answer.carrying(await _twin(task, answer.reason))
    return answer.carrying(_held(_paragraphs(answer.value, reading), task))


def _paragraphs(text: str, reading: Reading) -> Paragraphs:
    """The reply between its blank lines; each sentence once."""
    found: dict[str, Sentence] = {one.text: one for one in reading.sentences(text)}
    parts = (reading.sentences(part) for part in _BLANK_LINE.split(unwrapped(text, ("", "markdown", "md", "text"))))
    paragraphs = [[found.pop(one.text) for one in part if one.text in found] for part in parts]
    return [part for part in [*paragraphs, list(found.values())] if part]


def _held(paragraphs: Paragraphs, task: Writing) -> Paragraphs:
    said = [one for part in paragraphs for one in part]
    kept = {one.text for one in within(said, task.limit_tokens, task.language, task.focus)}
    return [part for part in ([one for one in part if one.text in kept] for part in paragraphs) if part]


async def _twin(task: Writing, reason: str = "") -> Paragraphs:
    paragraphs = await aside(offline.write, task)
    if not paragraphs:
        reason = reason.removeprefix(f"{task.purpose}: ")  # a key of the program, nothing for people
        raise ShapeError(f"the evidence has no sentence{f' ({reason})' if reason else ''}")
    return paragraphs
