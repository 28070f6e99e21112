"""Footnotes that lead somewhere.

What:   A footnote reference has no definition, a definition is never referenced, or the same label is defined twice.
Why:    A citation that leads nowhere is worse than none; of two definitions one is lost.
Bad:    `延迟降低了 40%[^e1]。` without `[^e1]:`
Good:   the reference, and below `[^e1]: 压测报告`
Fix:    none
Settings: none
Source: GitHub Flavored Markdown, "Footnotes"; house rule
"""

from __future__ import annotations

from collections.abc import Iterator

from kaozheng.rules.check import Check, Context, Finding, finding


def check(context: Context) -> Iterator[Finding]:
    """One finding for each reference or definition that does not match, in the order of the document."""
    yield from sorted(_findings(context), key=lambda found: found.span)


def _findings(context: Context) -> Iterator[Finding]:
    notes = context.document.footnotes
    repeated = set(notes.repeated)
    for note in notes.undefined:
        yield finding(note.span, context.say(f"脚注 {note.label} 没有定义", f"Footnote {note.label} is not defined."))
    for note in notes.unused:
        if note not in repeated:
            message = context.say(f"脚注 {note.label} 没有被引用", f"Footnote {note.label} is never referenced.")
            yield finding(note.span, message)
    for note in notes.repeated:
        message = context.say(f"脚注 {note.label} 重复定义", f"Footnote {note.label} is defined twice.")
        yield finding(note.span, message)


CHECK = Check("footnotes-resolve", family="specific_sections", run=check)
