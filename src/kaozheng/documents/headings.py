"""Headings as addresses and lists: anchors, tables of contents, titles without their numbers."""

from __future__ import annotations

import re
import unicodedata

from kaozheng.documents.code_span import code_span
from kaozheng.documents.document import Document
from kaozheng.documents.nodes import Heading

_HAN_NUMBER = "一二三四五六七八九十百千零〇两"
_NUMBERING = re.compile(
    rf"第\s*[{_HAN_NUMBER}\d]{{1,6}}\s*(?:章\s*|(?:[节篇卷编讲条]|部分)(?=[\s:：、.．]|$))[:：、.．]?\s*"
    rf"|[{_HAN_NUMBER}]{{1,4}}\s*[、.．]\s*"
    rf"|[（(]\s*(?:[{_HAN_NUMBER}]{{1,4}}|\d{{1,3}}|[a-zA-Z])\s*[）)]\s*"
    r"|\d{1,3}(?:[.．]\d{1,3}){1,4}(?![\d%A-Za-z])[.．、)）]?\s*(?=\D|$)"
    r"|\d{1,3}(?:[、)）]\s*|[.．](?!\d)\s*)"
    r"|(?:0?[1-9]|[12]\d)\s+(?=(?-i:[A-Z])|(?![个种条秒天年月日周步章节次项大位台件分小点倍])[\u4e00-\u9fff])"
    r"|[①-⑳⑴-⒇㈠-㈩]\s*"
    r"|(?:[IVX]{1,5}|[A-Z])(?:[.．]\s+|、\s*)"
    r"|(?:chapter|section|part)\s+(?:\d{1,3}|[IVX]{1,5})\b[.:：]?\s*",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"([\\\[\]*_`<])")
_NAME = re.compile(r"[^\s`|]*(?:/|/[^\s`/|]+\.\w{1,8}|(?:^|[^\s`|]*\W)__\w+__(?:\.\w{1,8})?)")
_EMPHASIS = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)|([\\*_])")


def slug(title: str) -> str:
    """The anchor that GitHub makes of a title: lower case, blanks to hyphens, marks dropped; Han stays."""
    kept = (
        sign
        for sign in title.strip().lower()
        if sign.isalnum() or sign in "-_ " or unicodedata.category(sign)[0] == "M"
    )
    return "".join(kept).replace(" ", "-")


def anchors(document: Document) -> dict[str, Heading]:
    """Headings by anchor, in document order. An id of its own wins; a repeated anchor gets -1, -2 …"""
    found: dict[str, Heading] = {}
    repeated: dict[str, int] = {}
    for heading in document.headings:
        base = heading.id or slug(heading.text)
        anchor = base
        while anchor in found:
            repeated[base] = repeated.get(base, 0) + 1
            anchor = f"{base}-{repeated[base]}"
        found[anchor] = heading
    return found


def table_of_contents(document: Document, min_level: int = 2, max_level: int = 3) -> str:
    """A Markdown list of links to the headings of these levels; empty when there are none."""
    lines: list[str] = []
    open_levels: list[int] = []
    for anchor, heading in anchors(document).items():
        if heading.nested or not min_level <= heading.level <= max_level:
            continue
        open_levels = [level for level in open_levels if level < heading.level]
        title = _MARKUP.sub(r"\\\1", heading.text)
        lines.append(f"{'  ' * len(open_levels)}- [{title}](#{anchor})")
        open_levels.append(heading.level)
    return "\n".join(lines)


def is_name(title: str) -> bool:
    """Whether a title is nothing but the name of a folder or file of code (`src/`, `app/__main__.py`, `__init__`): it
    says something else when a sign of it is left out."""
    return _NAME.fullmatch(title) is not None


def heading_text(title: str) -> str:
    """Markdown of a heading that reads `title`: a name of code in a code span, and the signs of emphasis escaped where
    Markdown would take them for markup."""
    if is_name(title):
        return code_span(title)
    headings = Document(f"# {title}\n").headings
    if ("*" not in title and "_" not in title) or (headings and headings[0].text == title):
        return title
    return _EMPHASIS.sub(lambda found: found[0] if found[1] else f"\\{found[2]}", title)


def strip_numbering(title: str) -> str:
    """A title without its number: `一、概述`, `2.3 安装`, `（二）范围`, `第一章 总则`. A bare number stays."""
    title = title.strip()
    found = _NUMBERING.match(title)
    return (title[found.end() :].strip() or title) if found else title
