"""The imports of a repository as a Mermaid flowchart: files while they are few, else folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kaozheng.sources.code.symbol import ImportEdge

_UNSAFE = str.maketrans(
    {'"': "'", "\\": "/", "`": "'", "#": "＃", "<": "＜", ">": "＞", "\n": " ", "\r": " ", "\t": " "}
)


def mermaid(edges: Iterable[ImportEdge], most_nodes: int = 30) -> str:
    """A flowchart of the imports inside the repository, or "" when there are none. More files than `most_nodes` are
    grouped by folder, the busiest opened as far as fits; what still does not fit is left out, the least imported first.
    Names stand quoted; an edge for several imports carries their number."""
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
    """Folders instead of files. The folder that hides the most imports is opened first, again and again, as long as the
    nodes fit; the files that lie directly in an opened folder are one node. Files as before when all lie in one."""
    opened = {""}
    closed: set[str] = set()
    grouped, hidden = _grouped(pairs, opened)
    while foldable := {node: count for node, count in hidden.items() if node not in opened | closed}:
        folder = min(foldable, key=lambda name: (-foldable[name], name))
        candidate, inner = _grouped(pairs, opened | {folder})
        if len({name for pair in candidate for name in pair}) <= most_nodes:
            opened.add(folder)
            grouped, hidden = candidate, inner
        else:
            closed.add(folder)
    return grouped or pairs


def _grouped(pairs: Counter[tuple[str, str]], opened: set[str]) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """(imports between nodes, imports that a folder hides inside of itself)."""
    nodes = {path: _node(path, opened) for path in {path for pair in pairs for path in pair}}
    grouped: Counter[tuple[str, str]] = Counter()
    hidden: Counter[str] = Counter()
    for (source, target), count in pairs.items():
        one, other = nodes[source], nodes[target]
        if one != other:
            grouped[one, other] += count
        else:
            hidden[one.rstrip("/")] += count
    return grouped, hidden


def _node(path: str, opened: set[str]) -> str:
    """The first folder on the way down that is not opened, or the last one when all are."""
    parts = path.split("/")[:-1]
    for length in range(1, len(parts) + 1):
        if "/".join(parts[:length]) not in opened:
            return "/".join(parts[:length]) + "/"
    return "/".join(parts) + "/" if parts else "./"
