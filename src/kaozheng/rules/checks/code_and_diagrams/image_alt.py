"""Images with alternative text.

What:   An image has no alternative text, or an `<img>` tag no `alt`.
Why:    Readers without the picture, and every tool that reads text, get nothing.
Bad:    `![](arch.png)`
Good:   `![系统架构](arch.png)`
Fix:    none
Settings: none
Source: WCAG 2.2, 1.1.1; markdownlint MD045
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.document import Document
from kaozheng.documents.span import Span
from kaozheng.rules.check import Check, Context, Finding, finding

_IMAGE_TAG = re.compile(r"<!--.*?-->|<img\b(?P<attributes>[^>]*)>", re.IGNORECASE | re.DOTALL)
_ALT = re.compile(r"""\balt\s*=""", re.IGNORECASE)


def check(context: Context) -> Iterator[Finding]:
    """One finding for each image that says nothing."""
    message = context.say("图片没有替代文字", "The image has no alternative text.")
    for place in sorted(_places(context.document)):
        yield finding(place, message)


def _places(document: Document) -> Iterator[Span]:
    for node in document.inlines:
        if node.kind == "image" and not document.quote(node.text_span).strip():
            yield node.span
        elif node.kind == "html":
            yield from _tags(document, node.span)
    for block in document.blocks:
        if block.kind == "html":
            yield from _tags(document, block.span)


def _tags(document: Document, span: Span) -> Iterator[Span]:
    """A tag with `alt=""` says on purpose that the picture is decoration."""
    for tag in _IMAGE_TAG.finditer(document.text, span.start, span.end):
        if tag["attributes"] is not None and not _ALT.search(tag["attributes"]):
            yield Span(*tag.span())


CHECK = Check("image-alt", family="code_and_diagrams", run=check)
