"""Document numbers in a question: whether the evidence has them, and which document bears one as its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from kaozheng.documents.document_numbers import DocumentNumber, bears, document_numbers, same_number
from kaozheng.errors import KnowledgeBaseError
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.sources.canonical import folded
from kaozheng.sources.chunk import Chunk
from kaozheng.sources.index import Entry, Hit, Index, Question, Within
from kaozheng.sources.ranking import Bm25, terms

_LOOKED_AT: Final = 20
_FRONT: Final = 1_500
"""Characters at a document's beginning among which its own number stands."""


def numbers_in(text: str) -> tuple[DocumentNumber, ...]:
    """The document numbers of a text whose agency is named."""
    return tuple(one for one in document_numbers(folded(text)) if one.agency)


def lacks_its_numbers(question: str, items: Sequence[EvidenceItem]) -> bool:
    """Whether the question names document numbers and the evidence has none of them: what was found is then about
    something else."""
    asked = numbers_in(question)
    return bool(asked) and not any(has_number(item, one) for one in asked for item in items)


def has_number(item: EvidenceItem, asked: DocumentNumber) -> bool:
    """Whether the number stands in a passage or in what stands above it."""
    return _stands_in(asked, "\n".join((item.title, item.document, *item.path, item.prefix, item.text)))


async def bearer(index: Index, within: Within, asked: DocumentNumber) -> tuple[Entry, Sequence[Chunk]] | None:
    """The one document whose own number this is, with its chunks; None when there is none, or several. Raises
    StorageError."""
    if not within.bases:
        return None
    try:
        found = await index.search(Question(asked.form, within, limit=_LOOKED_AT))
    except KnowledgeBaseError:  # dropped meanwhile
        return None
    entries = {(hit.entry.base, hit.entry.name): hit.entry for hit in found.hits if hit.exact}
    bearing = []
    for entry in entries.values():
        chunks = await index.chunks(entry.base, entry.name)
        if _bears(entry, chunks, asked):
            bearing.append((entry, chunks))
    return bearing[0] if len(bearing) == 1 else None


def hits_about(entry: Entry, chunks: Sequence[Chunk], query: str, asked: DocumentNumber, limit: int) -> list[Hit]:
    """Up to `limit` chunks of one document that have words of a query, best first; the first ones where none has.
    Behind them the one in which the document bears its number."""
    plain = _without_numbers(query)
    scores = Bm25([terms(chunk.searched) for chunk in chunks]).scores(terms(plain))
    order = sorted(range(len(chunks)), key=lambda at: (-scores[at], at))
    kept = ([at for at in order if scores[at] > 0] or order)[:limit]
    kept += [at for at in range(len(chunks)) if bears(chunks[at].text, asked) and at not in kept][:1]
    return [Hit(entry, chunks[at], chunks[at].id, scores[at], False, {}) for at in kept]


def sided(bundle: EvidenceBundle, targets: Sequence[str]) -> EvidenceBundle:
    """The bundle, in which a passage counts for a document number that is compared only where it names that number or
    is of the document that bears it: a search for one number finds its neighbours too."""
    numbered = {target: numbers[0] for target in targets if (numbers := numbers_in(target))}
    if not numbered:
        return bundle
    own = {
        (target, item.base, item.document)
        for target, number in numbered.items()
        for item in bundle.items
        if bears(item.text, number)
    }

    def counts(item: EvidenceItem, target: str) -> bool:
        number = numbered.get(target)
        return number is None or (target, item.base, item.document) in own or has_number(item, number)

    items = (replace(item, targets=tuple(one for one in item.targets if counts(item, one))) for item in bundle.items)
    return replace(bundle, items=tuple(items))


def _without_numbers(text: str) -> str:
    plain = folded(text)
    for one in reversed(document_numbers(plain)):
        plain = f"{plain[: one.start]} {plain[one.end :]}"
    return plain


def _bears(entry: Entry, chunks: Sequence[Chunk], asked: DocumentNumber) -> bool:
    """Whether the number is the document's own: it stands in the title, or on a line of its own at the beginning. Where
    a sentence names it, it is another document's."""
    if _stands_in(asked, entry.title):
        return True
    return bears("\n".join(chunk.text for chunk in chunks)[:_FRONT], asked)


def _stands_in(asked: DocumentNumber, text: str) -> bool:
    return any(same_number(one, asked) for one in document_numbers(folded(text)))
