"""What the extractive engine keeps of the facts that were written down by hand, at a fifth of the length."""

from __future__ import annotations

import pytest
from bench.key_facts import SETS, Annotated, KeyFact, annotated, folded, is_kept
from bench.summaries import SHARE, evidence_of, score, ways
from bench.summary_weights import fitted, signed

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.evidence.quotes import locate
from kaozheng.roles.block_summarizer.offline import extract
from kaozheng.roles.block_summarizer.offline.worth import BASE, WEIGHTS

FLOOR = 0.57  # what the weights keep of documents that they were not fitted on
needs_documents = pytest.mark.skipif(not (SETS / "own").is_dir(), reason="tests/summaries/own is not here")
NEEDLES = (("8.4 亿元", "84000 万元"), ("工业增加值",))
FACT = KeyFact("工业增加值 8.4 亿元", tuple(tuple(map(folded, needle)) for needle in NEEDLES))


@pytest.mark.parametrize(
    ("summary", "kept"),
    [
        (["全年工业增加值８.４亿元。"], True),
        (["先说工业增加值。", "它有 84000 万元。"], True),
        (["先说工业增加值。", "再说别的。", "它有 8.4 亿元。"], False),
        (["工业增加值 18.5 亿元。"], False),
        ([], False),
    ],
)
def test_a_fact_is_kept_by_one_sentence_or_two_neighbours(summary: list[str], kept: bool) -> None:
    assert is_kept(FACT, summary) is kept


@needs_documents
def test_every_fact_stands_in_its_document() -> None:
    for document in [*annotated("own"), *annotated("blind")]:
        missing = [fact.say for fact in document.facts if not is_kept(fact, [document.text])]
        assert not missing, document.name


@needs_documents
@pytest.mark.parametrize("name", ["own", "blind"])
def test_most_key_facts_are_kept_and_more_than_the_beginning_and_the_end_have(name: str) -> None:
    documents = annotated(name)
    found = ways()
    ours, theirs = score(documents, found["ours"]), score(documents, found["lead-and-tail"])
    assert ours.tokens <= SHARE
    assert ours.share >= FLOOR
    assert ours.share > theirs.share


@needs_documents
@pytest.mark.parametrize("document", annotated("own"), ids=lambda document: document.name)
def test_every_sentence_stands_word_for_word_in_its_passage(document: Annotated) -> None:
    evidence = evidence_of(document)
    passages = {one.passages[0]: one.text for one in evidence}
    found = extract(evidence, int(SHARE * estimate_tokens(document.text)), document.language)
    assert found
    for one in found:
        assert locate(one.text, passages[one.passages[0]])


@needs_documents
def test_the_weights_are_those_that_the_documents_give() -> None:
    # Not to the digit: a better cut of sentences or a wider negation is no reason to fit anew.
    found = fitted(signed())
    assert dict(zip(WEIGHTS, found, strict=False)) == pytest.approx(WEIGHTS, abs=0.15)
    assert found[-1] == pytest.approx(BASE, abs=0.3)
