"""Imports that lead in a circle: the strongly connected parts of the import graph, each shown by one short circle."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Graph = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Circle:
    """`path` is a shortest circle, its first file not repeated at the end; `files` counts all that reach each other."""

    path: tuple[str, ...]
    files: int


def circles(graph: Graph) -> list[Circle]:
    """One circle for each part of the graph in which every file reaches every other, the largest part first."""
    found = []
    for part in _parts(graph):
        found.append(Circle(min((_shortest(graph, one, part) for one in sorted(part)[:20]), key=len), len(part)))
    return sorted(found, key=lambda circle: (-circle.files, circle.path))


def _shortest(graph: Graph, start: str, part: frozenset[str]) -> tuple[str, ...]:
    """From `start` back to itself inside its part."""
    came: dict[str, str] = {}
    pending = deque([start])
    while pending:
        one = pending.popleft()
        for target in sorted(set(graph.get(one, ())) & part - {one}):
            if target == start:
                path = [one]
                while path[-1] != start:
                    path.append(came[path[-1]])
                return tuple(reversed(path))
            if target not in came:
                came[target] = one
                pending.append(target)
    return (start,)


def _parts(graph: Graph) -> list[frozenset[str]]:
    """Tarjan's parts of more than one node, without recursion: an import chain may be as long as a repository."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    held: set[str] = set()
    parts: list[frozenset[str]] = []
    for root in sorted(graph):
        if root in index:
            continue
        work = [(root, iter(graph.get(root, ())))]
        index[root] = low[root] = len(index)
        stack.append(root)
        held.add(root)
        while work:
            node, targets = work[-1]
            target = next(targets, None)
            if target is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    _close(node, stack, held, parts)
            elif target not in index:
                index[target] = low[target] = len(index)
                stack.append(target)
                held.add(target)
                work.append((target, iter(graph.get(target, ()))))
            elif target in held:
                low[node] = min(low[node], index[target])
    return parts


def _close(node: str, stack: list[str], held: set[str], parts: list[frozenset[str]]) -> None:
    part = set()
    while True:
        one = stack.pop()
        held.discard(one)
        part.add(one)
        if one == node:
            break
    if len(part) > 1:
        parts.append(frozenset(part))
