"""Chapter 4: the folders with public names, the most imported first, and a table of the names of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.exports import Demand, demand
from kaozheng.roles.explorer.offline.speech import Speech
from kaozheng.roles.explorer.offline.structure import quoted_doc
from kaozheng.roles.explorer.offline.terrain import Folder, Terrain, citable, located, sentence
from kaozheng.roles.explorer.overview import Remark
from kaozheng.roles.explorer.quoting import code, folded, table
from kaozheng.sources.code import Symbol, SymbolKind

_MOST_FOLDERS = 24
_MOST_NAMES = 10
_MOST_FOR_SIZE = 5  # weight of a definition for its length, in hundreds of lines
_ABOVE = 60  # lines above a definition in which its comment is looked for
_RANKS: dict[SymbolKind, int] = {
    "class": 0, "interface": 0, "trait": 0, "struct": 0, "function": 1, "type": 2, "enum": 2, "module": 2, "macro": 3,
    "method": 3, "constant": 4,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Public:
    """A folder and the public names that its files define themselves, each once."""

    folder: Folder
    symbols: tuple[Symbol, ...]


def modules(land: Terrain, speech: Speech) -> list[Remark]:
    """A table a folder; what is left out is counted."""
    wanted = demand(land)
    found = [Public(folder, _public(land, folder)) for folder in land.folders.values()]
    named = [one for one in found if one.symbols]
    if not named:
        return [Remark("modules", speech.say("modules.none"))]
    named.sort(key=lambda one: (-one.folder.importers, -len(one.symbols), one.folder.name))
    shown = named[:_MOST_FOLDERS]
    remarks = list(_preface(land, speech, found, named, shown))
    headings: set[str] = set()
    for one in sorted(shown, key=lambda one: one.folder.name):
        heading = code(one.folder.name)
        if folded(heading) in headings:  # names that differ in width or case only
            heading = f"{heading} ({len(headings) + 1})"
        headings.add(folded(heading))
        remarks.extend(_table(land, speech, one, wanted, heading))
    return remarks


def _preface(
    land: Terrain, speech: Speech, found: list[Public], named: list[Public], shown: list[Public]
) -> Iterator[Remark]:
    """How much is listed and how much is not, in exact numbers."""
    names = sum(len(one.symbols) for one in named)
    told = speech.say(
        "modules.preface",
        folders=speech.count(len(named), "folder"),
        names=speech.count(names, "name"),
    )
    places = land.whole(shown[0].folder.first.path)
    yield Remark("modules", told, places, counted=True)
    rest = named[_MOST_FOLDERS:]
    listed = sum(min(_MOST_NAMES, len(one.symbols)) for one in shown)
    if listed < names:
        told = speech.say(
            "modules.rest" if rest else "modules.rest_names",
            folders=speech.count(len(rest), "folder"),
            names=speech.count(names - listed, "name"),
            most=_MOST_NAMES,
        )
        yield Remark("modules", told, land.whole(rest[0].folder.first.path) if rest else places, counted=True)
    if silent := len(found) - len(named):
        first = next(one for one in found if not one.symbols)
        told = speech.say("modules.silent", folders=speech.count(silent, "folder"))
        yield Remark("modules", told, land.whole(first.folder.first.path), counted=True)


def _public(land: Terrain, folder: Folder) -> tuple[Symbol, ...]:
    """Each name once: the definition with words, else the longest (a header declares what a source defines)."""
    best: dict[str, Symbol] = {}
    for file in folder.files:
        outline = land.outline(file.path)
        for one in outline.symbols if outline else ():
            if not one.public or one.owner or not one.name.strip("_"):
                continue
            other = best.get(one.name)
            if other is None or (bool(one.doc), len(one.lines)) > (bool(other.doc), len(other.lines)):
                best[one.name] = one
    return tuple(best.values())


def _table(land: Terrain, speech: Speech, one: Public, wanted: Demand, heading: str) -> Iterator[Remark]:
    ranked = sorted(one.symbols, key=lambda symbol: _rank(symbol, wanted))[:_MOST_NAMES]
    chosen = sorted(ranked, key=lambda symbol: (symbol.kind == "constant", symbol.path, symbol.lines.start))
    rows: list[tuple[str, ...]] = []
    places: list[str] = []
    for symbol in chosen:
        doc, place = documented(land, symbol)
        if place:
            places.extend(place)
            kind = speech.say(f"kind.{symbol.kind}")
            rows.append((code(symbol.name), kind, quoted_doc(doc, speech), code(place[0])))
    if not rows:
        return
    folder = one.folder
    importers = speech.count(folder.importers, "file")
    imported = speech.say("modules.imported", importers=importers) if folder.importers else ""
    name = "modules.table" if len(rows) == len(one.symbols) else "modules.table_part"
    told = speech.say(
        name,
        folder=code(folder.name),
        files=speech.count(len(folder.files), "file"),
        names=speech.count(len(one.symbols), "name"),
        shown=len(rows),
        imported=imported,
    )
    yield Remark("modules", told, land.whole(folder.first.path), heading, counted=True)
    yield Remark("modules", table(speech.say("modules.head").split("|"), rows), tuple(places), heading)


def _rank(symbol: Symbol, wanted: Demand) -> tuple[object, ...]:
    """What the package gives away comes first, then what others import, most of all from other folders, and what holds
    much; constants last."""
    name = symbol.path, symbol.name
    weight = 2 * wanted.beyond[name] + wanted.asked[name] + min(_MOST_FOR_SIZE, len(symbol.lines) // 100)
    return (
        name not in wanted.exported, symbol.kind == "constant", -weight, _RANKS[symbol.kind], not sentence(symbol.doc),
        symbol.path, symbol.lines.start,
    )  # fmt: skip


def documented(land: Terrain, symbol: Symbol) -> tuple[str, tuple[str, ...]]:
    """(the symbol's first sentence, its place, begun at its comment where that stands above it); "" for a sentence that
    stands in neither."""
    said = sentence(symbol.doc)
    lines = land.lines(symbol.path)
    start, end = symbol.lines.start, symbol.lines.end
    if not said:
        return "", citable(symbol.path, symbol.lines)
    if located(lines[start - 1 : min(end, start + _ABOVE)], said, start):
        return said, citable(symbol.path, symbol.lines)
    top = max(1, start - _ABOVE)
    above = _last(lines[top - 1 : start - 1], said, top)
    if above:
        return said, citable(symbol.path, LineRange(above.start, end))
    return "", citable(symbol.path, symbol.lines)


def _last(lines: list[str], said: str, start: int) -> LineRange | None:
    """The lowest place of a sentence: the same words may document two neighbours."""
    at, found = 0, None
    while one := located(lines[at:], said, start + at):
        found, at = one, one.start - start + 1
    return found
