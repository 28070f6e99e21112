"""Sections that every document of this kind has.

What:   A heading of `required` is missing. Alternatives are parted by `|`; numbering before the heading does not count.
Why:    Readers look for them, and some processes refuse documents without them.
Bad:    a design without 参考资料
Good:   a heading 参考资料, or 五、参考资料
Fix:    none
Settings: required = []
Source: markdownlint MD043
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from kaozheng.documents.document import Document
from kaozheng.documents.headings import strip_numbering
from kaozheng.documents.span import Span
from kaozheng.rules.check import Check, Context, Finding, finding


def check(context: Context) -> Iterator[Finding]:
    """One finding for each missing section, at the last line with text."""
    present = {form for heading in context.document.headings for form in _forms(heading.text)}
    for required in context.settings["required"]:
        choices = [choice.strip() for choice in required.split("|") if choice.strip()]
        if choices and present.isdisjoint(form for choice in choices for form in _forms(choice)):
            names, english = "”或“".join(choices), '" or "'.join(choices)
            message = context.say(f"缺少章节“{names}”", f'The section "{english}" is missing.')
            yield finding(_last_line(context.document), message)


def _forms(text: str) -> set[str]:
    """The heading as written and without its numbering: 2024 年回顾 is not numbered."""
    return {" ".join(unicodedata.normalize("NFKC", form).casefold().split()) for form in (text, strip_numbering(text))}


def _last_line(document: Document) -> Span:
    end = len(document.text.rstrip())
    return Span(document.text.rfind("\n", 0, end) + 1, end)


CHECK = Check("required-sections", family="specific_sections", run=check, settings={"required": []})
