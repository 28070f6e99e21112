"""Pictures in an answer become links, because whoever shows an answer loads a picture without being asked.

The address may come from a document, or from a model that obeyed one: who loads it tells its owner that the answer was
read, and everything that was written into the address. A link waits until somebody follows it.
"""

from __future__ import annotations

import re

from kaozheng.evidence.citations import code_of

_BEFORE_BRACKET = re.compile(r"(?<!!)!+(?P<mark>(?=\[E\d{1,3}\](?!\()))?(?=\[)")
_LOADS = (
    "img|image|picture|source|video|audio|track|iframe|frame|embed|object|applet|link|style|script|svg|math|input"
    "|base|meta|form|body|portal"
)
_TAG = re.compile(rf"<(?=(?:{_LOADS})\b|[A-Za-z][\w:-]*[\s/][^<>]*=)", re.IGNORECASE)


def without_pictures(text: str) -> str:
    """The Markdown text with every picture as a link, and with HTML that could load something as text that is read.
    Code stays as it is. A second time changes nothing."""
    if "![" not in text and "<" not in text:
        return text
    parts, at = [], 0
    for span in sorted(code_of(text), key=lambda one: one.start):
        parts += [_plain(text[at : span.start]), text[max(at, span.start) : span.end]]
        at = max(at, span.end)
    return "".join((*parts, _plain(text[at:])))


def _plain(text: str) -> str:
    # Of several "!" all go: the last but one would make the next picture. A stop before a mark is kept, with a blank.
    return _TAG.sub("&lt;", _BEFORE_BRACKET.sub(lambda found: "" if found["mark"] is None else "! ", text))
