"""Condenses one block of a text, or the memories of several blocks, to a given length, each sentence with its place."""

from __future__ import annotations

from dataclasses import dataclass

from kaozheng.aside import aside
from kaozheng.errors import ShapeError
from kaozheng.evidence.sentence import Sentence
from kaozheng.models.answer import Answer, text_or
from kaozheng.models.messages import Call, Message
from kaozheng.models.model import Model
from kaozheng.roles.answerer.orders import without_orders
from kaozheng.roles.block_summarizer.facts import located, parted
from kaozheng.roles.block_summarizer.offline import extract, first_sentences
from kaozheng.roles.block_summarizer.shortening import within
from kaozheng.roles.brevity import tokens_of, told_limit
from kaozheng.roles.labels import listed
from kaozheng.roles.prompts import prompt, quoted, unfenced
from kaozheng.roles.replies import Reading

__all__ = ["Condensed", "Condensing", "summarize_block"]

_NONE = {"zh": "（无）", "en": "(none)"}


@dataclass(frozen=True, slots=True)
class Condensing:
    """One block to condense. `evidence` are its passages (level 0) or the sentences of the memories below (level 1 and
    above), in order; `path` the headings above it; `focus` what the reader wants most, "" when nothing. `whole`: it is
    the whole text, of which something is to be said even where no part of it may stand by itself."""

    purpose: str
    evidence: tuple[Sentence, ...]
    path: tuple[str, ...]
    limit_tokens: int
    language: str
    focus: str = ""
    level: int = 0
    whole: bool = False

    @property
    def most_tokens(self) -> int:
        """The limit, or the length of the evidence where that is shorter: a summary is no longer than its source."""
        return min(self.limit_tokens, max(1, tokens_of(self.evidence)))


@dataclass(frozen=True, slots=True)
class Condensed:
    """`facts` are what the model named as not to be lost, word for word as in the evidence. `compressed`: the first
    summary was too long and a second one stands here; `cut`: code left sentences out to hold the limit."""

    sentences: tuple[Sentence, ...]
    facts: tuple[str, ...] = ()
    compressed: bool = False
    cut: bool = False


async def summarize_block(model: Model | None, task: Condensing) -> Answer[Condensed]:
    """The block in at most `limit_tokens`; more only where a single sentence has more. Offline: its best sentences.

    A summary that is too long is sent back once, alone, to be made shorter; what still is too long loses sentences.
    Raises ShapeError when nothing in the block is a sentence; ModelRefusedError (key, unknown model).
    """
    if not task.evidence:
        raise ShapeError("there is nothing to condense")
    if model is None:
        return Answer(await _twin(task), "offline")
    first = await _asked(model, task)
    if first.by != "model":
        return first.carrying(await _twin(task, first.reason))
    said = first.value
    if tokens_of(said.sentences) <= task.most_tokens:
        return first
    shorter = await _shorter(model, task, said.sentences)
    sentences = shorter or said.sentences
    kept = within(sentences, task.most_tokens, task.language, task.focus)
    return first.carrying(Condensed(kept, said.facts, bool(shorter), len(kept) < len(sentences)))


async def _asked(model: Model, task: Condensing) -> Answer[Condensed]:
    """The model's summary, however long it is; nothing when it gives none."""
    messages = _messages(task, task.evidence, "condense" if task.level else "prompt")
    reading = _reading(task, task.evidence, messages)
    read: dict[str, tuple[tuple[Sentence, ...], list[str]]] = {}

    def complaints(reply: str) -> list[str]:
        read[reply] = _read(reply, reading)
        return read[reply][1]

    answer = await text_or(model, _call(task.purpose, messages), otherwise=str, check=complaints)
    if answer.by != "model":
        return answer.carrying(Condensed(()))
    _, lines = parted(answer.value)
    sentences, _ = read.get(answer.value) or _read(answer.value, reading)
    return answer.carrying(Condensed(sentences, located(lines, task.evidence)))


async def _shorter(model: Model, task: Condensing, said: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The same in fewer words, asked for once; () when the model gives nothing shorter."""
    messages = _messages(task, said, "condense")
    answer = await text_or(model, _call(f"{task.purpose}/again", messages), otherwise=str)
    if answer.by != "model":
        return ()
    sentences, complaints = _read(answer.value, _reading(task, said, messages))
    return sentences if not complaints and tokens_of(sentences) < tokens_of(said) else ()


def _read(reply: str, reading: Reading) -> tuple[tuple[Sentence, ...], list[str]]:
    """(the sentences of the summary in a reply, what makes it unusable)."""
    summary, _ = parted(reply)
    sentences = reading.sentences(summary)
    return sentences, reading.complaints(summary, sentences)


def _reading(task: Condensing, evidence: tuple[Sentence, ...], messages: tuple[Message, Message]) -> Reading:
    return Reading(evidence, messages[0], task.most_tokens, task.language)


def _call(purpose: str, messages: tuple[Message, Message]) -> Call:
    return Call("block_summarizer", purpose, messages, temperature=0.0, weight="light")


def _messages(task: Condensing, evidence: tuple[Sentence, ...], file: str) -> tuple[Message, Message]:
    language = "zh" if task.language == "zh" else "en"
    return prompt(
        "block_summarizer",
        language,
        file=file,
        limit=str(told_limit(task.most_tokens, language)),
        path=unfenced(" > ".join(task.path)) or _NONE[language],
        focus=unfenced(task.focus) or _NONE[language],
        evidence=quoted("evidence", listed(evidence)),
    )


async def _twin(task: Condensing, reason: str = "") -> Condensed:
    sentences = tuple(await aside(_extracted, task))
    if not sentences:
        reason = reason.removeprefix(f"{task.purpose}: ")  # a key of the program, nothing for people
        raise ShapeError(f"nothing in the text is a sentence{f' ({reason})' if reason else ''}")
    return Condensed(sentences)


def _extracted(task: Condensing) -> list[Sentence]:
    """The sentences of the block that are worth most; one that gives orders to who summarises is worth nothing."""
    evidence = [Sentence(without_orders(one.text), one.passages) for one in task.evidence]
    found = extract(evidence, task.limit_tokens, task.language, task.focus)
    return found or (first_sentences(evidence, task.limit_tokens) if task.whole else [])
