"""A finished document about code held against the code once more: every place is read again, every name looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kaozheng.aside import aside
from kaozheng.documents.document import Document
from kaozheng.errors import SourceError
from kaozheng.evidence.evidence import digest
from kaozheng.sources.code.claims import Doubt, doubt_of, parse_place, places_in, stands_in
from kaozheng.sources.code.repository import CodeReader, CodeShelf

_SPAN = re.compile(r"(?<!`)(`+)(?!`)([^\n]+?)(?<!`)\1(?!`)")
_NAME = re.compile(r"[\w$@./:-]*[A-Za-z_][\w$@./:-]*")
_MOST_NAME = 200
_MOST_QUOTED = 500
_ROW_NAME = re.compile(r"^\|[ \t]*`([^`\n]+)`[ \t]*\|.*`[^`\n]*#L\d+(?:-L\d+)?`[ \t]*\|[ \t]*$", re.MULTILINE)


async def reread(draft: str, root: Path, code: CodeReader) -> dict[str, Any]:
    """{"places": how many different ones were read, "names": how many were looked up, "doubts": [{"claim", "why"}],
    "read": what stands at each place: {"place", "quote" (its beginning), "sha256" (of all its lines)}}.

    A code base that cannot be read any more is one doubt: then nothing of the document is proven.
    """
    try:
        shelf = await code.read(root)
    except SourceError as error:
        return {"places": 0, "names": 0, "doubts": [asdict(Doubt(root.name, str(error)))], "read": {}}
    return await aside(_held, Document(draft), shelf)


def _held(document: Document, shelf: CodeShelf) -> dict[str, Any]:
    places = sorted({str(place) for place in places_in(document.text)})
    names = sorted(set(_names(document)))
    doubts = [doubt for place in places if (doubt := doubt_of(shelf, place))]
    symbols = {symbol.full_name for symbol in shelf.repository.symbols}
    for place, name in _rows(document.text):
        # Of a package only the last part need stand in the lines; of a symbol its owner counts too.
        doubt = doubt_of(shelf, place, name if name in symbols else name.rpartition(".")[2])
        doubts += [doubt] if doubt else []
    doubts += [Doubt(name, "stands nowhere in the code base") for name in _unknown(names, shelf)]
    unique = {(one.claim, one.why): one for one in doubts}
    read = {place: found for place in places if (found := _read(shelf, place))}
    told = [asdict(one) for one in unique.values()]
    return {"places": len(places), "names": len(names), "doubts": told, "read": read}


def _read(shelf: CodeShelf, place: str) -> dict[str, str] | None:
    """What stands at a place now; None when it is not there."""
    named = parse_place(place)
    if named is None:
        return None
    try:
        lines = shelf.text(named.path).removesuffix("\n").split("\n")
    except SourceError:
        return None
    text = "\n".join(lines[named.lines.start - 1 : named.lines.end])
    return {"place": place, "quote": text[:_MOST_QUOTED], "sha256": digest(text)}


def _names(document: Document) -> Iterator[str]:
    """Code spans outside code blocks that look like a file, a symbol or a package."""
    blocks = [block.span for block in document.blocks if block.kind == "code"]
    for found in _SPAN.finditer(document.text):
        name = found[2].strip().removesuffix("()")
        inside = any(span.start <= found.start() < span.end for span in blocks)
        if not inside and len(name) <= _MOST_NAME and _NAME.fullmatch(name):
            yield name


def _rows(text: str) -> Iterator[tuple[str, str]]:
    """Rows of tables that begin with a name and end with its place."""
    for row in _ROW_NAME.finditer(text):
        place, name = next(places_in(row[0]), None), row[1].removesuffix("()")
        if place and "/" not in name and name != place.path:
            yield str(place), name


def _unknown(names: list[str], shelf: CodeShelf) -> list[str]:
    """Names that are no file, folder, symbol or package, and that stand in no text."""
    repository = shelf.repository
    paths = {file.path for file in repository.files}
    folders = {str(parent) for path in paths for parent in Path(path).parents}
    known = paths | folders | {folder + "/" for folder in folders} | {repository.name}
    known |= {edge.target for edge in repository.edges}
    known |= {name for symbol in repository.symbols for name in (symbol.name, symbol.full_name)}
    left = {name for name in names if name not in known and name.rstrip("/") not in known}
    for file in repository.files:
        if not left:
            break
        if file.readable:
            left -= _standing(left, shelf, file.path)
    return sorted(left)


def _standing(names: set[str], shelf: CodeShelf, path: str) -> set[str]:
    try:
        text = shelf.text(path)
    except SourceError:  # it went while the others were read; a place in it is doubted by itself
        return set()
    return {name for name in names if name in text and stands_in(name, text)}
