"""The imports of a repository as a Mermaid flowchart: files while they are few, else folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath

from kaozheng.sources.code.symbol import ImportEdge

_UNSAFE = str.maketrans(
    {'"': "'", "\\": "/", "`": "'", "#": "＃", "<": "＜", ">": "＞", "\n": " ", "\r": " ", "\t": " "}
)


def mermaid(edges: Iterable[ImportEdge], most_nodes: int = 30) -> str:
    """A flowchart of the imports inside the repository, or "" when there are none. More files than `most_nodes` are
    grouped by folder, as deep as fits; what still does not fit is left out, the least imported first. Names stand
    quoted; an edge for several imports carries their number."""
    pairs = Counter((edge.source, edge.target) for edge in edges if edge.inside and edge.source != edge.target)
    names = {name for pair in pairs for name in pair}
    if len(names) > most_nodes:
        pairs = _by_folder(pairs, most_nodes)
        names = {name for pair in pairs for name in pair}
    if len(names) > most_nodes:
        pairs = _heaviest(pairs, most_nodes)
        names = {name for pair in pairs for name in pair}
    if not pairs:
        return ""
    ids = {name: f"n{number}" for number, name in enumerate(sorted(names), start=1)}
    lines = ["flowchart LR", *(f'    {ids[name]}["{name.translate(_UNSAFE)}"]' for name in sorted(names))]
    for (source, target), count in sorted(pairs.items()):
        lines.append(f"    {ids[source]} -->{f'|{count}|' if count > 1 else ''} {ids[target]}")
    return "\n".join(lines) + "\n"


def _heaviest(pairs: Counter[tuple[str, str]], most_nodes: int) -> Counter[tuple[str, str]]:
    """The most imports first, as long as the nodes fit."""
    weights: Counter[str] = Counter()
    for (source, target), count in pairs.items():
        weights[source] += count
        weights[target] += count
    kept: Counter[tuple[str, str]] = Counter()
    names: set[str] = set()
    for pair in sorted(pairs, key=lambda pair: (-weights[pair[0]] - weights[pair[1]], pair)):
        if len(names | set(pair)) <= most_nodes:
            names.update(pair)
            kept[pair] = pairs[pair]
    return kept


def _by_folder(pairs: Counter[tuple[str, str]], most_nodes: int) -> Counter[tuple[str, str]]:
    """The deepest grouping with at least two nodes and no more than fit; else the shallowest that has an edge."""
    deepest = max(len(PurePosixPath(name).parts) for pair in pairs for name in pair)
    grouped: Counter[tuple[str, str]] = Counter()
    for depth in range(deepest, 0, -1):
        candidate: Counter[tuple[str, str]] = Counter()
        for (source, target), count in pairs.items():
            pair = _folder(source, depth), _folder(target, depth)
            if pair[0] != pair[1]:
                candidate[pair] += count
        if not candidate:
            break
        grouped = candidate
        if len({name for pair in candidate for name in pair}) <= most_nodes:
            break
    return grouped


def _folder(path: str, depth: int) -> str:
    folders = PurePosixPath(path).parts[:-1][:depth]
    return "/".join(folders) + "/" if folders else path
