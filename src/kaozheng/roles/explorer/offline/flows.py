"""Chapter 3: from each start the way through the imports. Nothing is said of calls: an import is all that is seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.entries import Start, doors, starts
from kaozheng.roles.explorer.offline.speech import Speech
from kaozheng.roles.explorer.offline.terrain import Terrain, citable
from kaozheng.roles.explorer.overview import Remark
from kaozheng.roles.explorer.quoting import code, folded
from kaozheng.sources.code import ImportEdge

_DECLARED = ("script", "bin", "server")
_MOST_STARTS = 8
_MOST_DOORS = 3
_LEVELS = 3
_MOST_MODULES = 8
_MOST_TARGETS = 4  # of one file; the rest is counted


@dataclass(frozen=True, slots=True)
class Hop:
    """A file and the imports of it that are followed: one for each target. `rest` counts its other targets."""

    source: str
    edges: tuple[ImportEdge, ...]
    rest: int


def flows(land: Terrain, speech: Speech) -> list[Remark]:
    """Each start under its heading: where it is declared, which function it runs, which modules it leads to. A library
    that declares no command is entered by the files that stand for its packages, before any scripts beside it."""
    found = starts(land)
    remarks: list[Remark] = []
    if not any(start.kind in _DECLARED for start in found):
        entered = [start for start in doors(land) if start.file not in {one.file for one in found}][:_MOST_DOORS]
        if entered:
            remarks.append(Remark("flows", speech.say("flows.library"), entered[0].declared))
        found = [*entered, *found]
    if not found:
        return [Remark("flows", speech.say("flows.none"))]
    if rest := found[_MOST_STARTS:]:
        places = tuple(place for start in rest[:3] for place in start.declared)
        remarks.append(Remark("flows", speech.say("flows.more", starts=speech.count(len(rest), "start")), places))
    headings: set[str] = set()
    for start in found[:_MOST_STARTS]:
        remarks.extend(_flow(land, speech, start, _heading(start, headings)))
    return remarks


def _heading(start: Start, taken: set[str]) -> str:
    name = code(start.name)
    if folded(name) in taken:
        name = f"{name} ({len(taken) + 1})"
    taken.add(folded(name))
    return name


def _flow(land: Terrain, speech: Speech, start: Start, heading: str) -> Iterator[Remark]:
    if start.kind != "door":
        values = {"name": code(start.name), "target": code(start.target), "file": code(start.file)}
        yield Remark("flows", speech.say(f"flows.{start.kind}", **values), start.declared, heading)
    function = start.function
    if function and (places := citable(function.path, function.lines)):
        told = speech.say("flows.function", name=code(function.name), file=code(function.path))
        yield Remark("flows", told, places, heading)
    if not start.file:
        yield Remark("flows", speech.say("flows.unseen", target=code(start.target)), start.declared, heading)
        return
    first = function.path if function else start.file
    hops, shown, reached = _hops(land, first)
    for hop in hops:
        targets = speech.listing([code(edge.target) for edge in hop.edges])
        name = "flows.imports_more" if hop.rest else "flows.imports"
        told = speech.say(name, file=code(hop.source), targets=targets, rest=speech.count(hop.rest, "other"))
        yield Remark("flows", told, _lines(hop.edges), heading)
    if not hops:
        told = speech.say("flows.alone", file=code(first))
        yield Remark("flows", told, land.whole(first), heading)
    elif reached > shown:
        told = speech.say("flows.reach", reached=speech.count(reached, "file"), shown=shown, levels=_LEVELS)
        yield Remark("flows", told, land.whole(first), heading)


def _hops(land: Terrain, first: str) -> tuple[list[Hop], int, int]:
    """(imports to follow, modules shown, modules reached within the levels). Targets that lead on come first: what
    imports nothing itself ends the way."""
    hops: list[Hop] = []
    shown = {first}
    level = [first]
    for _ in range(_LEVELS):
        following: list[str] = []
        for source in level:
            edges = {edge.target: edge for edge in reversed(land.outgoing.get(source, ())) if edge.target != source}
            ranked = sorted(edges.values(), key=lambda edge: (-_leads_on(land, edge.target), edge.line))
            fresh = [edge for edge in ranked if edge.target not in shown and _lines((edge,))]
            kept = fresh[: min(_MOST_TARGETS, _MOST_MODULES - len(shown) + 1)]
            if kept:
                kept.sort(key=lambda edge: edge.line)
                shown.update(edge.target for edge in kept)
                following.extend(edge.target for edge in kept)
                hops.append(Hop(source, tuple(kept), len(edges) - len(kept)))
        level = following
    return hops, len(shown) - 1, _reached(land, first)


def _leads_on(land: Terrain, path: str) -> int:
    """How much a file imports itself; beyond a handful more is not more interesting."""
    return min(5, len(land.outgoing.get(path, ())))


def _reached(land: Terrain, first: str) -> int:
    seen = {first}
    level = {first}
    for _ in range(_LEVELS):
        level = {edge.target for source in level for edge in land.outgoing.get(source, ())} - seen
        seen |= level
    return len(seen) - 1


def _lines(edges: tuple[ImportEdge, ...]) -> tuple[str, ...]:
    return tuple(place for edge in edges for place in citable(edge.source, LineRange(edge.line, edge.line)))
