"""Table rows as wide as their head.

What:   A row has more or fewer cells than the head of its table. A bar inside code counts as a border unless escaped.
Why:    Surplus cells are dropped without a word, missing ones shown empty.
Bad:    a row of three cells under a head of two
Good:   as many cells in each row as in the head
Fix:    none
Settings: none
Source: GitHub Flavored Markdown, "Tables"; markdownlint MD056
"""

from __future__ import annotations

from collections.abc import Iterator

from kaozheng.rules.check import Check, Context, Finding, finding


def check(context: Context) -> Iterator[Finding]:
    """One finding for each row of another width."""
    width = 0
    for block in context.document.blocks:
        if block.kind != "row":
            continue
        if block.info == "head":
            width = block.cells
        elif block.cells != width:
            message = context.say(
                f"本行有 {block.cells} 个单元格，表头有 {width} 个",
                f"The row has {block.cells} cells, the head has {width}.",
            )
            yield finding(block.span, message)


CHECK = Check("table-columns", family="code_and_diagrams", run=check)
