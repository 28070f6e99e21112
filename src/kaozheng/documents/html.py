"""HTML in a document: what a page would run or load is shown as text instead, and of a model's HTML all but breaks.

Code spans, code blocks and autolinks are no HTML and stay. Only `<` becomes `&lt;`: without it nothing is a tag. See
decision 26.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from kaozheng.documents.document import Document
from kaozheng.documents.edits import TextEdit, apply_edits
from kaozheng.documents.span import Span

_ROUNDS = 4  # what stood inside of an HTML block may be HTML or a link once the block is none any more
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_NAME = re.compile(r"</?\s*([A-Za-z][\w-]*)")
_VOID = re.compile(r"<(?:br|wbr)\s*/?>", re.IGNORECASE)
_PAIRED = re.compile(r"<(/?)(sub|sup|kbd)>", re.IGNORECASE)
_ACTIVE = frozenset(
    [
        *("applet", "base", "body", "button", "embed", "form", "frame", "frameset", "head", "html", "iframe", "input"),
        *("link", "math", "meta", "noscript", "object", "option", "plaintext", "portal", "script", "select", "style"),
        *("svg", "template", "textarea", "title", "xmp"),
    ]
)
_HANDLER = re.compile(r"[\s/\"']on\w+\s*=|(?:javascript|vbscript|data)\s*:", re.IGNORECASE)
_BLANKS = re.compile(r"[\s\x00-\x20]+")
_RUNS = re.compile(r"(?:javascript|vbscript|data(?!:image/(?:png|jpe?g|gif|webp)[;,])):", re.IGNORECASE)


def without_html(text: str) -> str:
    """A model's Markdown with its HTML shown as text. `<br>`, and `<sub>`, `<sup>`, `<kbd>` that are closed, stay;
    links that would run something become their text."""
    counts = Counter((name.lower(), bool(slash)) for slash, name in _PAIRED.findall(text))

    def stays(tag: str) -> bool:
        pair = _PAIRED.fullmatch(tag)
        if pair is None:
            return bool(_VOID.fullmatch(tag))
        return counts[pair[2].lower(), True] == counts[pair[2].lower(), False]

    return _shown(text, stays)


def without_active_html(text: str) -> str:
    """A user's Markdown as written, save what a page would run or load by itself: that is shown as text."""

    def stays(tag: str) -> bool:
        name = _NAME.match(tag)
        return not _HANDLER.search(tag) and not (name and name[1].lower() in _ACTIVE)

    return _shown(text, stays)


def _shown(text: str, stays: Callable[[str], bool]) -> str:
    for _ in range(_ROUNDS):
        shown = _without_running_links(_escaped(text, stays))
        if shown == text:
            break
        text = shown
    return text


def _escaped(text: str, stays: Callable[[str], bool]) -> str:
    if "<" not in text:
        return text
    document = Document(text)
    spans = [node.span for node in document.inlines if node.kind == "html"]
    spans += [block.span for block in document.blocks if block.kind == "html"]
    return apply_edits(text, [edit for span in spans for edit in _edits(document.quote(span), span.start, stays)])


def _edits(html: str, start: int, stays: Callable[[str], bool]) -> list[TextEdit]:
    places = [found.start() for found in _TAG.finditer(html)]
    ends = [*places[1:], len(html)]
    edits = []
    for place, end in zip(places, ends, strict=True):
        close = html.find(">", place, end)
        if not stays(html[place : close + 1 if close >= 0 else end]):
            edits.append(TextEdit(Span(start + place, start + place + 1), "&lt;"))
    return edits


def _without_running_links(text: str) -> str:
    if not _RUNS.search(_BLANKS.sub("", text)) and "&" not in text:
        return text
    document = Document(text)
    outer = 0
    edits = []
    for node in document.inlines:
        if node.kind in {"link", "image"} and node.span.start >= outer and _RUNS.match(_BLANKS.sub("", node.target)):
            edits.append(TextEdit(node.span, document.quote(node.text_span)))
            outer = node.span.end
    edits += [TextEdit(one.span, "") for one in document.definitions if _RUNS.match(_BLANKS.sub("", one.target))]
    return apply_edits(text, edits)
