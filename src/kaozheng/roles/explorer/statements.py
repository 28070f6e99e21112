"""What a model says of a repository, and what of it holds: every place is read again, every name is looked up."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, get_args

from pydantic import BaseModel, Field

from kaozheng.documents.document import Document
from kaozheng.errors import SourceError
from kaozheng.roles.explorer.figures import plain, unproven_number
from kaozheng.roles.explorer.naming import Naming, names_in
from kaozheng.roles.explorer.overview import Chapter, Remark
from kaozheng.roles.explorer.quoting import words
from kaozheng.sources.code import MASK, CodeShelf, doubt_of
from kaozheng.sources.code.claims import CodePlace, parse_place

MOST_STATEMENTS: Final = 60
_MOST_PLACES, _MOST_LINES, _MOST_CHARS = 8, 100, 900
_CHAPTERS = tuple(chapter for chapter in get_args(Chapter) if chapter != "usage")
_SPAN = re.compile(r"`([^`]+)`")
_ADDRESS = re.compile(r"https?:|www\.|mailto:", re.I)
_PLAIN = frozenset({"code", "strong", "emphasis"})
_PLACE_LIKE = re.compile(r"#L\d|\.\w{1,5}:\d")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}|[\u4e00-\u9fff]{2}")


class SaidStatement(BaseModel):
    """One statement as the model gives it."""

    chapter: str = Field(description="purpose, structure, flows or modules")
    text: str = Field(description="one paragraph; names in back-ticks; no places")
    places: list[str] = Field(default_factory=list, description="path#L10-L20")
    folder: str = Field(default="", description="with modules: the folder that it is about")


class SaidOverview(BaseModel):
    """What the model says of the repository. Code decides which of it holds."""

    statements: list[SaidStatement] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Held:
    """A statement that holds. `folder` ends in `/`, or is ""."""

    remark: Remark
    folder: str = ""


@dataclass
class Sieve:
    """Keeps what holds of the best answer so far; its complaints go back to the model."""

    shelf: CodeShelf
    held: tuple[Held, ...] = ()
    dropped: tuple[str, ...] = ()
    _tried: bool = field(default=False)

    def __call__(self, said: SaidOverview) -> list[str]:
        """What is wrong with this answer, a line a statement; [] when all of it holds."""
        held: list[Held] = []
        dropped: list[str] = []
        for number, statement in enumerate(said.statements[:MOST_STATEMENTS], start=1):
            kept = self._sifted(statement, {one.remark.text for one in held})
            if isinstance(kept, Held):
                held.append(kept)
            else:
                dropped.append(f"statement {number}: {kept}"[:300])
        if len(said.statements) > MOST_STATEMENTS:
            dropped.append(f"{len(said.statements)} statements; at most {MOST_STATEMENTS} are read")
        if not self._tried or len(held) >= len(self.held):
            self._tried, self.held, self.dropped = True, tuple(held), tuple(dropped)
        return dropped or ([] if held else ["there is no statement"])

    def _sifted(self, said: SaidStatement, earlier: set[str]) -> Held | str:
        """The statement as a remark, or the first thing that is wrong with it."""
        chapter = next((one for one in _CHAPTERS if one == said.chapter.strip().lower()), None)
        if chapter is None:
            return f"chapter is one of {', '.join(_CHAPTERS)}"
        text = words(re.sub(r"^\s*[-*]\s+", "", said.text.strip()))
        places = self._places(said.places)
        if isinstance(places, str):
            return places
        if why := _malformed(text) or self._unproven(text, places):
            return why
        if text in earlier:
            return "it was said before"
        folder = said.folder.strip().strip("/")
        if chapter == "modules" and folder and f"{folder}/" not in self._naming.known:
            return f"there is no folder {folder[:100]}"
        return Held(Remark(chapter, text, tuple(map(str, places))), f"{folder}/" if folder else "")

    def _places(self, given: list[str]) -> list[CodePlace] | str:
        """The places, read again; or why they cannot stand."""
        if not 0 < len(given) <= _MOST_PLACES:
            return f"it needs 1 to {_MOST_PLACES} places of the form path#L10-L20"
        read: list[CodePlace] = []
        for claim in dict.fromkeys(one.strip().strip("`") for one in given):
            if doubt := doubt_of(self.shelf, claim):
                return f"{claim[:100]}: {doubt.why[:150]}"
            place = parse_place(claim)
            if place is None or place.lines.end - place.lines.start >= _MOST_LINES:
                return f"{claim[:100]}: name the {_MOST_LINES} lines or fewer that show it"
            read.append(place)
        return read

    def _unproven(self, text: str, places: list[CodePlace]) -> str:
        """Which name or number of the text nobody can find in its lines, or ""."""
        shown = "\n".join(map(self._lines, places))
        lines = shown if shown.isascii() else f"{shown}\n{plain(shown)}"
        marked = _SPAN.findall(text)
        unmarked, rest = names_in(plain(_SPAN.sub(" ", text)))
        names = [*marked, *unmarked]
        for name in names:
            if not self._naming.knows(name, lines):
                return f"`{name.strip()[:80]}` stands neither in these lines nor among the names of the repository"
        if not marked:
            # What only repeats the words of a text says nothing of the code, and may be what the text ordered.
            return "it names no file, folder, class, function or option in back-ticks"
        if number := unproven_number(rest, plain(shown), len(marked)):
            return f"the number {number} does not stand in these lines"
        told = lines.casefold()
        tied = any(self._naming.ties(name, lines) for name in names)
        if not tied and not any(word.casefold() in told for word in _WORD.findall(rest)):
            return "nothing of it stands in these lines"
        return ""

    def _lines(self, place: CodePlace) -> str:
        try:
            lines = self.shelf.text(place.path).split("\n")
        except SourceError:  # gone between the two readings
            return ""
        return "\n".join(lines[place.lines.start - 1 : place.lines.end])

    @cached_property
    def _naming(self) -> Naming:
        return Naming(self.shelf.repository)


def _malformed(text: str) -> str:
    """Why the text cannot stand in a document as a paragraph, or ""."""
    if not text:
        return "the text is empty, or holds a place; places belong into `places`"
    if len(text) > _MOST_CHARS:
        return f"the text has {len(text)} characters, {_MOST_CHARS} at most"
    document = Document(text)
    blocks, inlines = [block.kind for block in document.blocks], document.inlines
    spans = [(one.span.start, one.span.end) for one in inlines if one.kind == "code"]
    if (
        blocks != ["paragraph"]
        or not {one.kind for one in inlines} <= _PLAIN
        or _ADDRESS.search(text)
        or text[0] == "|"
    ):
        return "one paragraph of plain sentences: no heading, list, table, link, picture, address or HTML"
    if spans != [found.span() for found in _SPAN.finditer(text)] or text.count("`") != 2 * len(spans):
        # What we take for a name must be one for every reader of the document.
        return "a name stands between single back-ticks"
    if _PLACE_LIKE.search(text):
        return "the text holds a place; places belong into `places`"
    if MASK in text:
        return "a masked secret is no fact of the code"
    return ""
