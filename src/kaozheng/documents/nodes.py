"""The nouns of a parsed document: blocks, inline nodes, headings, front matter and footnotes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from kaozheng.documents.span import LineRange, Span

BlockKind = Literal[
    "heading",
    "paragraph",
    "list",
    "item",
    "code",
    "table",
    "row",
    "cell",
    "html",
    "quote",
    "math",
    "rule",
    "footnote",
    "front_matter",
]
InlineKind = Literal["code", "link", "image", "math", "html", "footnote_ref", "strong", "emphasis", "strike", "break"]


@dataclass(frozen=True, slots=True)
class Block:
    """One leaf or container block.

    level:  heading level, else 0.        depth: number of blocks around it.
    info:   fence info string, footnote label, heading id, `bullet` or `ordered 3` of a list, `[ ]`/`[x]` of a task,
            `head` of a table's first row, alignments of a table (`none,center`), alert kind of a quote.
    body:   the part between the fences (code, math, front matter), else the span.
    fenced, closed: of code only; closed is False for a fence that is never closed.
    cells:  of a row only, the number of cells as written (a parser pads or drops to the width of the head).
    """

    kind: BlockKind
    span: Span
    lines: LineRange
    body: Span
    level: int = 0
    info: str = ""
    depth: int = 0
    fenced: bool = False
    closed: bool = True
    cells: int = 0


@dataclass(frozen=True, slots=True)
class Inline:
    """One inline node. text_span is what a reader sees of it; target is an address or a footnote label."""

    kind: InlineKind
    span: Span
    text_span: Span
    target: str
    block: Block


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading. text has no markup; path holds the titles from the top down to itself.

    nested says that it stands inside a quote, list or footnote; such a heading does not change the path of others.
    """

    level: int
    text: str
    span: Span
    lines: LineRange
    path: tuple[str, ...]
    id: str = ""
    nested: bool = False


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The YAML block at the very start. data is empty and error says why when it is not a readable mapping."""

    span: Span
    text: str
    data: dict[str, Any] = field(hash=False)
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote reference or definition: its label as written and its place."""

    label: str
    span: Span


@dataclass(frozen=True, slots=True)
class Footnotes:
    """Footnote references (resolved or not) and definitions (repeated ones too), in document order."""

    references: tuple[Note, ...] = ()
    definitions: tuple[Note, ...] = ()

    @property
    def undefined(self) -> tuple[Note, ...]:
        """References that no definition answers."""
        defined = {label_key(note.label) for note in self.definitions}
        return tuple(note for note in self.references if label_key(note.label) not in defined)

    @property
    def unused(self) -> tuple[Note, ...]:
        """Definitions that nothing refers to."""
        used = {label_key(note.label) for note in self.references}
        return tuple(note for note in self.definitions if label_key(note.label) not in used)

    @property
    def repeated(self) -> tuple[Note, ...]:
        """Definitions whose label was defined before."""
        seen: set[str] = set()
        repeated = []
        for note in self.definitions:
            key = label_key(note.label)
            if key in seen:
                repeated.append(note)
            seen.add(key)
        return tuple(repeated)


@dataclass(frozen=True, slots=True)
class LinkDefinition:
    """A reference definition `[label]: target`; only the first of a label counts, as in CommonMark."""

    label: str
    target: str
    span: Span


def label_key(label: str) -> str:
    """The form under which labels are the same: case folded, blanks collapsed."""
    return " ".join(label.casefold().split())
