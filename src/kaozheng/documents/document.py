"""Document: a Markdown text together with its structure, parsed once and only when asked for."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from kaozheng.documents.characters import HAN
from kaozheng.documents.markdown import Parsed, parse
from kaozheng.documents.nodes import Block, Footnotes, FrontMatter, Heading, Inline, LinkDefinition, Note
from kaozheng.documents.prose import Prose, prose_of
from kaozheng.documents.span import LineRange, Span

Language = Literal["zh", "en"]
_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile("[A-Za-z\u00c0-\u024f]+")
_HAN_SHARE = 0.4


_LONG = 20_000  # characters; a shorter text is parsed sooner than its neighbours in memory are worth


@dataclass(frozen=True)
class Document:
    """A text and what is in it. Offsets are characters, lines are 1-based. Equal texts are equal documents."""

    text: str

    @classmethod
    def of(cls, text: str) -> Document:
        """A document with its line ends made `\\n`; nothing else is changed."""
        return cls(text.replace("\r\n", "\n").replace("\r", "\n"))

    @cached_property
    def lines(self) -> list[str]:
        """The lines without line ends; a text that ends in a line end has an empty last one."""
        return self.text.split("\n")

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    def line_of(self, offset: int) -> int:
        """The line in which the character at `offset` stands (its line end belongs to it)."""
        return bisect_right(self._line_starts, max(0, offset))

    def lines_of(self, span: Span) -> LineRange:
        """The lines that `span` touches; an empty span touches the line it stands in."""
        return LineRange(self.line_of(span.start), self.line_of(max(span.start, span.end - 1)))

    def span_of_lines(self, lines: LineRange) -> Span:
        """The characters of `lines` without the last line end. Raises ValueError beyond the last line."""
        if lines.end > len(self._line_starts):
            raise ValueError(f"line {lines.end} is beyond the last line {len(self._line_starts)}")
        last = lines.end == len(self._line_starts)
        end = len(self.text) if last else self._line_starts[lines.end] - 1
        return Span(self._line_starts[lines.start - 1], end)

    def quote(self, span: Span) -> str:
        """The text at `span`."""
        return self.text[span.start : span.end]

    @cached_property
    def _read(self) -> _Reading:
        return _read_long(self.text) if len(self.text) > _LONG else _Reading(self.text)

    @property
    def _parsed(self) -> Parsed:
        return self._read.parsed

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Containers and leaves, each before what it holds."""
        return self._parsed.blocks

    @property
    def inlines(self) -> tuple[Inline, ...]:
        """Inline nodes by place, outer before inner."""
        return self._parsed.inlines

    @property
    def headings(self) -> tuple[Heading, ...]:
        """All headings, those inside quotes and lists too (`nested`)."""
        return self._parsed.headings

    @property
    def definitions(self) -> tuple[LinkDefinition, ...]:
        """Link reference definitions; they are no blocks."""
        return self._parsed.definitions

    @property
    def front_matter(self) -> FrontMatter | None:
        """The YAML block at the start, if there is one."""
        return self._parsed.front_matter

    @cached_property
    def prose(self) -> tuple[Prose, ...]:
        """The runs of text that a reader reads, in document order."""
        return self._read.prose

    @cached_property
    def footnotes(self) -> Footnotes:
        """Footnote references and definitions."""
        return Footnotes(
            tuple(Note(node.target, node.span) for node in self.inlines if node.kind == "footnote_ref"),
            tuple(Note(block.info, block.span) for block in self.blocks if block.kind == "footnote"),
        )

    @cached_property
    def language(self) -> Language:
        """zh when Han characters are at least two in five of the words (one Han character counts as a word)."""
        return language_of("\n".join(prose.plain for prose in self.prose)) or language_of(self.text) or "en"

    def numbered(self) -> str:
        """The text with line numbers (`0042: `) for a reader who answers in line numbers."""
        width = max(4, len(str(len(self.lines))))
        lines = self.lines[:-1] if len(self.lines) > 1 and not self.lines[-1] else self.lines
        return "\n".join(f"{number:0{width}d}: {line}" for number, line in enumerate(lines, 1))


@dataclass(frozen=True)
class _Reading:
    """What is worked out about a text once, however many documents are made of it."""

    text: str

    @cached_property
    def parsed(self) -> Parsed:
        return parse(self.text)

    @cached_property
    def prose(self) -> tuple[Prose, ...]:
        return tuple(prose_of(self.text, run) for run in self.parsed.runs)


@lru_cache(maxsize=2)
def _read_long(text: str) -> _Reading:
    """The last two long texts stay: a long draft goes through a dozen reviews, each with a document of its own, and
    a fix is judged by the drafts before and after it."""
    return _Reading(text)


def language_of(text: str) -> Language | None:
    """The language of a text, None when it has no letters."""
    han, words = len(_HAN.findall(text)), len(_WORD.findall(text))
    if not han + words:
        return None
    return "zh" if han >= _HAN_SHARE * (han + words) else "en"
