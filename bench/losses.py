"""A summariser that loses things on purpose: how much of it the loss check brings back.

On the annotated documents a scripted model says, word for word, the sentences that hold a fact of the editor's, but
leaves out a third or half of these facts, drawn by lot: in the sections only, or in the summaries of the blocks too.
Behind the summary of a block it lists facts, as the prompt asks for; in the last rows it lists none, and only the list
that code makes is left.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bench.key_facts import Annotated, KeyFact, annotated, is_kept
from bench.row import Row
from kaozheng.models.messages import Call
from kaozheng.testing import summarising
from kaozheng.testing.actor import act_call
from kaozheng.testing.memory import MemoryArtifacts
from kaozheng.testing.memory_ports import memory_ports
from kaozheng.testing.scripted_model import ScriptedModel
from kaozheng.workflows.summarize.delivering import deliver
from kaozheng.workflows.summarize.graph import build

BOUND = 0.9
SEED = 5
SHARES = {"a third": 1 / 3, "half": 1 / 2}
BOTH = ("summary_writer", "block_summarizer")
PLACES = {
    "sections": (("summary_writer",), True),
    "blocks and sections": (BOTH, True),
    "blocks and sections, code alone lists facts": (BOTH, False),
}
MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Lossy:
    """Drops `lost` facts in the roles of `where`; with `names` it still lists them behind the summary of a block."""

    facts: Sequence[KeyFact]
    lost: Sequence[KeyFact]
    where: Sequence[str]
    names: bool

    def __call__(self, call: Call) -> Any:
        if call.role not in ("summary_writer", "block_summarizer"):
            return act_call(call)
        forgets = self.lost if call.role in self.where else ()
        items = summarising.evidence_of("\n".join(one.content for one in call.messages))
        said = [(label, text) for label, sentences in items.items() for text in sentences]
        texts = [text for _, text in said]
        gone = {at for fact in forgets for at in places_of(fact, texts)}
        telling = {at for fact in self.facts for at in places_of(fact, texts)} - gone
        chosen = sorted(telling) or [at for at in range(len(said)) if at not in gone][:1] or [0]
        told = [f"{said[at][1]}[E{said[at][0]}]" for at in chosen]
        named = sorted({at for fact in self.facts for at in places_of(fact, texts)})[:MOST_NAMED]
        if self.names and call.role == "block_summarizer":
            told += ["", "关键事实：" if "关键事实" in call.messages[0].content else "KEY FACTS:"]
            told += [texts[at] for at in named]
        return "\n".join(told)


def places_of(fact: KeyFact, texts: Sequence[str]) -> set[int]:
    """The sentences that hold a fact, alone or with the next one."""
    alone = {at for at, text in enumerate(texts) if is_kept(fact, [text])}
    both = {at for at, two in enumerate(pairwise(texts)) if is_kept(fact, two) and not {at, at + 1} & alone}
    return alone | both | {at + 1 for at in both}


@dataclass(frozen=True, slots=True)
class Count:
    """Of one document: the facts that were dropped, those of them that came back; all facts and those that the summary
    has; tokens of the text, of the sections as they were written, and of the summary."""

    dropped: int
    back: int
    facts: int
    kept: int
    text: int
    before: int
    after: int

    def __add__(self, other: Count) -> Count:
        return Count(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


def measure(*sets: str) -> Iterator[Row]:
    for name in sets or ("own", "blind"):
        documents = annotated(name)
        for place, (where, names) in PLACES.items():
            for told, share in SHARES.items():
                whole = sum((lossy(one, share, where, names) for one in documents), Count(0, 0, 0, 0, 0, 0, 0))
                yield _row(f"{name}: {told} dropped in the {place}", whole)


def _row(what: str, one: Count) -> Row:
    length = f"{one.before / one.text:.1%} of the text -> {one.after / one.text:.1%}"
    kept = f"all facts {one.kept} of {one.facts}"
    share = one.back / one.dropped
    return Row(what, f"{one.back} of {one.dropped} back; {kept}", length, f"{share:.3f}", f"at least {BOUND:.2f}")


def lossy(document: Annotated, share: float, where: Sequence[str], names: bool) -> Count:
    """A document, summarised by who loses `share` of its facts."""
    chance = random.Random(f"{SEED} {document.name}")
    lost = chance.sample(document.facts, round(share * len(document.facts)))
    report, trace = asyncio.run(_summary(document.text, ScriptedModel(Lossy(document.facts, lost, where, names))))
    first = [one["text"] for one in trace if not one["restored"]]
    final = [one["text"] for one in trace]
    dropped = [fact for fact in lost if not is_kept(fact, first)]
    length = report["length"]
    share_before = sum(map(len, first)) / max(1, sum(map(len, final)))
    return Count(
        len(dropped),
        sum(is_kept(fact, final) for fact in dropped),
        len(document.facts),
        sum(is_kept(fact, final) for fact in document.facts),
        length["text"],
        round(length["summary"] * share_before),
        length["summary"],
    )


async def _summary(text: str, model: ScriptedModel) -> tuple[Mapping[str, Any], list[dict[str, Any]]]:
    artifacts = MemoryArtifacts()
    ports = memory_ports(artifacts=artifacts, model=model)
    end = await build().compile().ainvoke({"original_text": text}, {"recursion_limit": 1000}, context=ports)
    return await deliver(end, artifacts), json.loads(await artifacts.get(end["trace"]))
