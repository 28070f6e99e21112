"""Every fenced code block names its language.

What:   A fence has no info string.
Why:    Without it there is no highlighting, and tools can't tell a command from its output.
Bad:    ``` alone
Good:   ```bash
Fix:    unsafe: `language`, or "text" when it is empty (only a person knows the real one)
Settings: language = ""
Source: markdownlint MD040
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.edits import TextEdit
from kaozheng.documents.span import Span
from kaozheng.rules.check import Check, Context, Finding, finding

_MARKS = re.compile(r"`{3,}|~{3,}")


def check(context: Context) -> Iterator[Finding]:
    """One finding for each fence without an info string."""
    document = context.document
    for block in document.blocks:
        if block.kind != "code" or not block.fenced or block.info.strip():
            continue
        marks = _MARKS.search(document.text, block.span.start, block.span.end)
        if marks is None:
            continue
        message = context.say("代码块没有标明语言", "The code block names no language.")
        edit = TextEdit(Span(marks.end(), marks.end()), context.settings["language"].strip() or "text")
        yield finding(Span(*marks.span()), message, [edit], safe=False)


CHECK = Check(
    "fence-language",
    family="code_and_diagrams",
    run=check,
    fix="unsafe",
    settings={"language": ""},
    order=70,
    may_change=frozenset({"fences"}),
)
