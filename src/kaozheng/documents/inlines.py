"""One run of inline text: from parser events to inline nodes and a masked text of the same length."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from kaozheng.documents.nodes import InlineKind
from kaozheng.documents.placeholders import CODE, ESCAPE, HTML, MARK, MATH, NOTE, URL
from kaozheng.documents.span import Span

_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_VERBATIM_TAG = re.compile(r"<(/?)(code|kbd|pre|samp|var|script|style|tt)\b", re.IGNORECASE)
_UNRESOLVED_NOTE = re.compile(r"\[\^([^\[\]\s\ue000-\ue007]{1,100})\]")
_KINDS: dict[str, InlineKind] = {
    "Emphasis": "emphasis",
    "Strong": "strong",
    "Strikethrough": "strike",
    "Link": "link",
    "Image": "image",
}
READABLE = ""


@dataclass(slots=True)
class InlineDraft:
    """An inline node before its block is known."""

    kind: InlineKind
    span: Span
    text_span: Span
    target: str = ""


@dataclass(slots=True)
class _Frame:
    tag: str
    value: Any
    start: int
    inner_end: int


@dataclass(slots=True)
class RunBuilder:
    """Collects the inline events of one run. `text` is the whole text as the parser saw it (no lone surrogates).

    Everything is markup until an event says otherwise, so what the parser does not call text can't become readable.
    """

    text: str
    start: int
    end: int
    inlines: list[InlineDraft] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    _pieces: list[tuple[int, int, str]] = field(default_factory=list)
    _frames: list[_Frame] = field(default_factory=list)
    _last_end: int = 0
    _verbatim: tuple[str, int] | None = None

    def start_node(self, tag: str, value: Any, start: int, end: int) -> None:
        """A strong, emphasis, strike, link or image begins."""
        self._reach(start, start)
        self._frames.append(_Frame(tag, value, start, start))

    def end_node(self, end: int) -> None:
        """The innermost open node ends."""
        frame = self._frames.pop()
        if frame.tag in ("Link", "Image"):
            end = self._link(frame, end)
        elif frame.tag in _KINDS:
            width = 2 if frame.tag == "Strong" or self.text.startswith("~~", frame.start) else 1
            text_span = Span(frame.start + width, max(frame.start + width, end - width))
            self._note(_KINDS[frame.tag], frame.start, end, text_span)
        self._reach(frame.start, end)

    def leaf(self, name: str, value: str, start: int, end: int) -> None:
        """Text, code, math, HTML, a footnote reference, a break or a task marker."""
        if name == "Text":
            self._text(value, start, end)
        elif name in ("SoftBreak", "HardBreak"):
            self._break(start, end)
        elif name == "Code":
            self._verbatim_node("code", "`", value, start, end)
        elif name in ("InlineMath", "DisplayMath"):
            self._math(name, value, start, end)
        elif name in ("InlineHtml", "Html"):
            self._html(value, start, end)
        elif name == "FootnoteReference":
            self._mask(start, end, NOTE)
            self._note("footnote_ref", start, end, Span(start + 2, max(start + 2, end - 1)), value)
        self._reach(start, end)

    def finish(self, span: Span, original: str) -> str:
        """The masked text of `span` of the original; adds references that no footnote answers to the inlines."""
        masked = [MARK] * len(span)
        for start, end, placeholder in self._pieces:
            start, end = max(start, span.start), min(end, span.end)
            if start < end:
                shown = original[start:end] if placeholder == READABLE else placeholder * (end - start)
                masked[start - span.start : end - span.start] = shown
        return _UNRESOLVED_NOTE.sub(lambda found: self._unresolved(found, span.start), "".join(masked))

    def only_display_math(self, span: Span) -> bool:
        """Whether the run is nothing but one formula between double dollars."""
        one = self.inlines[0] if len(self.inlines) == 1 else None
        return one is not None and one.kind == "math" and one.span == span and self.text.startswith("$$", span.start)

    def _reach(self, start: int, end: int) -> None:
        self.start, self.end = min(self.start, start), max(self.end, end)
        self._last_end = max(self._last_end, end)
        if self._frames:
            self._frames[-1].inner_end = max(self._frames[-1].inner_end, end)

    def _mask(self, start: int, end: int, placeholder: str) -> None:
        self._pieces.append((start, end, placeholder))

    def _note(self, kind: InlineKind, start: int, end: int, text_span: Span, target: str = "") -> None:
        self.inlines.append(InlineDraft(kind, Span(start, end), text_span, target))

    def _text(self, value: str, start: int, end: int) -> None:
        self.words.append(value)
        if value != self.text[start:end]:
            self._mask(start, end, ESCAPE)
            return
        self._mask(start, end, READABLE)
        escaped = self._last_end < start and self.text[start - 1] == "\\"
        if escaped and self.text[start : start + 1] in _PUNCTUATION:
            self._mask(start - 1, start + 1, ESCAPE)
            self._reach(start - 1, start)

    def _break(self, start: int, end: int) -> None:
        self.words.append(" ")
        line_end = self.text.find("\n", start, end)
        if line_end >= 0:
            self._mask(line_end, line_end + 1, READABLE)
        self._note("break", start, end, Span(start, end))

    def _verbatim_node(self, kind: InlineKind, sign: str, value: str, start: int, end: int) -> None:
        self.words.append(value)
        width = 0
        while start + width < end and self.text[start + width] == sign:
            width += 1
        width = min(width, (end - start) // 2)
        self._mask(start, end, CODE if kind == "code" else MATH)
        self._note(kind, start, end, Span(start + width, end - width))

    def _math(self, name: str, value: str, start: int, end: int) -> None:
        if name == "InlineMath" and self._is_money(value, start, end):
            self.words.append(f"${value}$")
            self._mask(start, end, READABLE)
        else:
            self._verbatim_node("math", "$", value, start, end)

    def _is_money(self, value: str, start: int, end: int) -> bool:
        """`US$100和US$200` is two amounts, not a formula: a dollar sign follows a letter or stands before a digit."""
        before, after = self.text[start - 1 : start], self.text[end : end + 1]
        touches = (before.isascii() and before.isalnum()) or (after.isascii() and after.isdigit())
        return touches and not set(value) & set("*_[]<>\\`{}^=")

    def _html(self, value: str, start: int, end: int) -> None:
        self._mask(start, end, HTML)
        self._note("html", start, end, Span(start, end))
        tag = _VERBATIM_TAG.match(value)
        if tag is None:
            return
        name = tag[2].lower()
        if not tag[1]:
            self._verbatim = self._verbatim or (name, end)
        elif self._verbatim and self._verbatim[0] == name:
            self._mask(self._verbatim[1], start, CODE)
            self._verbatim = None

    def _link(self, frame: _Frame, end: int) -> int:
        link_type, target = frame.value["link_type"], frame.value["dest_url"]
        if link_type == "Collapsed" and self.text.startswith("[]", end):
            end += 2  # the parser leaves the empty label out of the range
        if link_type in ("Autolink", "Email"):
            self._mask(frame.start, end, URL)
            self._note("link", frame.start, end, Span(frame.start + 1, end - 1), target)
            return end
        inner = min(frame.start + (2 if frame.tag == "Image" else 1), end)
        close = self.text.find("]", max(inner, frame.inner_end), end)
        close = close if close >= 0 else end
        if self.text[close + 1 : close + 2] in ("(", "[") and close + 2 < end:
            self._mask(close + 2, end - 1, URL)
        self._note(_KINDS[frame.tag], frame.start, end, Span(inner, max(inner, close)), target)
        return end

    def _unresolved(self, found: re.Match[str], base: int) -> str:
        start, end = base + found.start(), base + found.end()
        self._note("footnote_ref", start, end, Span(start + 2, end - 1), found[1])
        return NOTE * len(found[0])
