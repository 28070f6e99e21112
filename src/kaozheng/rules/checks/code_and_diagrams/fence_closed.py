"""Every fence is closed.

What:   A fenced code block runs on to the end of the document (or of the list or quote around it).
Why:    All that follows is shown as code.
Bad:    ```python without a second ```
Good:   ```python … ```
Fix:    none
Settings: none
Source: CommonMark 0.31, "Fenced code blocks"
"""

from __future__ import annotations

from collections.abc import Iterator

from kaozheng.documents.span import Span
from kaozheng.rules.check import Check, Context, Finding, finding


def check(context: Context) -> Iterator[Finding]:
    """One finding for each open fence, at its first line."""
    document = context.document
    for block in document.blocks:
        if block.kind == "code" and block.fenced and not block.closed:
            end = document.text.find("\n", block.span.start, block.span.end)
            place = Span(block.span.start, end if end >= 0 else block.span.end)
            yield finding(place, context.say("代码块没有闭合", "The code block is never closed."))


CHECK = Check("fence-closed", family="code_and_diagrams", run=check)
