"""Which statements of a text a summary is held against: what a model named, what the summary of a block kept, what
the extractive engine would say, and what weighs most by itself, up to a bounded length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.evidence.folding import fold
from kaozheng.evidence.key_statements import KeyStatement
from kaozheng.evidence.losing import lost
from kaozheng.evidence.quotes import locate_folded
from kaozheng.evidence.sentence import Sentence
from kaozheng.roles.block_summarizer.offline import extract
from kaozheng.sources.material import Material
from kaozheng.workflows.summarize.memory import MemoryEntry

ROOM: Final = 1.5
"""How many tokens of statements are watched over, as a multiple of the summary's length."""
_BY_A_BLOCK: Final = 1.5
_BY_EXTRACT: Final = 2.0
_LISTED: Final = 3.0
"""A statement that someone has found important once already is worth so many times its weight."""
_CANDIDATES: Final = 2
_MOST_EXTRACTED: Final = 40_000
"""Tokens of a text that is read as a whole once more; of a longer one the summaries of its blocks must do."""


def watched(
    statements: Sequence[KeyStatement],
    blocks: Mapping[int, MemoryEntry],
    material: Material,
    target_tokens: int,
) -> list[KeyStatement]:
    """The statements that matter most, in their order, together at most `ROOM` times as long as the summary may be;
    their weight is what they are worth here."""
    room = int(target_tokens * ROOM)
    chosen = _extracted(statements, material, room)
    kept = _kept(statements, _candidates(statements, chosen, _CANDIDATES * room), blocks)
    worth = [
        one.weight
        * (_BY_A_BLOCK if at in kept else 1.0)
        * (_BY_EXTRACT if at in chosen else 1.0)
        * (_LISTED if any(fact.kind == "listed" for fact in one.facts) else 1.0)
        for at, one in enumerate(statements)
    ]
    found = []
    for at in sorted(range(len(statements)), key=lambda at: -worth[at]):
        room -= estimate_tokens(statements[at].text)
        if room < 0:
            break
        found.append(at)
    return [replace(statements[at], weight=worth[at]) for at in sorted(found)]


def _candidates(statements: Sequence[KeyStatement], chosen: Container[int], room: int) -> list[int]:
    """Those that may come to be watched, in their order: whether a summary keeps a statement takes milliseconds to find
    out, and a book has tens of thousands."""
    found = []
    for at in sorted(range(len(statements)), key=lambda at: (at not in chosen, -statements[at].weight)):
        room -= estimate_tokens(statements[at].text)
        if room < 0:
            break
        found.append(at)
    return sorted(found)


def _kept(statements: Sequence[KeyStatement], candidates: Iterable[int], blocks: Mapping[int, MemoryEntry]) -> set[int]:
    """Which of the candidates the summary of their own block has kept."""
    of_passage = {id: entry for entry in blocks.values() for id in entry.passages}
    by_block: dict[int, list[int]] = defaultdict(list)
    for at in candidates:
        if entry := of_passage.get(statements[at].passage):
            by_block[entry.index].append(at)
    kept: set[int] = set()
    for index, places in by_block.items():
        if blocks[index].by != "model":  # the sentences of the text themselves: what is kept stands there as it is
            text = blocks[index].text
            kept |= {at for at in places if statements[at].text in text}
            continue
        gone = lost([statements[at] for at in places], [one.text for one in blocks[index].sentences])
        missed = {id(loss.statement) for loss in gone}
        kept |= {at for at in places if id(statements[at]) not in missed}
    return kept


def _extracted(statements: Sequence[KeyStatement], material: Material, room: int) -> set[int]:
    """Which statements the extractive engine would make a summary of `room` tokens of."""
    evidence = [Sentence(one.text, (one.id,)) for one in material.passages if one.kind != "code"]
    if sum(estimate_tokens(one.text) for one in evidence) > _MOST_EXTRACTED:
        return set()
    said: dict[str, list[str]] = defaultdict(list)
    for one in extract(evidence, room, material.language):
        for passage in one.passages:
            said[passage].append(one.text)
    found = set()
    for at, statement in enumerate(statements):
        folded = fold(statement.text)
        if any(
            locate_folded(text, folded) or locate_folded(statement.text, fold(text)) for text in said[statement.passage]
        ):
            found.add(at)
    return found
