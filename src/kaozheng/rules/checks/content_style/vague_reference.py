"""References that name what they refer to.

What:   A phrase points at a policy, an authority, experts or studies without naming them, and the sentence carries no
        footnote, link, document number or title in 《》.
Why:    Nobody can look it up; it sounds like evidence and is none.
Bad:    根据相关规定，日志需要保存六个月。
Good:   根据《网络安全法》第二十一条，日志需要保存六个月。
Fix:    none
Settings: phrases = [相关规定, 有关部门, 据悉, …, "studies show", …]
Source: house rule
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.placeholders import NOTE, URL
from kaozheng.documents.sentences import sentences
from kaozheng.rules.check import Check, Context, Finding, finding
from kaozheng.rules.phrases import listed, phrase_pattern

_PHRASES = [
    *listed("""
        国家某政策 某政策 某文件 某专家 某机构 某部门 某研究 有关部门 相关部门 有关规定 相关规定 有关政策 相关政策
        有关专家 相关专家 专家表示 专家认为 专家指出 业内人士 知情人士 据悉 据说 据了解 据统计 据报道 众所周知
        研究表明 研究显示 有研究显示 有研究指出
    """),
    *listed(
        """
        some experts, many experts, experts say, experts believe, experts agree, it is well known, it is well-known,
        it is widely known, as everyone knows, everyone knows, studies show, studies have shown, research shows,
        research has shown, a study found, some people say, many people believe, it is said, it is believed,
        sources say, relevant authorities, relevant regulations
        """,
        by=",",
    ),
]
_TAIL_OF_WORD = frozenset("数根依证占凭票收单论")
_NAMED = re.compile(rf"[{NOTE}{URL}]|《[^》\n]+》|[〔\[［(（【]\s*\d{{4}}\s*[〕\]］)）】]\s*第?\s*\d+\s*号")


def check(context: Context) -> Iterator[Finding]:
    """One finding for each such phrase in a sentence without a source."""
    phrases = phrase_pattern(context.settings["phrases"])
    if phrases is None:
        return
    for prose in context.document.prose:
        if not phrases.search(prose.masked):
            continue
        for place in sentences(prose):
            start, end = place.start - prose.span.start, place.end - prose.span.start
            if _NAMED.search(prose.masked, start, end):
                continue
            for found in phrases.finditer(prose.masked, start, end):
                if _is_tail(found):
                    continue
                message = context.say(
                    f"“{found[0]}”没有说明是哪一个", f"{found[0]!r} names nothing that can be looked up."
                )
                yield finding(prose.sub(*found.span()), message)


def _is_tail(found: re.Match[str]) -> bool:
    """The 据 of 用数据说话 belongs to the word before it."""
    before = found.string[found.start() - 1] if found.start() else ""
    return found[0][0] == "据" and before in _TAIL_OF_WORD


CHECK = Check("vague-reference", family="content_style", run=check, settings={"phrases": _PHRASES})
