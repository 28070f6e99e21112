"""What must go along with a fix of prose: links into the document follow their headings, emphasis stays as it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from urllib.parse import unquote

from kaozheng.documents.document import Document
from kaozheng.documents.edits import TextEdit, apply_edits
from kaozheng.documents.headings import anchors
from kaozheng.documents.span import Span

_EMPHASIS = ("strong", "emphasis", "strike")


def follow(before: Document, after: Document) -> Document:
    """`after` with its `#anchor` links led to where the headings of `before` are now.

    A heading's address is made of its text; a blank in it would break each table of contents that leads there.
    """
    if "](#" not in after.text and "]: #" not in after.text:
        return after
    old, new = list(anchors(before)), list(anchors(after))
    moved = {was: now for was, now in zip(old, new, strict=True) if was != now} if len(old) == len(new) else {}
    edits = list(_edits(after, moved)) if moved else []
    return Document(apply_edits(after.text, edits)) if edits else after


def _edits(document: Document, moved: dict[str, str]) -> Iterator[TextEdit]:
    links = [(node.target, Span(node.text_span.end, node.span.end)) for node in document.inlines if node.kind == "link"]
    links += [(item.target, item.span) for item in document.definitions]
    for target, span in links:
        if target.startswith("#") and unquote(target[1:]) in moved:
            start = document.text.find(target, span.start, span.end)
            if start >= 0:
                yield TextEdit(Span(start + 1, start + len(target)), moved[unquote(target[1:])])


def emphasis_changes(before: Document, after: Document) -> list[str]:
    """Emphasis that began or ceased to be one, one sentence each."""
    old, new = _emphasis(before), _emphasis(after)
    return [f"{kind} lost or added" for kind in _EMPHASIS if old[kind] != new[kind]]


def _emphasis(document: Document) -> Counter[str]:
    return Counter(node.kind for node in document.inlines if node.kind in _EMPHASIS)
