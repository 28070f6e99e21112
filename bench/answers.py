"""What the answerer's twin says without a model: whether the answer stands in it, how long it is, and what is refused.

Passages and questions are those of the recall table, one passage a document. A question's evidence is what a search by
words finds, its best five; beside it the one passage that answers (what better search could reach), and the five best
without that passage (what has no answer, as far as is known). Rules were tuned on the questions at even places; only
those at odd places are reported.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from bench.material import SHARED, chunk, lines
from bench.row import Row
from kaozheng.evidence.bundle import EvidenceBundle, Gathered, bundle_of
from kaozheng.providers.indexes.sqlite_index import open_index
from kaozheng.roles.answerer import REFUSALS, AnswerTask
from kaozheng.roles.answerer.offline import answer
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.index import Entry, Found, Hit, Question, Within
from kaozheng.sources.sufficiency import sufficiency

Language = Literal["zh", "en"]
LIMIT = 5
_BOUNDS = {"zh": "contained .85 below 160 characters", "en": "contained .80 below 60 words"}
_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_MARK = re.compile(r"\[E\d+\]")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the answers that count, what was found for it, and its passage."""

    language: Language
    question: str
    answers: tuple[str, ...]
    gold: str
    found: Found
    alone: EvidenceBundle

    @property
    def best(self) -> EvidenceBundle:
        """What a search gives."""
        return bundle_of([Gathered(self.found.hits[:LIMIT])])

    @property
    def without(self) -> Found:
        """What a search would give if the passage were not there."""
        gone = {hit.ref for hit in self.found.hits if hit.entry.name == self.gold}
        hits = tuple(hit for hit in self.found.hits if hit.ref not in gone)[:LIMIT]
        legs = tuple(replace(leg, hits=tuple(one for one in leg.hits if one[0] not in gone)) for leg in self.found.legs)
        return replace(self.found, hits=hits, legs=legs)


@dataclass(frozen=True, slots=True)
class Given:
    """What was answered: `contained` says that an answer stands in it, `cites` that it names the right passage;
    `length` is in characters (zh) or words (en), without marks."""

    refused: bool
    contained: bool
    cites: bool
    length: int


def measure() -> Iterator[Row]:
    if not SHARED.is_dir():
        yield Row("offline answers", "not measured", f"{SHARED} is not here")
        return
    for language in ("zh", "en"):
        asked = asyncio.run(gathered(language, 1))
        hit = [one for one in asked if any(item.document == one.gold for item in one.best.items)]
        of_best = [given(one, one.best) for one in hit]
        of_alone = [given(one, one.alone) for one in asked]
        count = f"{len(hit):,} of {len(asked):,} questions"
        yield Row(f"{language}, passage among the best {LIMIT}", said(of_best), count, bound=_BOUNDS[language])
        yield Row(f"{language}, the passage alone", said(of_alone))
        yield Row(f"{language}, passage taken away", refusals(asked))


async def gathered(language: Language, half: int) -> list[Asked]:
    """The questions at even (0) or odd (1) places, each with what a search by words finds."""
    alone: dict[str, EvidenceBundle] = {}
    with tempfile.TemporaryDirectory() as folder:
        async with open_index(Path(folder) / "knowledge.db", Analyser()) as index:
            for number, passage in enumerate(lines(f"{language}_passages.jsonl"), 1):
                entry = Entry("kb", passage["id"], str(number), title=passage["title"].replace("_", " "))
                only = chunk(entry.name, number, passage["text"])
                alone[entry.name] = bundle_of([Gathered([Hit(entry, only, only.id, 1.0, False, {})])])
                await index.put(entry, [only])
            asked = []
            for one in lines(f"{language}_retrieval.jsonl")[half::2]:
                question, gold = one["query"], one["gold_passage_id"]
                found = await index.search(Question(question, Within(("kb",)), limit=LIMIT + 1))
                asked.append(Asked(language, question, tuple(one["answers"]), gold, found, alone[gold]))
            return asked


def given(asked: Asked, bundle: EvidenceBundle) -> Given:
    """What the twin answers from a bundle."""
    text = answer(AnswerTask(asked.question, bundle, asked.language))
    plain = _MARK.sub("", text)
    used = {item.document for item in bundle.items if f"[{item.label}]" in text}
    length = len(plain) if asked.language == "zh" else len(plain.split())
    refused = text == REFUSALS[asked.language]
    contained = any(stands(one, plain) for one in asked.answers)
    return Given(refused, contained, asked.gold in used, 0 if refused else length)


def stands(wanted: str, text: str) -> bool:
    """Whether the words and figures of an answer stand together in a text, whatever their width, case and signs."""
    mine, theirs = _tokens(wanted), _tokens(text)
    return bool(mine) and any(theirs[at : at + len(mine)] == mine for at in range(len(theirs) - len(mine) + 1))


def _tokens(text: str) -> list[str]:
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", unicodedata.normalize("NFKC", text).casefold())
    return _TOKEN.findall(plain)


def said(answers: Sequence[Given]) -> str:
    """The shares of all questions, and the mean length of those answered."""
    count, answered = len(answers), [one for one in answers if not one.refused]
    contained, cites = sum(one.contained for one in answers) / count, sum(one.cites for one in answers) / count
    mean = sum(one.length for one in answered) / max(1, len(answered))
    return f"contained {contained:.3f} length {mean:.0f} cites {cites:.3f} refused {1 - len(answered) / count:.3f}"


def refusals(asked: Sequence[Asked]) -> str:
    """The share refused before the twin is asked, and with it; behind it the same of questions that have an answer."""
    analyser, rates = Analyser(), []
    for found in ([one.without for one in asked], [replace(one.found, hits=one.found.hits[:LIMIT]) for one in asked]):
        first = [not sufficiency(one.question, what, analyser).enough for one, what in zip(asked, found, strict=True)]
        both = [
            early or given(one, bundle_of([Gathered(what.hits)])).refused
            for one, what, early in zip(asked, found, first, strict=True)
        ]
        rates.append(f"{sum(first) / len(asked):.3f}, with the twin {sum(both) / len(asked):.3f}")
    return f"refused {rates[0]}; with the passage {rates[1]}"
