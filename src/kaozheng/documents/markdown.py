"""The Markdown parser: GitHub's dialect with footnotes, math, YAML front matter and heading attributes.

pyromark gives events with UTF-8 byte ranges; here they become blocks, inline nodes and masked runs over characters.
Front matter is cut off first, because the parser would also take a rule, text, rule in the middle for metadata.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

import pyromark

from kaozheng.documents.frontmatter import read_front_matter
from kaozheng.documents.inlines import InlineDraft, RunBuilder
from kaozheng.documents.nodes import (
    Block,
    BlockKind,
    Footnotes,
    FrontMatter,
    Heading,
    Inline,
    LinkDefinition,
    Note,
)
from kaozheng.documents.offsets import character_offsets
from kaozheng.documents.span import LineRange, Span

__all__ = ["Block", "Footnotes", "FrontMatter", "Heading", "Inline", "LinkDefinition", "Note", "Parsed", "Run", "parse"]

_Event = tuple[str, Any, int, int]
_OPTIONS = (
    pyromark.Options.ENABLE_GFM
    | pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_MATH
    | pyromark.Options.ENABLE_HEADING_ATTRIBUTES
)
_BLOCK_KINDS: dict[str, BlockKind] = {
    "Paragraph": "paragraph",
    "Heading": "heading",
    "BlockQuote": "quote",
    "CodeBlock": "code",
    "HtmlBlock": "html",
    "List": "list",
    "Item": "item",
    "FootnoteDefinition": "footnote",
    "Table": "table",
    "TableHead": "row",
    "TableRow": "row",
    "TableCell": "cell",
}
_SURROGATE = re.compile("[\ud800-\udfff]")
_PIPE = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Run:
    """A run of inline text of one leaf block and its masked form (before addresses and names are masked)."""

    block: Block
    span: Span
    masked: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """All that the parser finds in one text."""

    blocks: tuple[Block, ...]
    inlines: tuple[Inline, ...]
    runs: tuple[Run, ...]
    headings: tuple[Heading, ...]
    definitions: tuple[LinkDefinition, ...]
    front_matter: FrontMatter | None


@dataclass(slots=True)
class _Draft:
    """A block under construction."""

    kind: BlockKind
    start: int
    end: int
    depth: int
    level: int = 0
    info: str = ""
    fenced: bool = False
    content: Span | None = None
    words: list[str] = field(default_factory=list)


def parse(text: str) -> Parsed:
    """Parse Markdown. Never fails: what can't be Markdown is a paragraph."""
    front_matter = read_front_matter(text)
    base = len(front_matter.text) if front_matter else int(text.startswith("\ufeff"))
    shown = _SURROGATE.sub("\ufffd", text)
    builder = _Builder(text, shown)
    if front_matter:
        builder.add_front_matter(front_matter)
    events, definitions = _events(shown, base)
    for event in events:
        builder.take(*event)
    return builder.finish(definitions, front_matter)


def _events(shown: str, base: int) -> tuple[list[_Event], tuple[LinkDefinition, ...]]:
    """Events and link definitions of shown[base:] with character offsets into shown."""
    source = shown[base:]
    raw = list(pyromark.events_with_range(source, options=_OPTIONS))
    links = pyromark.reference_definitions(source, options=_OPTIONS)
    places = [place for _, place in raw] + [link["span"] for link in links.values()]
    offsets = {place[side] for place in places for side in ("start", "end")}
    found = {place: place for place in offsets} if source.isascii() else character_offsets(source.encode(), offsets)
    events: list[_Event] = []
    for event, place in raw:
        name, value = (event, None) if isinstance(event, str) else next(iter(event.items()))
        events.append((name, value, base + found[place["start"]], base + found[place["end"]]))
    definitions = tuple(
        LinkDefinition(
            label, link["dest"], Span(base + found[link["span"]["start"]], base + found[link["span"]["end"]])
        )
        for label, link in links.items()
    )
    return events, definitions


class _Builder:
    """Turns events into blocks, inline nodes and runs."""

    def __init__(self, original: str, shown: str) -> None:
        self.original = original
        self.text = shown
        self.drafts: list[_Draft] = []
        self.stack: list[int] = []
        self.run: RunBuilder | None = None
        self.runs: list[tuple[int, Span, str]] = []
        self.inlines: list[tuple[int, InlineDraft]] = []
        self.trimmed: dict[tuple[int, bool], int] = {}
        self.front: Block | None = None
        self.line_starts = [0, *(found.end() for found in re.finditer("\n", shown))]

    def add_front_matter(self, front: FrontMatter) -> None:
        body_start = front.text.index("\n") + 1
        body_end = max(body_start, front.text.rstrip("\n").rindex("\n") + 1)
        span = Span(front.span.start, front.span.end)
        self.front = Block("front_matter", span, self._lines(span), Span(body_start, body_end))

    def take(self, name: str, value: Any, start: int, end: int) -> None:
        """One event."""
        if name == "Start":
            tag, detail = (value, None) if isinstance(value, str) else next(iter(value.items()))
            if tag in _BLOCK_KINDS:
                self._open(tag, detail, start, end)
            else:
                self._inline_run(start).start_node(tag, detail, start, end)
        elif name == "End":
            tag = value if isinstance(value, str) else next(iter(value))
            if tag in _BLOCK_KINDS:
                self._close()
            else:
                self._inline_run(start).end_node(end)
        elif name == "Rule":
            self._end_run()
            self.drafts.append(_Draft("rule", start, self._trim(start, end), len(self.stack)))
        else:
            self._leaf(name, value, start, end)

    def _leaf(self, name: str, value: Any, start: int, end: int) -> None:
        draft = self.drafts[self.stack[-1]]
        if draft.kind == "code":
            draft.content = Span(draft.content.start if draft.content else start, end)
        elif name == "TaskListMarker":
            item = next((self.drafts[i] for i in reversed(self.stack) if self.drafts[i].kind == "item"), draft)
            item.info = "[x]" if value else "[ ]"
        elif draft.kind != "html":
            self._inline_run(start).leaf(name, value, start, end)

    def _open(self, tag: str, detail: Any, start: int, end: int) -> None:
        self._end_run()
        container = tag in ("List", "Item", "FootnoteDefinition")
        draft = _Draft(_BLOCK_KINDS[tag], start, self._trim(start, end, container), len(self.stack))
        if tag == "Heading":
            draft.level, draft.info = int(detail["level"][1:]), detail["id"] or ""
        elif tag == "CodeBlock":
            draft.fenced = isinstance(detail, dict)
            draft.info = detail["Fenced"] if isinstance(detail, dict) else ""
        elif tag == "List":
            draft.info = "bullet" if detail is None else f"ordered {detail}"
        elif tag == "Table":
            draft.info = ",".join(detail).lower()
        elif tag == "TableHead":
            draft.info = "head"
        elif tag == "TableCell":
            self._trim_cell(draft)
        else:
            draft.info = (detail or "") if isinstance(detail, str | None) else ""
        self.stack.append(len(self.drafts))
        self.drafts.append(draft)

    def _trim_cell(self, draft: _Draft) -> None:
        content = self.text[draft.start : draft.end]
        draft.start += len(content) - len(content.lstrip(" \t")) if content.strip(" \t") else 0
        draft.end = draft.start + len(content.strip(" \t"))

    def _close(self) -> None:
        self._end_run()
        self.stack.pop()

    def _inline_run(self, start: int) -> RunBuilder:
        if self.run is None:
            self.run = RunBuilder(self.text, start, start, _last_end=start - 1 if start else 0)
        return self.run

    def _end_run(self) -> None:
        run, self.run = self.run, None
        if run is None or not self.stack:
            return
        index = self.stack[-1]
        draft = self.drafts[index]
        whole = draft.kind in ("paragraph", "heading", "cell")
        span = Span(draft.start, draft.end) if whole else Span(run.start, max(run.start, run.end))
        if draft.kind == "paragraph" and run.only_display_math(span):
            draft.kind = "math"
            draft.content = run.inlines[0].text_span
        else:
            self.runs.append((index, span, run.finish(span, self.original)))
        draft.words += run.words
        self.inlines += ((index, inline) for inline in run.inlines)

    def _trim(self, start: int, end: int, container: bool = False) -> int:
        """The end without trailing line ends; of a list or note also without blank lines and quote prefixes.

        Nested blocks share their ends, so each end is walked once.
        """
        key = (end, container)
        if key not in self.trimmed:
            known = end
            while known > 0:
                line = self.text.rfind("\n", 0, known)
                if line < 0 or self.text[line + 1 : known].strip(" \t>" if container else ""):
                    break
                known = line
            self.trimmed[key] = known
        return max(start, self.trimmed[key])

    def _lines(self, span: Span) -> LineRange:
        first = bisect_right(self.line_starts, span.start)
        return LineRange(first, max(first, bisect_right(self.line_starts, max(span.start, span.end - 1))))

    def finish(self, definitions: tuple[LinkDefinition, ...], front: FrontMatter | None) -> Parsed:
        """Freeze what was collected."""
        blocks = [self._block(draft) for draft in self.drafts]
        inlines = [Inline(i.kind, i.span, i.text_span, i.target, blocks[index]) for index, i in self.inlines]
        runs = [Run(blocks[index], span, masked) for index, span, masked in self.runs if span]
        return Parsed(
            blocks=((self.front,) if self.front else ()) + tuple(blocks),
            inlines=tuple(sorted(inlines, key=lambda inline: (inline.span.start, -inline.span.end))),
            runs=tuple(runs),
            headings=self._headings(),
            definitions=definitions,
            front_matter=front,
        )

    def _block(self, draft: _Draft) -> Block:
        span = Span(draft.start, draft.end)
        body, closed = self._code_body(draft, span) if draft.fenced else (_within(draft.content, span), True)
        cells = _cells(self.text[draft.start : draft.end]) if draft.kind == "row" else 0
        return Block(
            draft.kind,
            span,
            self._lines(span),
            body if draft.kind in ("code", "math") else span,
            level=draft.level,
            info=draft.info,
            depth=draft.depth,
            fenced=draft.fenced,
            closed=closed,
            cells=cells,
        )

    def _code_body(self, draft: _Draft, span: Span) -> tuple[Span, bool]:
        """The body of a fence, and whether the fence is closed: its last line is a fence and not content."""
        first_end = self.text.find("\n", span.start, span.end)
        if first_end < 0:
            return Span(span.end, span.end), False
        last_start = self.text.rfind("\n", span.start, span.end) + 1
        content_end = draft.content.end if draft.content else first_end + 1
        sign = self.text[span.start]
        last = self.text[last_start : span.end].lstrip(" \t>").rstrip(" \t")
        closed = content_end <= last_start and len(last) >= 3 and not last.strip(sign)
        return Span(first_end + 1, last_start if closed else span.end), closed

    def _headings(self) -> tuple[Heading, ...]:
        found: list[Heading] = []
        open_titles: list[tuple[int, str]] = []
        for draft in self.drafts:
            if draft.kind != "heading":
                continue
            title = " ".join("".join(draft.words).split())
            span = Span(draft.start, draft.end)
            above = [entry for entry in open_titles if entry[0] < draft.level]
            if draft.depth == 0:
                open_titles = [*above, (draft.level, title)]
            path = (*(text for _, text in above), title)
            found.append(
                Heading(draft.level, title, span, self._lines(span), path, id=draft.info, nested=draft.depth > 0)
            )
        return tuple(found)


def _within(content: Span | None, span: Span) -> Span:
    """The content without the line ends that the span leaves out."""
    return Span(content.start, max(content.start, min(content.end, span.end))) if content else span


def _cells(row: str) -> int:
    """Cells of a table row as written: unescaped pipes cut, a leading and a trailing one do not."""
    row = row.strip()
    pipes = [found.start() for found in _PIPE.finditer(row)]
    leading = bool(pipes) and pipes[0] == 0
    trailing = len(pipes) > 1 and pipes[-1] == len(row) - 1
    return len(pipes) + 1 - leading - trailing
