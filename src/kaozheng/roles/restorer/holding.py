"""Whether a sentence says all that a lost one says, and nothing else: by the codes that found the loss and that look up
the places of every sentence."""

from __future__ import annotations

from collections.abc import Sequence

from kaozheng.documents.span import LineRange, Span
from kaozheng.evidence.covering import Covering
from kaozheng.evidence.key_facts import facts_in
from kaozheng.evidence.key_statements import KeyStatement
from kaozheng.evidence.losing import lost
from kaozheng.evidence.sentence import Sentence
from kaozheng.evidence.support import Supporter
from kaozheng.sources.passage import Passage


def held(said: str, claimed: Sequence[int], sources: Sequence[Sentence]) -> tuple[int, ...]:
    """Which of the `claimed` places of `sources` the sentence restores; none when they do not carry it."""
    places = [place for place in dict.fromkeys(claimed) if 0 <= place < len(sources)]
    if not places or not _carried(said, [sources[place] for place in places]):
        return ()
    return tuple(place for place in places if not lost([_statement(sources[place])], [said]))


def _statement(source: Sentence) -> KeyStatement:
    return KeyStatement(source.text, "", Span(0, len(source.text)), facts_in(source.text), 1.0)


def _carried(said: str, sources: Sequence[Sentence]) -> bool:
    """Whether these source sentences have the sentence: they alone, so that it brings in nothing from elsewhere."""
    passages = [
        Passage(f"S1:{place}", "S1", Span(0, len(one.text)), LineRange(1, 1), "paragraph", one.text)
        for place, one in enumerate(sources, start=1)
    ]
    return bool(Covering(Supporter(passages)).of(said, [passage.id for passage in passages]))
