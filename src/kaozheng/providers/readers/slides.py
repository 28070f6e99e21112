"""PPTX as Markdown: slides in the order of the show, each a heading; points, tables, figures of charts, notes."""

from __future__ import annotations

from collections.abc import Iterator

from kaozheng.errors import SourceError
from kaozheng.providers.readers.converted import Caps, Converted, Pages
from kaozheng.providers.readers.markdown_marks import cell, heading, paragraph, plain, table
from kaozheng.providers.readers.zip_parts import Element, Package, child, name_of, number, value

_TITLES = frozenset({"title", "ctrTitle"})
_POINTS = frozenset({"body", "obj", ""})
_PASSED_OVER = frozenset({"dt", "ftr", "sldNum", "hdr"})
_DEEPEST = 8


def read(data: bytes, caps: Caps) -> Converted:
    """See conversion.convert."""
    package = Package(data, caps)
    main = package.main()
    leads = package.relations(main)
    show = child(package.tree(main), "p:sldIdLst")
    if show is None:
        raise SourceError("damaged: it has no list of slides")
    found = [leads.get(_relation(one), ("", "")) for one in show]
    slides = [part for kind, part in found if kind == "slide"]
    if len(slides) > caps.pages:
        raise SourceError(f"more than {caps.pages:,} slides ({len(slides):,})")
    pages = Pages()
    for count, part in enumerate(slides, start=1):
        pages.place("slide", str(count))
        for block in _slide(package, part, count):
            pages.add(block)
    return pages.finished()


def _relation(element: Element) -> str:
    """`r:id`; the slide's own `id` has no name space."""
    return next((text for key, text in element.attrib.items() if key.endswith("}id")), "")


def _slide(package: Package, part: str, count: int) -> Iterator[str]:
    root = package.tree(part)
    shapes = child(root, "p:cSld", "p:spTree")
    if shapes is None:
        raise SourceError(f"damaged: its slide {count} is none")
    title = ""
    blocks: list[str] = []
    for shape in _shapes(shapes):
        kind = _placeholder(shape)
        if kind in _TITLES and not title:
            title = plain(" ".join(_lines(shape)))
        elif kind not in _PASSED_OVER:
            blocks.extend(_blocks(package, part, shape, kind))
    hidden = " (hidden)" if value(root, "show", "1") in ("0", "false") else ""
    yield heading((title or f"Slide {count}") + hidden, 2)
    yield from blocks
    yield _notes(package, part)


def _shapes(parent: Element) -> Iterator[Element]:
    for element in parent:
        name = name_of(element)
        if name in ("p:sp", "p:graphicFrame"):
            yield element
        elif name == "p:grpSp":
            yield from _shapes(element)
        elif name == "mc:AlternateContent":
            choice = child(element, "mc:Choice")
            yield from _shapes(choice) if choice is not None else ()


def _placeholder(shape: Element) -> str | None:
    """What the layout takes the shape for; None for a shape of the slide's own."""
    found = child(shape, "p:nvSpPr", "p:nvPr", "p:ph")
    return None if found is None else value(found, "type")


def _blocks(package: Package, part: str, shape: Element, kind: str | None) -> Iterator[str]:
    data = child(shape, "a:graphic", "a:graphicData")
    if data is not None:
        yield from (_table(one) for one in data if name_of(one) == "a:tbl")
        for chart in (one for one in data if name_of(one) == "a:chart"):
            leads_to = package.relations(part).get(_relation(chart), ("", ""))[1]
            if package.has(leads_to):
                yield _chart(package.tree(leads_to))
        return
    body = child(shape, "p:txBody")
    if body is None:
        return
    if kind in _POINTS and kind is not None:
        yield "\n".join(_points(body))
    else:
        yield "\n\n".join(paragraph(_words(one)) for one in body if name_of(one) == "a:p" and _words(one).strip())


def _points(body: Element) -> Iterator[str]:
    for one in body:
        if name_of(one) == "a:p" and (words := paragraph(_words(one))):
            indent = "  " * min(number(child(one, "a:pPr"), "lvl"), _DEEPEST)
            yield f"{indent}- " + words.replace("\n", f"\n{indent}  ")


def _lines(shape: Element) -> Iterator[str]:
    for one in shape.iter():
        if name_of(one) == "a:p":
            yield _words(one)


def _words(element: Element) -> str:
    pieces = []
    for one in element:
        if name_of(one) in ("a:r", "a:fld"):
            text = child(one, "a:t")
            pieces.append((text.text or "") if text is not None else "")
        elif name_of(one) == "a:br":
            pieces.append("\n")
        elif name_of(one) == "mc:AlternateContent":
            pieces.extend(found.text or "" for found in one.iter() if name_of(found) == "m:t")
    return "".join(pieces)


def _table(element: Element) -> str:
    rows: list[list[str]] = []
    spans: dict[int, str] = {}
    for row in (one for one in element if name_of(one) == "a:tr"):
        filled: list[str] = []
        for column, one in enumerate(one for one in row if name_of(one) == "a:tc"):
            if value(one, "vMerge") in ("1", "true"):
                text = spans.get(column, "")
            elif value(one, "hMerge") in ("1", "true"):
                text = filled[-1] if filled else ""
            else:
                text = cell("\n".join(_lines(one)))
            spans[column] = text
            filled.append(text)
        rows.append(filled)
    return table(rows)


def _chart(root: Element) -> str:
    """The figures that a chart keeps with it: one column a series."""
    series = [one for one in root.iter() if name_of(one) == "a:ser"]
    heads = [" ".join(_points_of(child(one, "a:tx")).values()) for one in series]
    labels: dict[int, str] = {}
    columns = []
    for one in series:
        labels |= _points_of(_first(one, "a:cat", "a:xVal"))
        columns.append(_points_of(_first(one, "a:val", "a:yVal")))
    at = sorted({index for column in columns for index in column})
    rows = [[labels.get(index, ""), *(column.get(index, "") for column in columns)] for index in at]
    return table([["", *map(cell, heads)], *([cell(text) for text in row] for row in rows)]) if rows else ""


def _first(element: Element, *names: str) -> Element | None:
    return next((one for one in element if name_of(one) in names), None)


def _points_of(element: Element | None) -> dict[int, str]:
    found = (one for one in element.iter() if name_of(one) == "a:pt") if element is not None else ()
    return {number(one, "idx"): (text.text or "") for one in found if (text := child(one, "a:v")) is not None}


def _notes(package: Package, part: str) -> str:
    notes = package.related(part, "notesSlide")
    shapes = child(package.tree(notes), "p:cSld", "p:spTree") if notes else None
    lines = [
        paragraph(line)
        for shape in (_shapes(shapes) if shapes is not None else ())
        if _placeholder(shape) == "body"
        for line in _lines(shape)
        if line.strip()
    ]
    return "\n>\n".join("> " + line.replace("\n", "\n> ") for line in lines)
