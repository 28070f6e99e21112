"""Front matter with the keys that the team asks for.

What:   The YAML block at the start of the document is missing, can't be read, or lacks a required key (an empty
        value counts as lacking).
Why:    Tools that sort, publish or archive documents read these keys.
Bad:    a document that begins with its heading
Good:   `---`, `title: 部署手册`, `---`, then the heading
Fix:    none
Settings: required = ["title"]
Source: house rule
"""

from __future__ import annotations

from collections.abc import Iterator

from kaozheng.documents.span import Span
from kaozheng.rules.check import Check, Context, Finding, finding


def check(context: Context) -> Iterator[Finding]:
    """One finding when there is no readable front matter, else one for each missing key."""
    document, required = context.document, context.settings["required"]
    matter = document.front_matter
    if not required:
        return
    names = ", ".join(required)
    first = Span(0, len(document.lines[0]))
    if matter is None:
        yield finding(first, context.say(f"缺少元数据（需要 {names}）", f"There is no front matter (needed: {names})."))
    elif matter.error is not None:
        yield finding(
            first, context.say(f"元数据无法读取：{matter.error}", f"The front matter can't be read: {matter.error}")
        )
    else:
        for key in required:
            if matter.data.get(key) in (None, "", [], {}):
                yield finding(first, context.say(f"元数据缺少 {key}", f"The front matter lacks {key}."))


CHECK = Check(
    "front-matter-keys",
    family="metadata_and_structure",
    run=check,
    settings={"required": ["title"]},
)
