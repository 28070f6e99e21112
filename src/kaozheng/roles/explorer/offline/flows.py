"""Chapter 3: from each start the way through calls, where the code shows whose name is called, and through imports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.calls import Call, calls_of
from kaozheng.roles.explorer.offline.entries import Start, doors, is_aside, reached, starts
from kaozheng.roles.explorer.offline.speech import Speech
from kaozheng.roles.explorer.offline.terrain import Terrain, citable
from kaozheng.roles.explorer.overview import Remark
from kaozheng.roles.explorer.quoting import code, folded
from kaozheng.sources.code import ImportEdge, Symbol

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
    shown = [start for start in found if start.kind == "door" or not is_aside(start)][:_MOST_STARTS]
    shown = shown or found[:_MOST_STARTS]
    if rest := [start for start in found if start not in shown]:
        told_more = speech.say("flows.more", starts=speech.count(len(rest), "start"))
        remarks.append(Remark("flows", told_more, rest[0].declared, counted=True))
    headings: set[str] = set()
    told: set[str] = set()
    for start in shown:
        heading = _heading(start, headings)
        remarks.extend(_start(land, speech, start, heading))
        if start.file:
            remarks.extend(_ways(land, speech, start, told, heading))
    return remarks


def _heading(start: Start, taken: set[str]) -> str:
    name = code(start.name)
    if folded(name) in taken:
        name = f"{name} ({len(taken) + 1})"
    taken.add(folded(name))
    return name


def _start(land: Terrain, speech: Speech, start: Start, heading: str) -> Iterator[Remark]:
    """What makes it a start, the function that is run, and what that calls."""
    for one in (start, *start.also):
        if one.kind != "door":
            yield Remark("flows", speech.say(f"flows.{one.kind}", **_values(one)), one.declared, heading)
    if made := start.compiled:
        told = speech.say("flows.compiled", config=code(made.config), **_values(start))
        yield Remark("flows", told, made.places, heading)
    if not start.file:
        yield Remark("flows", speech.say("flows.unseen", **_values(start)), start.declared, heading)
    if start.function and (places := citable(start.function.path, start.function.lines)):
        told = speech.say("flows.function", name=code(start.function.name), file=code(start.function.path))
        yield Remark("flows", told, places, heading)
        yield from _calls(land, speech, start.function, heading)


def _values(start: Start) -> dict[str, str]:
    return {"name": code(start.name), "target": code(start.target or start.name), "file": code(start.file)}


def _calls(land: Terrain, speech: Speech, first: Symbol, heading: str) -> Iterator[Remark]:
    """Function by function, level by level, each only once."""
    seen = {first}
    level = [first]
    for _ in range(_LEVELS):
        following: list[Symbol] = []
        for caller in level:
            fresh = [call for call in calls_of(land, caller) if call.target not in seen]
            kept = [call for call in fresh if citable(caller.path, LineRange(call.line, call.line))]
            kept = kept[: min(_MOST_TARGETS, _MOST_MODULES - len(seen) + 1)]
            if kept:
                seen.update(call.target for call in kept)
                following.extend(call.target for call in kept if call.target.kind == "function")
                targets = _targets(speech, caller, kept)
                places = tuple(
                    place for call in kept for place in citable(caller.path, LineRange(call.line, call.line))
                )
                told = speech.say("flows.calls", name=code(caller.name), targets=targets)
                yield Remark("flows", told, places, heading)
        level = following


def _targets(speech: Speech, caller: Symbol, calls: list[Call]) -> str:
    """What is called: first what stands in the same file, then file by file."""
    by_file: dict[str, list[str]] = {}
    for call in calls:
        by_file.setdefault(call.target.path, []).append(code(call.target.name))
    near = by_file.pop(caller.path, [])
    far = [speech.say("flows.called", names=speech.listing(names), file=code(path)) for path, names in by_file.items()]
    return speech.listing([*near, *far])


def _ways(land: Terrain, speech: Speech, start: Start, told: set[str], heading: str) -> Iterator[Remark]:
    """The imports from the start's file on; those of a file that another start has led to already are not repeated."""
    first = start.function.path if start.function else start.file
    hops, shown, found = _hops(land, first)
    if not hops:
        yield Remark("flows", speech.say("flows.alone", file=code(first)), land.whole(first), heading)
    elif first in told:
        yield Remark("flows", speech.say("flows.told", file=code(first)), land.whole(first), heading)
        return
    for hop in hops:
        if hop.source not in told:
            told.add(hop.source)
            targets = speech.listing([code(edge.target) for edge in hop.edges])
            name = "flows.imports_more" if hop.rest else "flows.imports"
            text = speech.say(name, file=code(hop.source), targets=targets, rest=speech.count(hop.rest, "other"))
            yield Remark("flows", text, _lines(hop.edges), heading, counted=hop.rest > 0)
    if found > shown:
        text = speech.say("flows.reach", reached=speech.count(found, "file"), shown=shown, levels=_LEVELS)
        yield Remark("flows", text, land.whole(first), heading, counted=True)


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
    return hops, len(shown) - 1, len(reached(land, first, _LEVELS))


def _leads_on(land: Terrain, path: str) -> int:
    """How much a file imports itself; beyond a handful more is not more interesting."""
    return min(5, len(land.outgoing.get(path, ())))


def _lines(edges: tuple[ImportEdge, ...]) -> tuple[str, ...]:
    return tuple(place for edge in edges for place in citable(edge.source, LineRange(edge.line, edge.line)))
