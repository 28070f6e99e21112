"""DOCX as Markdown: headings, paragraphs, lists, tables, notes. Comments, deletions and hidden words are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kaozheng.errors import SourceError
from kaozheng.providers.readers.converted import Caps, Converted, Pages
from kaozheng.providers.readers.markdown_marks import cell, heading, paragraph, table
from kaozheng.providers.readers.word_math import formula
from kaozheng.providers.readers.word_numbering import Mark, Numbering
from kaozheng.providers.readers.word_styles import TITLE, Look, Styles
from kaozheng.providers.readers.zip_parts import Element, Package, child, is_on, name_of, number, value

_GONE = frozenset({"w:del", "w:moveFrom", "w:pPr", "w:rPr", "w:delText", "w:instrText", "w:rt", "mc:Fallback"})
_NOTES = {"w:footnoteReference": "", "w:endnoteReference": "e"}
_NOTE = re.compile("\ue000(.*?)\ue001")
_NO_BLANK = re.compile(r"[、）)】，：．]$")
_CONTENTS = "Table of Contents"


@dataclass(slots=True)
class _List:
    """The widths of the marks above an item, so that it is indented under the words of the item above."""

    widths: list[int] = field(default_factory=list)

    def item(self, text: str, depth: int, mark: str) -> str:
        """The item with its mark; a depth that nothing leads to is the next one."""
        del self.widths[depth:]
        indent = " " * sum(self.widths)
        self.widths.append(len(mark) + 1)
        inner = "\n" + indent + " " * (len(mark) + 1)
        return f"{indent}{mark} {text.replace(chr(10), inner)}"


class _Word:
    def __init__(self, package: Package) -> None:
        self._package = package
        self._main = package.main()
        self._styles = Styles.of(self._tree("styles"))
        self._numbering = Numbering.of(self._tree("numbering"))
        self._shift = 0
        self._cited: dict[str, None] = {}
        self._carried = ""  # words of paragraphs whose end was deleted
        self._list = _List()

    def read(self) -> Converted:
        body = child(self._package.tree(self._main), "w:body")
        if body is None:
            raise SourceError("damaged: it has no body")
        paragraphs = (one for one in body.iter() if name_of(one) == "w:p")
        self._shift = int(any(self._styles.look(child(one, "w:pPr")).level == TITLE for one in paragraphs))
        pages = Pages()
        for block, is_item in self._blocks(body):
            pages.add(block, "item" if is_item else "block")
            if not is_item:
                self._list = _List()
        for note in self._notes():
            pages.add(note)
        return pages.finished()

    def _tree(self, kind: str) -> Element | None:
        part = self._package.related(self._main, kind)
        return self._package.tree(part) if part else None

    def _blocks(self, parent: Element) -> Iterator[tuple[str, bool]]:
        """(Markdown, is it an item of a list)"""
        for element in _block_elements(parent):
            if name_of(element) == "w:tbl":
                yield from self._table(element)
                continue
            boxes: list[Element] = []
            found = self._paragraph(element, boxes)
            if found:
                yield found
            for box in boxes:
                yield from self._blocks(box)

    def _paragraph(self, element: Element, boxes: list[Element]) -> tuple[str, bool] | None:
        properties = child(element, "w:pPr")
        words = self._carried + _words(element, self._cited, boxes)
        self._carried = ""
        if child(properties, "w:rPr", "w:del") is not None:
            self._carried = words
            return None
        look = self._styles.look(properties)
        if look.contents or look.hidden or not words.strip():
            return None
        return self._as_markdown(words, look, self._mark(look))

    def _mark(self, look: Look) -> Mark | None:
        return self._numbering.next(look.list_id, look.depth) if look.list_id else None

    def _as_markdown(self, words: str, look: Look, mark: Mark | None) -> tuple[str, bool]:
        if look.level is not None:
            numbered = _numbered(words, mark) if mark and mark.kind != "bullet" else words
            return _with_notes(heading(numbered, look.level + self._shift)), False
        if mark and mark.kind in ("bullet", "number"):
            return self._list.item(_with_notes(paragraph(words)), look.depth + look.nested, mark.text), True
        return _with_notes(paragraph(_numbered(words, mark) if mark else words)), False

    def _table(self, element: Element) -> Iterator[tuple[str, bool]]:
        rows = [row for row in _inside(element, "w:tr") if not _is_deleted(row)]
        if len(rows) == 1 and len(cells := list(_inside(rows[0], "w:tc"))) == 1:  # a frame around text
            yield from self._blocks(cells[0])
            return
        unfolded: list[list[str]] = []
        for row in rows:
            filled = [""] * number(child(row, "w:trPr", "w:gridBefore"))
            above = unfolded[-1] if unfolded else []
            for one in _inside(row, "w:tc"):
                properties = child(one, "w:tcPr")
                merged = child(properties, "w:vMerge")
                goes_on = merged is not None and value(merged, otherwise="continue") == "continue"
                text = above[len(filled)] if goes_on and len(filled) < len(above) else self._cell(one)
                filled += [text] * min(max(number(child(properties, "w:gridSpan"), otherwise=1), 1), 200)
            unfolded.append(filled)
        yield _with_notes(table(unfolded)), False

    def _cell(self, element: Element) -> str:
        lines = []
        for one in element.iter():
            if name_of(one) == "w:p":
                words = _words(one, self._cited, [])
                look = self._styles.look(child(one, "w:pPr"))
                mark = self._mark(look) if words.strip() else None
                lines.append(_numbered(words, mark) if mark and mark.kind != "bullet" else words)
        return cell("\n".join(lines))

    def _notes(self) -> Iterator[str]:
        for kind, sign, name in (("footnotes", "", "w:footnote"), ("endnotes", "e", "w:endnote")):
            root = self._tree(kind) if self._cited else None
            for note in root if root is not None else ():
                label = sign + value(note, "id")
                if name_of(note) == name and label in self._cited:
                    texts = (_words(one, {}, []) for one in note.iter() if name_of(one) == "w:p")
                    words = " ".join(paragraph(text).replace("\n", " ") for text in texts if text.strip())
                    yield f"[^{label}]: {words}"


def read(data: bytes, caps: Caps) -> Converted:
    """See conversion.convert."""
    return _Word(Package(data, caps)).read()


def _block_elements(parent: Element) -> Iterator[Element]:
    for element in parent:
        name = name_of(element)
        if name in ("w:p", "w:tbl"):
            yield element
        elif name == "w:sdt":
            if value(child(element, "w:sdtPr", "w:docPartObj", "w:docPartGallery")) != _CONTENTS:
                yield from _block_elements(content) if (content := child(element, "w:sdtContent")) is not None else ()
        elif name not in _GONE:
            yield from _block_elements(element)


def _inside(parent: Element, wanted: str) -> Iterator[Element]:
    """Rows of a table or cells of a row, also inside of what wraps them; those of inner tables not."""
    for element in parent:
        name = name_of(element)
        if name == wanted:
            yield element
        elif name not in _GONE and name not in ("w:tc", "w:p", "w:tbl"):
            yield from _inside(element, wanted)


def _is_deleted(row: Element) -> bool:
    return child(row, "w:trPr", "w:del") is not None


def _words(element: Element, cited: dict[str, None], boxes: list[Element]) -> str:
    """The words of a paragraph as they stand. Text boxes are put into `boxes`, ids of notes into `cited`."""
    pieces: list[str] = []
    for one in element:
        name = name_of(one)
        if name in _GONE or (name == "w:r" and is_on(child(one, "w:rPr", "w:vanish"))):
            continue
        if name == "w:t":
            pieces.append(one.text or "")
        elif name == "m:oMath":
            pieces.append(formula(one))
        elif name in ("w:tab", "w:ptab"):
            pieces.append(" ")
        elif name in ("w:br", "w:cr"):
            pieces.append("\n" if value(one, "type") in ("", "textWrapping") else " ")
        elif name == "w:noBreakHyphen":
            pieces.append("-")
        elif name in _NOTES:
            label = _NOTES[name] + value(one, "id")
            cited[label] = None
            pieces.append(f"\ue000{label}\ue001")
        elif name == "w:txbxContent":
            boxes.append(one)
        else:
            pieces.append(_words(one, cited, boxes))
    return "".join(pieces)


def _with_notes(text: str) -> str:
    return _NOTE.sub(r"[^\1]", text)


def _numbered(words: str, mark: Mark | None) -> str:
    if mark is None:
        return words
    return mark.text + ("" if _NO_BLANK.search(mark.text) else " ") + words.lstrip()
