"""Chapter 2: the folders with code, who imports whom, circles, pillars, and what is needed from outside."""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterator

from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.cycles import Circle, circles
from kaozheng.roles.explorer.offline.exports import gives_on
from kaozheng.roles.explorer.offline.speech import Speech
from kaozheng.roles.explorer.offline.standard_library import is_standard, package_of
from kaozheng.roles.explorer.offline.terrain import Folder, Terrain, citable, folder_of, is_cut
from kaozheng.roles.explorer.overview import Remark
from kaozheng.roles.explorer.quoting import code, table
from kaozheng.sources.code import ImportEdge, picture

_MOST_FOLDERS = 24
_MOST_PAIRS = 10
_MOST_CIRCLES = 5
_LONGEST_CIRCLE = 6
_MOST_IMPORTED = 10
_MOST_PACKAGES = 15
_SHOWN_LINES = 3  # import lines that show one statement
_FENCE_LINES = 6
_IMPORTED_FILES = 2  # a file that fewer import is no pillar


def structure(land: Terrain, speech: Speech) -> list[Remark]:
    """Folders, imports between them, the picture, circles, pillars and packages; each part under its heading."""
    if not land.code:
        return [Remark("structure", speech.say("structure.none"))]
    return [
        *_folders(land, speech),
        *_pairs(land, speech),
        *_picture(land, speech),
        *_circles(land, speech),
        *_pillars(land, speech),
        *_packages(land, speech),
    ]


def quoted_doc(doc: str, speech: Speech) -> str:
    """A doc's sentence as a cell: quoted, with a mark where the reader cut it."""
    if not doc:
        return ""
    return speech.say("cut", words=code(doc)) if is_cut(doc) else code(doc)


def _folders(land: Terrain, speech: Speech) -> Iterator[Remark]:
    heading = speech.say("structure.folders_heading")
    ranked = sorted(land.folders.values(), key=lambda one: (-one.importers, -one.lines, one.name))
    shown = sorted(ranked[:_MOST_FOLDERS], key=lambda one: one.name)
    rows: list[tuple[str, ...]] = []
    places: list[str] = []
    for folder in shown:
        doc, place = _folder_doc(land, folder)
        if place:
            places.extend(place)
            counts = str(len(folder.files)), str(folder.lines)
            rows.append((code(folder.name), *counts, quoted_doc(doc, speech), code(place[0])))
    folders = speech.count(len(land.folders), "folder")
    rest = len(land.folders) - len(rows)
    name = "structure.folders_some" if rest else "structure.folders"
    described = speech.say("structure.described") if any(row[3] for row in rows) else ""
    told = speech.say(name, folders=folders, shown=len(rows), rest=rest, described=described)
    yield Remark("structure", told, tuple(places[:1]), heading, counted=True)
    if rows:
        yield Remark("structure", table(speech.say("structure.folders_head").split("|"), rows), tuple(places), heading)


def _folder_doc(land: Terrain, folder: Folder) -> tuple[str, tuple[str, ...]]:
    """What a file that speaks for its folder says of itself and where; else no words, and the place of its first file.
    Any file of a Go package may say what the package is."""
    speakers = [folder.first] if folder.is_told_by_first and not _is_program(land, folder) else []
    packages = [file for file in folder.files if file.language == "go"]
    for file in [*packages, *speakers]:
        doc, place = land.doc(file.path)
        if place and (file.language != "go" or doc.startswith(("Package ", "Command "))):
            return doc, place
    return "", land.whole(folder.first.path)


def _is_program(land: Terrain, folder: Folder) -> bool:
    """Whether the first file is an `index.ts` that exports nothing of others: it speaks of itself then."""
    name = posixpath.basename(folder.first.path)
    return name.startswith("index.") and len(folder.files) > 1 and not gives_on(land, folder.first.path)


def _pairs(land: Terrain, speech: Speech) -> Iterator[Remark]:
    heading = speech.say("structure.imports_heading")
    between: dict[tuple[str, str], list[ImportEdge]] = defaultdict(list)
    for edge in land.edges:
        pair = folder_of(edge.source), folder_of(edge.target)
        if pair[0] != pair[1]:
            between[pair].append(edge)
    if not land.edges:
        yield Remark("structure", speech.say("structure.no_imports"), land.whole(land.code[0].path), heading)
        return
    if not between:
        told = speech.say("structure.one_folder", imports=speech.count(len(land.edges), "import"))
        yield Remark(
            "structure", told, _lines_of(land.edges[:_SHOWN_LINES]), heading, counted=len(land.edges) > _SHOWN_LINES
        )
        return
    ranked = sorted(between.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    for (source, target), edges in ranked[:_MOST_PAIRS]:
        if places := _lines_of(edges[:_SHOWN_LINES]):
            told = speech.say(
                "structure.pair", source=code(source), target=code(target), count=speech.count(len(edges), "import")
            )
            yield Remark("structure", told, places, heading, counted=len(edges) > len(places))
    if rest := ranked[_MOST_PAIRS:]:
        told = speech.say(
            "structure.more_pairs",
            pairs=speech.count(len(rest), "pair"),
            imports=speech.count(sum(len(edges) for _, edges in rest), "import"),
        )
        yield Remark("structure", told, _lines_of([edges[0] for _, edges in rest[:1]]), heading, counted=True)


def _lines_of(edges: list[ImportEdge] | tuple[ImportEdge, ...]) -> tuple[str, ...]:
    """The lines of import statements, as places."""
    found = (place for edge in edges for place in citable(edge.source, LineRange(edge.line, edge.line)))
    return tuple(dict.fromkeys(found))


def _picture(land: Terrain, speech: Speech) -> Iterator[Remark]:
    drawn = picture(land.edges)
    if not drawn.text:
        return
    heading = speech.say("structure.imports_heading")
    weights: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], ImportEdge] = {}
    for edge in land.edges:
        pair = folder_of(edge.source), folder_of(edge.target)
        weights[pair] += 1
        first.setdefault(pair, edge)
    places = _lines_of([first[pair] for pair, _ in weights.most_common(_FENCE_LINES)])
    told = speech.say("structure.picture_numbered" if drawn.numbered else "structure.picture")
    yield Remark("structure", told, places[:1], heading, counted=drawn.numbered)
    yield Remark("structure", f"```mermaid\n{drawn.text}```", places, heading)
    arrows = speech.count(drawn.arrows_left_out, "arrow"), speech.count(drawn.imports_left_out, "import")
    if drawn.arrows_left_out:
        told = speech.say("structure.not_drawn", arrows=arrows[0], imports=arrows[1])
        yield Remark("structure", told, places[:1], heading, counted=True)
    if drawn.inside:
        told = speech.say("structure.inside", imports=speech.count(drawn.inside, "import"))
        yield Remark("structure", told, places[:1], heading, counted=True)


def _circles(land: Terrain, speech: Speech) -> Iterator[Remark]:
    """Not for Rust: there a module and the module that declares it name each other by custom."""
    graph: dict[str, list[str]] = defaultdict(list)
    lines: dict[tuple[str, str], ImportEdge] = {}
    for edge in land.edges:
        if land.by_path[edge.source].language != "rust":
            graph[edge.source].append(edge.target)
            lines.setdefault((edge.source, edge.target), edge)
    if not graph:
        return
    heading = speech.say("structure.circles_heading")
    found = circles(graph)
    if not found:
        places = _lines_of([next(iter(lines.values()))])
        yield Remark(
            "structure",
            speech.say("structure.no_circles", files=speech.count(len(graph), "file")),
            places,
            heading,
            counted=True,
        )
        return
    files = sum(circle.files for circle in found)
    told = speech.say("structure.circles", groups=speech.count(len(found), "group"), files=speech.count(files, "file"))
    yield Remark("structure", told, _circle_places(found[0], lines), heading, counted=True)
    for circle in found[:_MOST_CIRCLES]:
        if len(circle.path) <= _LONGEST_CIRCLE and (places := _circle_places(circle, lines)):
            path = " → ".join(code(one) for one in (*circle.path, circle.path[0]))
            told = speech.say("structure.circle", path=path, files=speech.count(circle.files, "file"))
            yield Remark("structure", told, places, heading, counted=circle.files > len(circle.path))


def _circle_places(circle: Circle, lines: dict[tuple[str, str], ImportEdge]) -> tuple[str, ...]:
    pairs = zip(circle.path, (*circle.path[1:], circle.path[0]), strict=True)
    return _lines_of([lines[pair] for pair in pairs if pair in lines])


def _pillars(land: Terrain, speech: Speech) -> Iterator[Remark]:
    ranked = sorted(land.importers.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    rows: list[tuple[str, ...]] = []
    places: list[str] = []
    for path, sources in ranked[:_MOST_IMPORTED]:
        doc, place = land.doc(path)
        place = place or land.whole(path)
        if len(sources) >= _IMPORTED_FILES and place:
            places.extend(place)
            rows.append((code(path), str(len(sources)), quoted_doc(doc, speech), code(place[0])))
    if rows:
        heading = speech.say("structure.pillars_heading")
        yield Remark("structure", speech.say("structure.pillars"), tuple(places[:1]), heading, counted=True)
        yield Remark("structure", table(speech.say("structure.pillars_head").split("|"), rows), tuple(places), heading)


def _packages(land: Terrain, speech: Speech) -> Iterator[Remark]:
    own = {file.path: file.language for file in land.code}
    users: dict[str, dict[str, ImportEdge]] = defaultdict(dict)
    for edge in land.repository.edges:
        if edge.inside or edge.source not in own or is_standard(own[edge.source], edge.target):
            continue
        if name := package_of(own[edge.source], edge.target).strip():
            users[name].setdefault(edge.source, edge)
    ranked = sorted(users.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    rows: list[tuple[str, ...]] = []
    places: list[str] = []
    for name, edges in ranked[:_MOST_PACKAGES]:
        place = _lines_of([next(iter(edges.values()))])
        if place:
            places.extend(place)
            rows.append((code(name), str(len(edges)), code(place[0])))
    heading = speech.say("structure.packages_heading")
    if not rows:
        yield Remark("structure", speech.say("structure.no_packages"), land.whole(land.code[0].path), heading)
        return
    name = "structure.packages" if len(ranked) > len(rows) else "structure.packages_all"
    told = speech.say(name, packages=speech.count(len(ranked), "package"), shown=len(rows))
    yield Remark("structure", told, tuple(places[:1]), heading, counted=True)
    yield Remark("structure", table(speech.say("structure.packages_head").split("|"), rows), tuple(places), heading)
