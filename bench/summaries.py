"""Key facts that a summary of a fifth keeps: our extractive engine against lead, lead-and-tail and sumy's two.

Documents and facts are those of tests/summaries (`--set own` or `blind`; both else). All have the same sentences to
choose from, cut by us, and the same room, 20 % of the text's tokens. sumy is no dependency: `pip install sumy`, best
into an environment of its own. It wants NLTK's data for cutting; our sentences and words are given to it instead.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final

import rjieba

from bench.key_facts import Annotated, annotated, is_kept
from bench.row import Row
from kaozheng.documents.tokens import estimate_tokens
from kaozheng.evidence.sentence import Sentence
from kaozheng.roles.block_summarizer.offline import extract
from kaozheng.roles.block_summarizer.offline.statements import Statement, statements
from kaozheng.sources.material import build_material
from kaozheng.sources.source import Reading, Source

SHARE: Final = 0.2
BOUND: Final = 0.6
_LANGUAGES: Final = {"zh": "chinese", "en": "english"}
_WORD = re.compile(r"\w")

Summariser = Callable[[Annotated, Sequence[Sentence], int], list[str]]


@dataclass(frozen=True, slots=True)
class Score:
    """What one way kept of the facts of some documents, in what time, and how long its summaries were, as shares of the
    texts by tokens and by characters."""

    kept: int
    facts: int
    seconds: float
    tokens: float
    characters: float

    @property
    def share(self) -> float:
        """Of all facts."""
        return self.kept / self.facts


def measure(*sets: str) -> Iterator[Row]:
    """A row a set and language, and one of all."""
    for name in sets or ("own", "blind"):
        documents = annotated(name)
        if not documents:
            yield Row(f"summaries, {name}", "not measured", f"tests/summaries/{name} is not here")
            continue
        for language in ("zh", "en", ""):
            some = [one for one in documents if language in ("", one.language)]
            scores = {way: score(some, how) for way, how in ways().items()}
            yield _row(f"summaries, {name}, {language or 'all'}, {len(some)} documents", scores)
        ours = scores["ours"]
        length = f"{ours.tokens:.3f} of the tokens, {ours.characters:.3f} of the characters"
        yield Row(f"summaries, {name}, length of ours", length, f"{ours.seconds:.2f} s for all")
    if not _sumy_is_here():
        yield Row("sumy's TextRank and LexRank", "not measured", "pip install sumy")


def ways() -> dict[str, Summariser]:
    """All that are measured, by name; those of sumy only where it is installed."""
    found: dict[str, Summariser] = {"ours": _ours, "lead-and-tail": _lead_and_tail, "lead": _lead}
    if _sumy_is_here():
        found |= {"TextRank": _of_sumy("text_rank", "TextRank"), "LexRank": _of_sumy("lex_rank", "LexRank")}
    return found


def score(documents: Sequence[Annotated], how: Summariser) -> Score:
    """What one way keeps of the facts of all documents."""
    kept = facts = 0
    seconds = 0.0
    lengths = {estimate_tokens: [0, 0], len: [0, 0]}
    for document in documents:
        evidence = evidence_of(document)
        room = int(SHARE * estimate_tokens(document.text))
        began = time.perf_counter()
        summary = how(document, evidence, room)
        seconds += time.perf_counter() - began
        kept += sum(is_kept(fact, summary) for fact in document.facts)
        facts += len(document.facts)
        for measure_of, sums in lengths.items():
            sums[0] += sum(map(measure_of, summary))
            sums[1] += measure_of(document.text)
    return Score(kept, facts, seconds, *(short / long for short, long in lengths.values()))


def evidence_of(document: Annotated) -> list[Sentence]:
    """The passages of a document, as a summary of it reads them."""
    material = build_material(Reading([Source.of(document.text, f"{document.name}.md")], []), document.language)
    return [Sentence(passage.text, (passage.id,)) for passage in material.passages if passage.kind != "code"]


def _row(what: str, scores: dict[str, Score]) -> Row:
    ours, *others = scores.items()
    against = ", ".join(f"{way} {one.share:.3f}" for way, one in others)
    best = max(one.share for _, one in others)
    said = f"{ours[1].share:.3f} ({ours[1].kept} of {ours[1].facts} facts)"
    return Row(what, said, against, f"{ours[1].share / best:.2f}" if best else "", f"at least {BOUND:.2f}, best of all")


def _ours(document: Annotated, evidence: Sequence[Sentence], room: int) -> list[str]:
    return [one.text for one in extract(evidence, room, document.language)]


def _lead(_: Annotated, evidence: Sequence[Sentence], room: int) -> list[str]:
    return [one.text for one in _first(statements(evidence), room)]


def _lead_and_tail(_: Annotated, evidence: Sequence[Sentence], room: int) -> list[str]:
    said = statements(evidence)
    head = _first(said, room // 2)
    tail = _first(said[: len(head) - 1 : -1] if head else said[::-1], room - sum(one.tokens for one in head))
    return [one.text for one in (*head, *reversed(tail))]


def _first(said: Sequence[Statement], room: int) -> list[Statement]:
    """From the beginning, as many as fit; the first that does not ends it."""
    found: list[Statement] = []
    for one in said:
        room -= one.tokens
        if room < 0:
            break
        found.append(one)
    return found


def _sumy_is_here() -> bool:
    return find_spec("sumy") is not None


def _of_sumy(module: str, name: str) -> Summariser:
    """One of sumy's, by its module and the beginning of its class's name."""
    from importlib import import_module

    from sumy.models.dom import ObjectDocumentModel, Paragraph
    from sumy.models.dom import Sentence as OfSumy
    from sumy.nlp.stemmers import Stemmer
    from sumy.utils import get_stop_words

    made = getattr(import_module(f"sumy.summarizers.{module}"), f"{name}Summarizer")

    def summarise(document: Annotated, evidence: Sequence[Sentence], room: int) -> list[str]:
        language = _LANGUAGES[document.language]
        said = statements(evidence)
        tokenizer = _Words(document.language)
        model = ObjectDocumentModel([Paragraph([OfSumy(one.text, tokenizer) for one in said])])
        summarizer = made(Stemmer(language) if document.language == "en" else str)
        summarizer.stop_words = get_stop_words(language)
        return [str(one) for one in summarizer(model, lambda ranked: _within(ranked, room))]

    return summarise


def _within(ranked: Sequence[Any], room: int) -> list[Any]:
    """Of sumy's ranked sentences those that fit, best first; one that does not is passed over."""
    found = []
    for one in ranked:
        cost = estimate_tokens(str(one.sentence))
        if cost <= room:
            found.append(one)
            room -= cost
    return found


@dataclass(frozen=True)
class _Words:
    """A tokenizer as sumy asks for one."""

    language: str

    def to_words(self, text: str) -> tuple[str, ...]:
        words = rjieba.cut(text) if self.language == "zh" else re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text)
        return tuple(word for word in words if _WORD.search(word))
