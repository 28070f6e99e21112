"""Space between Han and Latin letters, digits or code.

What:   A Han character touches a Latin letter, a digit or inline code, also across the borders of emphasis. The end of
        a bare address and hashtags (#标签A) are left alone: a blank would cut them.
Why:    Mixed runs are hard to scan; both public guides ask for the space.
Bad:    使用GitHub登录，共3个`key`字段
Good:   使用 GitHub 登录，共 3 个 `key` 字段
Fix:    safe: one blank, outside of emphasis
Settings: digits = true, around_code = true, around_links = false
Source: Chinese Copywriting Guidelines, "空格"
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.document import Document
from kaozheng.documents.edits import TextEdit
from kaozheng.documents.placeholders import CODE, MARK, NAME, URL
from kaozheng.documents.prose import Prose
from kaozheng.rules.check import Check, Context, Finding, finding
from kaozheng.rules.script import HAN, LATIN, has_han, is_han

_BETWEEN = f"({MARK}*(?:{URL}+{MARK}+)*)"
_OTHER = f"{LATIN}0-9{CODE}{NAME}"
_TOUCH = re.compile(f"(?<=[{HAN}]){_BETWEEN}(?=[{_OTHER}])|(?<=[{_OTHER}]){_BETWEEN}(?=[{HAN}])|(?<=[{HAN}])(?={URL})")
_HASHTAG = re.compile(r"(?:^|[^\w/&])#[\w-]*$")
_DOCUMENT_NUMBER = re.compile(r"[〕］\]】)）]第?\d*$")
_OPENERS = ("link", "image", "strong", "emphasis", "strike")


def check(context: Context) -> Iterator[Finding]:
    """One finding for each border that lacks its blank."""
    openers = _starts(context.document)
    for prose in context.document.prose:
        if has_han(prose.masked):
            for touch in _TOUCH.finditer(prose.masked):
                if _asked_for(context, prose, *touch.span()):
                    yield _finding(context, prose, touch, openers)


def _asked_for(context: Context, prose: Prose, start: int, end: int) -> bool:
    left, right = prose.masked[start - 1], prose.masked[end]
    other, source = (right, prose.source[end]) if is_han(left) else (left, prose.source[start - 1])
    if other == CODE:
        wanted = context.settings["around_code"]
    elif source.isdigit():
        wanted = context.settings["digits"] and not _is_document_number(prose.masked, start, end)
    else:
        wanted = source.isalpha()
    if wanted and _HASHTAG.search(prose.masked, max(0, start - 40), start):
        return False
    link = any(sign in "[]" for sign in prose.source[start:end])
    return bool(wanted) and (not link or context.settings["around_links"])


def _is_document_number(masked: str, start: int, end: int) -> bool:
    """国发〔2023〕15号 is a name; a blank inside would make it another one."""
    if masked[end] == "号" or masked[start - 1] == "第":
        return _DOCUMENT_NUMBER.search(masked, max(0, start - 8), start) is not None
    return False


def _finding(context: Context, prose: Prose, touch: re.Match[str], openers: frozenset[int]) -> Finding:
    start, end = touch.span()
    place = next((at for at in range(start, end) if prose.offset(at) in openers), end) - start
    around = prose.sub(start - 1, end + 1)
    message = context.say("汉字与字母、数字或代码之间缺少空格", "A blank is missing between Han and Latin text.")
    return finding(around, message, [TextEdit(prose.sub(start + place, start + place), " ")])


def _starts(document: Document) -> frozenset[int]:
    """Where inline nodes begin: a blank goes before what opens and behind what closes."""
    return frozenset(node.span.start for node in document.inlines if node.kind in _OPENERS)


CHECK = Check(
    "han-latin-space",
    family="typography_and_symbols",
    run=check,
    fix="safe",
    settings={"digits": True, "around_code": True, "around_links": False},
    order=40,
)
