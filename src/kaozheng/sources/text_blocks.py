"""A material cut into blocks that are read and summarised one by one: neighbouring passages, whole chapters first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from kaozheng.documents.sentences import split
from kaozheng.documents.span import LineRange, Span
from kaozheng.documents.tokens import estimate_tokens
from kaozheng.sources.material import Material
from kaozheng.sources.neighbours import Weighed, as_one, neighbours
from kaozheng.sources.passage import Passage, Unit

BLOCK_TOKENS: Final = 2000
"""About the size of a block of a long text."""
TINY_TOKENS: Final = 500
"""A source of at most this size may share a block with its neighbours."""
_FEW, _MANY = 2, 10  # blocks of a short text
_AIM = 8
_LEAST = 100  # tokens: a block of less is hardly worth a call, where there are enough others
_SHORT = _AIM * BLOCK_TOKENS
_CRUMB = 50  # tokens: a signature, a date
_PROSE = frozenset({"paragraph", "item", "quote"})


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Neighbouring passages of one source, read and summarised together; of several where these are tiny (notes of a
    few lines), and then `source` is "". `id` "B12" counts from 1 over all sources. `path`: headings that all its
    passages stand under. `passages`: ids in order. `tokens`: estimate of its text."""

    id: str
    source: str
    path: tuple[str, ...]
    passages: tuple[str, ...]
    tokens: int


def cut_blocks(material: Material, most_tokens: int | None = None) -> list[TextBlock]:
    """The blocks of a material: each passage is in one, in order. No block has more than `most_tokens` unless a single
    passage has (a long table or code, which lose their sense when cut).

    Without `most_tokens` a block of a long text has at most some 2,000 tokens, and a short text (up to 16,000 tokens)
    of one source has 2 to 10 blocks if it has two passages; see `finely_cut` for one that has not. Chapters (headings
    of level 1 and 2) are borders unless they are small. Raises ValueError when `most_tokens` is not above 0.
    """
    if most_tokens is not None and most_tokens < 1:
        raise ValueError(f"most_tokens must be above 0, not {most_tokens}")
    passages = material.passages
    parts = [Weighed(one.source, one.path, estimate_tokens(one.text)) for one in passages]
    total = sum(part.tokens for part in parts)
    most = most_tokens or _size_for(total)
    tiny = min(most, max(most // 4, TINY_TOKENS))
    groups = neighbours(parts, most, tiny)
    if most_tokens is None and total <= _SHORT:
        groups = _at_most(_MANY, groups, parts)
    groups = _without_crumbs(groups, parts, most_tokens or BLOCK_TOKENS)
    blocks = []
    for number, group in enumerate(groups, start=1):
        whole = as_one(parts[group.start : group.stop])
        ids = tuple(passages[at].id for at in group)
        blocks.append(TextBlock(f"B{number}", whole.source, whole.path, ids, whole.tokens))
    return blocks


def finely_cut(material: Material) -> Material:
    """The same material, fit to be cut into blocks: where all of it is a single passage, its sentences (the lines of a
    list) become passages with ids of their own. Passages that are tables, code or formulas stay whole."""
    if len(material.passages) >= _FEW:
        return material
    units = [replace(unit, passages=_sentences(unit, material)) for unit in material.units]
    return replace(material, units=units)


def _sentences(unit: Unit, material: Material) -> list[Passage]:
    cut: list[Passage] = []
    for passage in unit.passages:
        text = material.source(passage.source).text
        for span in _spans(passage):
            start, end = passage.span.start + span.start, passage.span.start + span.end
            first = passage.lines.start + text.count("\n", passage.span.start, start)
            lines = LineRange(first, first + text.count("\n", start, end))
            id = f"{passage.source}:{len(cut) + 1}"
            cut.append(
                Passage(id, passage.source, Span(start, end), lines, passage.kind, text[start:end], passage.path)
            )
    return cut


def _spans(passage: Passage) -> list[Span]:
    if passage.kind in _PROSE:
        return split(passage.text) or [Span(0, len(passage.text))]
    if passage.kind != "list":
        return [Span(0, len(passage.text))]
    spans, start = [], 0
    for line in passage.text.splitlines(keepends=True):
        inner = line.strip()
        if inner:
            begin = start + line.index(inner)
            spans.append(Span(begin, begin + len(inner)))
        start += len(line)
    return spans


def _size_for(total: int) -> int:
    """A long text has blocks of one size, a short one about eight blocks; never one block where there can be two."""
    if total > _SHORT:
        return BLOCK_TOKENS
    return max(1, -(-total // _AIM), min(_LEAST, -(-total // _FEW)))


def _at_most(many: int, groups: list[range], parts: list[Weighed]) -> list[range]:
    """Small groups of the same source, or of tiny sources, joined until there are `many`: chapters of a short text may
    be more than that."""
    sizes: Counter[str] = Counter()
    for part in parts:
        sizes[part.source] += part.tokens
    groups = list(groups)
    while len(groups) > many:
        weights = [sum(part.tokens for part in parts[group.start : group.stop]) for group in groups]
        found = [
            (weights[at] + weights[at + 1], at)
            for at, (left, right) in enumerate(pairwise(groups))
            if len(sources := {parts[index].source for group in (left, right) for index in group}) == 1
            or all(sizes[source] <= TINY_TOKENS for source in sources)
        ]
        if not found:
            break
        _, at = min(found)
        groups[at : at + 2] = [range(groups[at].start, groups[at + 1].stop)]
    return groups


def _without_crumbs(groups: list[range], parts: list[Weighed], most: int) -> list[range]:
    """A block of a line or two goes with its neighbour where that loses no heading by it."""
    kept: list[range] = []
    for group in groups:
        both = range(kept[-1].start, group.stop) if kept else group
        if kept and _is_crumb(both, (kept[-1], group), parts, most):
            kept[-1] = both
        else:
            kept.append(group)
    return kept if len(kept) >= _FEW else groups


def _is_crumb(both: range, pair: tuple[range, range], parts: list[Weighed], most: int) -> bool:
    whole, *halves = [as_one(parts[group.start : group.stop]) for group in (both, *pair)]
    small, large = sorted(halves, key=lambda half: half.tokens)
    same = small.source == large.source != "" and whole.path == large.path
    return same and small.tokens < _CRUMB and whole.tokens <= most
