"""A source: one text that the user gave, with where it came from and a hash that proves it has not changed."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal, Protocol

from kaozheng.documents.span import Span

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{3,}|~{3,})[ \t]*$")
_ATTRIBUTES = re.compile(r"\s*\{[#.:][^}]*\}$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_FRONT_TITLE = re.compile(r"---[ \t]*\n(?:(?!---)[^\n]*\n){0,40}?title:[ \t]*([^\n]+)\n")
_END_MARKS = "。！？；：，、.!?;:,…"
_TITLE_LIMIT = 60
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u202a-\u202e\u2060\u2066-\u2069]")
HEADING_LIMIT = 200  # characters; what is longer is a paragraph that lost its line ends
_LOOKS_LIKE_MARKDOWN = re.compile(r"\A\s*# \S|^(?:#{2,6} \S|```|~~~|\|.*\|[ \t]*\n\|[\s:|\-]+\|[ \t]*$)", re.MULTILINE)
_OTHER_MARKUP = frozenset({".rst", ".adoc", ".org", ".log"})
_OTHER_TITLES = {
    ".adoc": re.compile(r"^= (\S.*)", re.MULTILINE),
    ".org": re.compile(r"^(?:#\+title:|\*)[ \t]+(\S.*)", re.MULTILINE | re.IGNORECASE),
}
MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdx"})


PlaceKind = Literal["page", "slide", "sheet"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the user's own file a stretch of a converted text stands: it begins at character `start` and reaches to
    the next place. `name` is the number of a page or slide, counted from 1, or the name of a sheet."""

    start: int
    kind: PlaceKind
    name: str


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, class … of a text that is code, with the comment above it. `owner` is the type that holds it where it
    does not stand inside of that ("" else)."""

    name: str
    span: Span
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """One text. `text` has `\\n` line ends and no byte order mark; all offsets of passages and evidence count its
    characters. `sha256` and `size_bytes` are those of the bytes as they were read. `modified` is an ISO time or "".
    `about_code`: an overview of code, made by us, that names the lines it speaks of as `path#L10-L20`.
    `made_from`: the kind of file that the text was converted from ("docx", "pdf" …), "" where the text is the file's
    own; a converted text is Markdown, and `places` leads from it back into the file. `definitions`: what a text that is
    code defines, none where nobody could tell; None where it is no code."""

    id: str
    path: str
    text: str
    encoding: str = "utf-8"
    sha256: str = ""
    size_bytes: int = 0
    modified: str = ""
    about_code: bool = False
    made_from: str = ""
    places: tuple[Place, ...] = ()
    definitions: tuple[Definition, ...] | None = None

    @classmethod
    def of(cls, text: str, path: str = "-", id: str = "S1") -> Source:
        """A source from a text at hand (the text mode, tests); the hash is that of its UTF-8 form."""
        data = text.encode("utf-8", "surrogatepass")
        return cls(id, path, normal_lines(text), "utf-8", hashlib.sha256(data).hexdigest(), len(data))

    @property
    def suffix(self) -> str:
        """The lower-case suffix of the path with its dot, or ""."""
        return PurePosixPath(self.path).suffix.lower()

    @property
    def is_markdown(self) -> bool:
        """By its suffix; a text whose suffix says nothing is Markdown when it shows a sign that other texts hardly
        have. A lone `# ` is none: it also begins a comment in code."""
        if self.definitions is not None:
            return False
        if self.made_from or self.suffix in MARKDOWN_SUFFIXES:
            return True
        return self.suffix not in _OTHER_MARKUP and bool(_LOOKS_LIKE_MARKDOWN.search(self.text))

    def places_at(self, start: int, end: int) -> tuple[Place, ...]:
        """The places that characters `start` to `end` reach into, in order; none where the text was not converted."""
        first = max(0, bisect_right(self.places, start, key=_start_of) - 1)
        last = bisect_right(self.places, max(start, end - 1), key=_start_of)
        return self.places[first:last]

    @property
    def title(self) -> str:
        """The first heading, or the title in the front matter; in a plain text the first line when it stands alone
        like a title; else the file's stem. Of code it is the file's name."""
        if self.definitions is not None:
            return PurePosixPath(self.path).name
        if self.is_markdown or self.suffix == ".rst":
            found = _first_heading(self.text) or _front_title(self.text)
        elif self.suffix in _OTHER_TITLES:
            match = _OTHER_TITLES[self.suffix].search(self.text)
            found = match[1].strip() if match else ""
        else:
            found = _title_line(self.text)
        return found or PurePosixPath(self.path).stem or self.path


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was found but not used, and why, in words for the user."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything found at one path: what was read and what was not."""

    sources: list[Source]
    skipped: list[Skipped]

    def cleaned(self) -> Reading:
        """Without control and zero-width characters, which no reader sees; a blank keeps every offset true."""
        return Reading([replace(one, text=_CONTROL.sub(" ", one.text)) for one in self.sources], self.skipped)


class SourceReader(Protocol):
    """Reads a file or a folder of texts."""

    async def read(self, path: Path) -> Reading:
        """Read `path`: a file, or a folder with everything below it in natural order.

        Raises SourceError when there is no such path or nothing readable in it, EncodingError when `path` is one
        file that cannot be decoded.
        """
        ...


def normal_lines(text: str) -> str:
    """The text with every `\\r\\n` and `\\r` turned into `\\n` and without a byte order mark."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removeprefix("\ufeff")


def _start_of(place: Place) -> int:
    return place.start


def _first_heading(text: str) -> str:
    fence = ""
    before = ""
    lines = iter(text.split("\n", 400)[:400])
    for number, line in enumerate(lines):
        if number == 0 and line.rstrip() == "---":
            _skip_front_matter(lines)
            continue
        opened = _FENCE.match(line)
        if opened and (not fence or opened[1].startswith(fence)):
            fence = "" if fence else opened[1]
        elif not fence:
            if len(line) <= HEADING_LIMIT and (found := _ATX.match(line)):
                return _clean(found[1])
            if _is_underlined(before, line):
                return _clean(before)
        before = "" if fence else line
    return ""


def _is_underlined(line: str, below: str) -> bool:
    plausible = (
        line.strip() and len(line) <= HEADING_LIMIT and not line.startswith((" ", "\t", "|", ">", "-", "*", "="))
    )
    return bool(plausible and _UNDERLINE.match(below))


def _front_title(text: str) -> str:
    """The `title:` of YAML front matter; enough YAML for one line of text."""
    found = _FRONT_TITLE.match(text)
    return _clean(found[1].strip().strip("\"'")) if found else ""


def _skip_front_matter(lines: Iterator[str]) -> None:
    for line in lines:
        if line.rstrip() in ("---", "..."):
            return


def _title_line(text: str) -> str:
    first, _, rest = text.lstrip("\n \t\u3000").partition("\n")
    first = first.strip().strip("【】")
    alone = not rest.strip() or rest.startswith("\n")
    return first if alone and 1 < len(first) <= _TITLE_LIMIT and first[-1] not in _END_MARKS else ""


def _clean(heading: str) -> str:
    bare = _LINK.sub(r"\1", _ATTRIBUTES.sub("", heading.strip()))
    return re.sub(r"[*_`]{1,3}(.+?)[*_`]{1,3}", r"\1", bare).strip()
