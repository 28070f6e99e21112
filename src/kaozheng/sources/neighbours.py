"""Neighbouring parts of texts put together until they are as large as wanted; headings and sources are the borders.

For passages that become blocks, and for summaries that become the summaries of a higher level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Final

_CHAPTERS: Final = 2  # levels of headings that are borders unless a chapter is small
_TRIES: Final = 2


@dataclass(frozen=True, slots=True)
class Weighed:
    """A part of a text: whose it is ("" when of several sources), the headings above it, and its tokens (estimated)."""

    source: str
    path: tuple[str, ...]
    tokens: int


def neighbours(parts: Sequence[Weighed], most: int, tiny: int = 0) -> list[range]:
    """The parts in groups of at most `most` tokens, in order, each part in one; a part that is larger is a group alone.

    What stands under one heading of level 1 or 2 is a group or more of its own, unless it has at most half of `most`:
    then it goes together with its small neighbours under the same heading. Deeper headings are borders only where a
    group must end anyway. Sources go together where each has at most `tiny` tokens, and are borders else. Linear.
    """
    grouping = _Grouping(parts, [0, *accumulate(part.tokens for part in parts)], most)
    loose: list[range] = []
    groups: list[range] = []
    for source in _runs(lambda part: part.source, parts, range(len(parts))):
        if grouping.weight(source) <= min(tiny, most):
            loose.append(source)
            continue
        groups += [*grouping.packed(loose), *grouping.within(source, 0)]
        loose = []
    return [*groups, *grouping.packed(loose)]


def shared_path(paths: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The headings that all of the paths begin with."""
    rest = iter(paths)
    shared = next(rest, ())
    for path in rest:
        same = 0
        while same < min(len(shared), len(path)) and shared[same] == path[same]:
            same += 1
        shared = shared[:same]
    return shared


def as_one(parts: Sequence[Weighed]) -> Weighed:
    """Several parts seen as one: the source of all, or ""; the headings that all of them share (of one source alone:
    two files may use the same words for different things)."""
    sources = {part.source for part in parts}
    source = sources.pop() if len(sources) == 1 else ""
    return Weighed(source, shared_path(part.path for part in parts) if source else (), sum(p.tokens for p in parts))


@dataclass(frozen=True, slots=True)
class _Grouping:
    parts: Sequence[Weighed]
    sums: list[int]
    most: int

    def weight(self, run: range) -> int:
        return self.sums[run.stop] - self.sums[run.start]

    def within(self, run: range, depth: int) -> Iterator[range]:
        """The groups of a run whose paths agree down to `depth`."""
        inside = list(_runs(lambda part: part.path[: depth + 1], self.parts, run))
        if len(inside) == 1:
            if all(self.parts[at].path == self.parts[run.start].path for at in run):
                yield from self.packed([range(at, at + 1) for at in run])
            else:
                yield from self.within(run, depth + 1)
            return
        loose: list[range] = []
        for part in inside:
            if self.weight(part) * (2 if depth < _CHAPTERS else 1) <= self.most:
                loose.append(part)
                continue
            yield from self.packed(loose)
            loose = []
            yield from [part] if self.weight(part) <= self.most else self.within(part, depth + 1)
        yield from self.packed(loose)

    def packed(self, runs: Sequence[range]) -> list[range]:
        """Neighbouring runs as groups of about the same weight, as few as can be: to fill each to the brim would leave
        a rest at the end that says little."""
        if not runs:
            return []
        count = max(1, -(-self.weight(range(runs[0].start, runs[-1].stop)) // self.most))
        groups = self._even(runs, count)
        for _ in range(_TRIES):
            if len(groups) <= count:
                break
            # Coarse runs do not fill a group to the brim: one more group is needed, and all should be as large as it.
            count = len(groups)
            groups = self._even(runs, count)
        return groups

    def _even(self, runs: Sequence[range], count: int) -> list[range]:
        start, stop = runs[0].start, runs[-1].stop
        even = self.weight(range(start, stop)) / count
        before = self.sums[start]
        groups: list[range] = []
        for run in runs:
            middle = (self.sums[run.start] + self.sums[run.stop]) / 2 - before
            full = self.weight(range(start, run.stop)) > self.most
            if run.start > start and (full or middle > (len(groups) + 1) * even):
                groups.append(range(start, run.start))
                start = run.start
        return [*groups, range(start, stop)]


def _runs(key: Callable[[Weighed], object], parts: Sequence[Weighed], run: range) -> Iterator[range]:
    start = run.start
    for _, same in groupby(run, key=lambda at: key(parts[at])):
        stop = start + sum(1 for _ in same)
        yield range(start, stop)
        start = stop
