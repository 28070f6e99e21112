"""The imports of a repository as a Mermaid flowchart: files while they are few, else folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from kaozheng.sources.code.symbol import ImportEdge

_UNSAFE = str.maketrans(
    {'"': "'", "\\": "/", "`": "'", "#": "＃", "<": "＜", ">": "＞", "\n": " ", "\r": " ", "\t": " "}
)


@dataclass(frozen=True, slots=True)
class Picture:
    """A flowchart of imports as Mermaid text, "" when there are none, and what it does not show: `arrows_left_out` with
    the `imports_left_out` that they stand for, and the imports `inside` of one node. `numbered`: an arrow bears the
    number of its imports."""

    text: str = ""
    arrows_left_out: int = 0
    imports_left_out: int = 0
    inside: int = 0
    numbered: bool = False


def mermaid(edges: Iterable[ImportEdge], most_nodes: int = 16, most_arrows: int = 32) -> str:
    """The text of `picture`."""
    return picture(edges, most_nodes, most_arrows).text


def picture(edges: Iterable[ImportEdge], most_nodes: int = 16, most_arrows: int = 32) -> Picture:
    """A flowchart of the imports inside the repository. More files than `most_nodes` are grouped by folder, the busiest
    opened as far as fits; nodes and arrows that still do not fit are left out, those with the fewest imports first.
    Names stand quoted; an arrow for several imports carries their number."""
    pairs = Counter((edge.source, edge.target) for edge in edges if edge.inside and edge.source != edge.target)
    total = pairs.total()
    if len(_names(pairs)) > most_nodes:
        pairs = _telling(pairs, most_nodes)
    arrows, between = len(pairs), pairs.total()
    kept = _heaviest(pairs, most_nodes, most_arrows)
    if not kept:
        return Picture()
    ids = {name: f"n{number}" for number, name in enumerate(sorted(_names(kept)), start=1)}
    lines = ["flowchart LR", *(f'    {node}["{name.translate(_UNSAFE)}"]' for name, node in ids.items())]
    for (source, target), count in sorted(kept.items()):
        lines.append(f"    {ids[source]} -->{f'|{count}|' if count > 1 else ''} {ids[target]}")
    return Picture(
        "\n".join(lines) + "\n",
        arrows - len(kept),
        between - kept.total(),
        total - between,
        any(count > 1 for count in kept.values()),
    )


def _telling(pairs: Counter[tuple[str, str]], most_nodes: int) -> Counter[tuple[str, str]]:
    """By folder, so fine that at least half of the nodes are used even if some of the rest does not fit then; by file
    when folders do not tell so much."""
    for limit in (most_nodes, most_nodes * 3 // 2, most_nodes * 2, most_nodes * 3):
        grouped = _by_folder(pairs, limit)
        if 2 * len(_names(grouped)) >= most_nodes:
            return grouped
    return pairs


def _names(pairs: Counter[tuple[str, str]]) -> set[str]:
    return {name for pair in pairs for name in pair}


def _heaviest(pairs: Counter[tuple[str, str]], most_nodes: int, most_arrows: int) -> Counter[tuple[str, str]]:
    """The arrows with the most imports first, those between the busiest nodes among them, as long as all fit."""
    if len(_names(pairs)) <= most_nodes and len(pairs) <= most_arrows:
        return pairs
    weights: Counter[str] = Counter()
    for (source, target), count in pairs.items():
        weights[source] += count
        weights[target] += count
    kept: Counter[tuple[str, str]] = Counter()
    names: set[str] = set()
    for pair in sorted(pairs, key=lambda pair: (-pairs[pair], -weights[pair[0]] - weights[pair[1]], pair)):
        if len(kept) < most_arrows and len(names | set(pair)) <= most_nodes:
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
