"""Code cut for finding: by its definitions, a small one never in two; what stands between them by empty lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kaozheng.documents.span import Span
from kaozheng.sources.cutting import cut
from kaozheng.sources.source import Definition

_APART = re.compile(r"\n[ \t]*\n+(?=[^\s)\]}])")  # an empty line, and below it what is not indented
_WORD = re.compile(r"\w")


@dataclass(slots=True)
class _Node:
    path: tuple[str, ...]
    span: Span
    inner: list[_Node] = field(default_factory=list)


def code_cuts(text: str, definitions: Sequence[Definition], longest: int) -> list[tuple[tuple[str, ...], Span]]:
    """(names of the definitions that it stands in, place) in order. A definition of up to `longest` characters is one
    piece; of a longer one its inner definitions are pieces, and what is between them."""
    root = _Node((), Span(0, len(text)))
    above = [root]
    for one in sorted(definitions, key=lambda one: (one.span.start, -one.span.end)):
        while len(above) > 1 and one.span.end > above[-1].span.end:
            above.pop()
        if one.span.start < (above[-1].inner[-1].span.end if above[-1].inner else above[-1].span.start):
            continue  # two that overlap without one being in the other: the grammar lost its way
        owner = (one.owner,) if one.owner and one.owner not in above[-1].path else ()
        node = _Node((*above[-1].path, *owner, one.name), one.span)
        above[-1].inner.append(node)
        above.append(node)
    return list(_pieces(text, root, longest))


def _pieces(text: str, node: _Node, longest: int) -> Iterator[tuple[tuple[str, ...], Span]]:
    if node.path and len(node.span) <= longest:
        yield node.path, node.span
        return
    at = node.span.start
    for inner in node.inner:
        yield from ((node.path, one) for one in _between(text, Span(at, inner.span.start), longest))
        yield from _pieces(text, inner, longest)
        at = inner.span.end
    yield from ((node.path, one) for one in _between(text, Span(at, node.span.end), longest))


def _between(text: str, span: Span, longest: int) -> Iterator[Span]:
    """Neighbouring blocks as long as they fit; without the empty lines around them."""
    borders = [found.end() for found in _APART.finditer(text, span.start, span.end)]
    group = Span(span.start, span.start)
    for border in [*borders, span.end]:
        if border - group.start > longest and len(group):
            yield from _told(text, group, longest)
            group = Span(group.end, group.end)
        group = Span(group.start, border)
    yield from _told(text, group, longest)


def _told(text: str, span: Span, longest: int) -> Iterator[Span]:
    body = text[span.start : span.end]
    start = span.start + len(body) - len(body.lstrip("\n"))
    if not _WORD.search(body):
        return
    if len(body.strip("\n")) <= longest:
        yield Span(start, span.start + len(body.rstrip()))
        return
    yield from (Span(span.start + one.start, span.start + one.end) for one in cut(body, longest, 0))
