"""The parts of an Office file: a zip whose sizes are looked at before it is opened, and XML without declarations."""

from __future__ import annotations

import io
import posixpath
import zipfile
from functools import cache
from typing import Any, Final
from xml.etree import ElementTree
from xml.parsers import expat

from kaozheng.errors import SourceError
from kaozheng.providers.readers.converted import Caps

Element = ElementTree.Element
OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How files of before 2007 begin."""
_PASSWORD: Final = "EncryptedPackage".encode("utf-16-le")
_CHUNK: Final = 1 << 16
_PREFIXES: Final = {
    "wordprocessingml": "w", "drawingml": "a", "presentationml": "p", "spreadsheetml": "s", "math": "m",
    "markup-compatibility": "mc",
}  # fmt: skip


def is_locked(data: bytes) -> bool:
    """Whether it is an Office file under a password, which is the old container around the new zip."""
    return data.startswith(OLE) and _PASSWORD in data


class _Prolog:
    """Reads what stands before the first element, and refuses a document type: entities are declared there. A parser
    of its own, because ElementTree is three times slower with a tree builder that is told of document types."""

    def __init__(self) -> None:
        self.is_over = False
        self._parser = expat.ParserCreate()
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.StartElementHandler = self._end

    def feed(self, chunk: bytes) -> None:
        try:
            self._parser.Parse(chunk)
        except expat.ExpatError:  # ElementTree will say it
            self.is_over = True

    def _refuse(self, *_: object) -> None:
        raise SourceError("declares entities, which no Office file does")

    def _end(self, *_: object) -> None:
        self.is_over = True
        self._parser.StartElementHandler = None


class Package:
    """The parts of one file. Everything that the zip's list says is checked first; names differ in case at times."""

    def __init__(self, data: bytes, caps: Caps) -> None:
        if data.startswith(OLE):
            raise SourceError("protected by a password" if is_locked(data) else "an old format under a new name")
        self._caps = caps
        self._zip = zipfile.ZipFile(io.BytesIO(data))
        members = self._zip.infolist()
        if len(members) > caps.parts:
            raise SourceError(f"more than {caps.parts:,} parts ({len(members):,})")
        if any(member.flag_bits & 1 for member in members):
            raise SourceError("protected by a password")
        unpacked = sum(member.file_size for member in members)
        crowded = unpacked > caps.ratio_from_bytes and unpacked > caps.ratio * len(data)
        if unpacked > caps.unpacked_bytes or crowded:
            raise SourceError(f"unpacks to {unpacked / 1e6:,.0f} MB from {len(data) / 1e6:.1f} MB")
        self._relations: dict[str, dict[str, tuple[str, str]]] = {}
        self._members = {member.filename.lstrip("/").lower(): member for member in members}

    def has(self, part: str) -> bool:
        """Whether there is such a part."""
        return part.lower() in self._members

    def tree(self, part: str) -> Element:
        """The part's XML. KeyError: there is no such part; ElementTree.ParseError: it is none."""
        root: Element = self.parse(part, ElementTree.TreeBuilder())
        return root

    def parse(self, part: str, target: Any) -> Any:
        """What `target`, a target of ElementTree.XMLParser, makes of the part's XML."""
        member = self._members[part.lower()]
        if member.file_size > self._caps.part_bytes:
            raise SourceError(f"unpacks to {member.file_size / 1e6:,.0f} MB in one part")
        parser, prolog = ElementTree.XMLParser(target=target), _Prolog()
        with self._zip.open(member) as file:
            while chunk := file.read(_CHUNK):
                if not prolog.is_over:
                    prolog.feed(chunk)
                parser.feed(chunk)
        return parser.close()

    def main(self) -> str:
        """The part that the file is about."""
        return next(target for kind, target in self.relations("").values() if kind == "officeDocument")

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """From the ids that a part uses to (kind, part that it leads to)."""
        if part not in self._relations:
            self._relations[part] = self._related(part)
        return self._relations[part]

    def _related(self, part: str) -> dict[str, tuple[str, str]]:
        folder, name = posixpath.split(part)
        place = posixpath.join(folder, "_rels", f"{name}.rels")
        if not self.has(place):
            return {}
        found = {}
        for relation in self.tree(place):
            given = relation.attrib
            if given.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/", folder, given.get("Target", ""))).lstrip("/")
                found[given.get("Id", "")] = given.get("Type", "").rpartition("/")[2], target
        return found

    def related(self, part: str, kind: str) -> str | None:
        """The first part of that kind which `part` leads to, if it is there."""
        targets = (target for of_kind, target in self.relations(part).values() if of_kind == kind)
        return next((target for target in targets if self.has(target)), None)


@cache
def _short(tag: str) -> str:
    space, _, name = tag.rpartition("}")
    for word, prefix in _PREFIXES.items():
        if f"/{word}" in space:
            return f"{prefix}:{name}"
    return name


def name_of(element: Element) -> str:
    """The tag with a short prefix, "w:p": the same for both editions of the standard."""
    tag = element.tag
    return _short(tag) if isinstance(tag, str) else ""


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant along these names, or None."""
    for name in path:
        if element is None:
            return None
        element = next((one for one in element if name_of(one) == name), None)
    return element


def value(element: Element | None, name: str = "val", otherwise: str = "") -> str:
    """An attribute by its name without its name space."""
    if element is None:
        return otherwise
    return next((text for key, text in element.attrib.items() if key.rpartition("}")[2] == name), otherwise)


def number(element: Element | None, name: str = "val", otherwise: int = 0) -> int:
    """An attribute that is a whole number; `otherwise` where it is none."""
    text = value(element, name)
    return int(text) if text.lstrip("-").isascii() and text.lstrip("-").isdigit() and len(text) < 10 else otherwise


def is_on(element: Element | None) -> bool:
    """Whether a switch is there and not switched off."""
    return element is not None and value(element, "val", "1") not in ("0", "false", "off", "none")
