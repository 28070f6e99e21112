"""How the report speaks: its words in two languages, places, changes, and words of others made fit to stand in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from kaozheng.documents.code_span import code_span
from kaozheng.documents.document import Document
from kaozheng.rules.book import load_book
from kaozheng.rules.engine import fix, inspect
from kaozheng.workflows.write.reasons import in_chinese

_WORDS = {  # word: (zh, en)
    "title": ("检查报告：", "Report: "),
    "inputs": ("输入", "Inputs"),
    "used": ("已使用", "Used"),
    "unused": ("未使用", "Unused"),
    "skipped": ("未读取", "Not read"),
    "left_out": ("，未采用：{0}", "; left out: {0}"),
    "more": ("等", "and more"),
    "links": ("没有取到的链接", "Links that were not fetched"),
    "at": ("引用 {places} 处", "{places} places cited"),
    "share": ("采用 {cited} 段，共 {passages} 段", "{cited} of {passages} passages"),
    "contradictions": ("相互矛盾", "Contradictions"),
    "sections": ("章节", "Sections"),
    "review": ("审查", "Review"),
    "left": ("遗留问题", "Violations left"),
    "unsupported": ("没有依据的句子", "Sentences without evidence"),
    "code": ("代码复核", "Read again in the code"),
    "reread": (
        "重新读取 {places} 处代码位置，核对 {names} 个名称。",
        "{places} places were read again, {names} names looked up.",
    ),
    "doubts": ("不成立的位置和名称", "Places and names that do not hold"),
    "repairs": ("替换记录", "Replacements"),
    "landed": ("采纳", "landed"),
    "refused": ("拒绝", "refused"),
    "none": ("无", "None"),
    "found": ("发现", "Found"),
    "tries": ("修改次数", "Repairs"),
    "remain": ("遗留", "Left"),
    "gap": ("未能生成", "could not be written"),
    "module": ("模块", "Module"),
    "circuit": (
        "【熔断放行】模块“{title}”（{key}）修改 {tries} 次后仍有 {left} 处遗留，原因：{why}。",
        "【熔断放行】 Module {title} ({key}) was let through with {left} left after {tries} repairs: {why}.",
    ),
    "vain": ("模型没有完成的部分", "Where the model was asked in vain"),
    "vain_explored": ("代码由离线规则读取，原因：{why}", "the code base was explored offline: {why}"),
    "vain_planned": ("大纲由离线规则拟定，原因：{why}", "the outline was made offline: {why}"),
    "vain_section": ("第 {0} 章由离线规则写成，原因：{why}", "section {0} was written offline: {why}"),
    "vain_review": (
        "模块“{title}”（{key}）没有全部审查，原因：{why}",
        "module {title} ({key}) was not judged completely: {why}",
    ),
    "vain_repair": (
        "模块 {key} 的规则 {rule} 由离线规则修改，原因：{why}",
        "rule {rule} of module {key} was repaired offline: {why}",
    ),
    "budget": ("预算", "Budget"),
    "spared": ("预算已经用尽，以下部分没有模型参与：{0}。", "The budget was used up; without the model: {0}."),
    "part_scan_code": ("读取代码", "exploring the code base"),
    "part_outline": ("大纲", "the outline"),
    "part_section": ("第 {0} 章", "section {0}"),
    "part_review": ("审查 {0}", "review {0}"),
    "part_revise": ("修改 {0}", "revision {0}"),
    "and": ("、", ", "),
    "rule": ("规则 {0}", "Rule {0}"),
    "fixed": ("代码修正", "fixed by code"),
    "model": ("模型", "model"),
    "offline": ("离线规则", "offline"),
    "fallback": ("离线规则（模型未答）", "offline (no answer from the model)"),
    "line": ("第 {0} 行", "line {0}"),
    "lines": ("第 {0}～{1} 行", "lines {0}–{1}"),
    "place": ("（{path}，{line}）", " ({path}, {line})"),
    "why": ("，原因：{0}", ": {0}"),
    "removed": ("删去 {0}", "removed {0}"),
    "added": ("加上 {0}", "added {0}"),
    "times": ("（×{0}）", " (×{0})"),
    "comma": ("，", ", "),
    "colon": ("：", ": "),
    "semicolon": ("；", "; "),
    "stop": ("。", ". "),
}
_BOOKS = {"zh": "zh-tech", "en": "en-tech"}
_TYPOGRAPHY = "typography_and_symbols"
_WORDING = ("naming_and_tags", "content_style")
_SIDE, _LEAD = 40, 10
_QUOTED = re.compile(r"“([^“”`]{1,60})”")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_MARKUP = re.compile(r"<!--|\[\^|[\\*_]|\]\(")


class Teller:
    """Speaks one language. What others wrote is made to obey the shipped rule book, or shown as code."""

    def __init__(self, language: str) -> None:
        self._zh = language == "zh"
        self._language = "zh" if self._zh else "en"
        book = load_book(_BOOKS[self._language])
        self._typography = book.module(_TYPOGRAPHY).rules
        self._rules = [rule for key in (_TYPOGRAPHY, *_WORDING) for rule in book.module(key).rules]
        self._known: dict[tuple[str, int], str] = {}

    def word(self, word: str, *values: object, **named: object) -> str:
        """A word or sentence of the report, with its values filled in."""
        text = _WORDS[word][0 if self._zh else 1]
        return text.format(*values, **named) if values or named else text

    def lines(self, start: int, end: int | None = None) -> str:
        """The place of one line, or of several."""
        return self.word("line", start) if end in (None, start) else self.word("lines", start, end)

    def reason(self, text: str) -> str:
        """Why: a reason of the program in the report's language, a reason of others as it is."""
        return (in_chinese(text) if self._zh else None) or self.said(text)

    def said(self, text: str, most: int = 60) -> str:
        """Words of others: shortened, typeset as the book wants, and shown as code when they still break a rule."""
        if (text, most) not in self._known:
            self._known[text, most] = self._typeset(shortened(" ".join(text.split()), most))
        return self._known[text, most]

    def change(self, before: str | None, after: str) -> str:
        """What a change did, as code; None when it is not known what stood there before."""
        if before is None:
            return f"→ {code_span(shortened(after, _SIDE))}"
        if not after.strip():
            return self.word("removed", code_span(shortened(before, _SIDE)))
        if not before.strip():
            return self.word("added", code_span(shortened(after, _SIDE)))
        same = next((at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), 0)
        start = max(0, same - _LEAD) if max(len(before), len(after)) > _SIDE else 0
        lead = "…" if start else ""
        sides = [code_span(shortened(lead + side[start:], _SIDE)) for side in (before, after)]
        return " → ".join(sides)

    def listed(self, lines: Iterable[str]) -> str:
        """A list; lines that are the same stand once, with their number."""
        counted = Counter(lines)
        told = [f"- {line}{self.word('times', times) if times > 1 else ''}" for line, times in counted.items()]
        return "\n".join(told) or self.word("none")

    def _typeset(self, text: str) -> str:
        if self._zh and not _HAN.search(text):
            return code_span(text) if re.search("[A-Za-z]", text) else text
        quoted = _QUOTED.sub(lambda found: code_span(found[1]), text) if self._zh else text
        if _MARKUP.search(quoted):
            return code_span(text)
        if not self._breaks(quoted):
            return quoted
        typeset = fix(Document(quoted), self._typography, language=self._language).text.strip()
        return code_span(text) if self._breaks(typeset) else typeset

    def _breaks(self, text: str) -> bool:
        document = Document(text)
        plain = [block.kind for block in document.blocks] in ([], ["paragraph"])
        return not plain or bool(inspect(document, self._rules, self._language))


def shortened(text: str, most: int) -> str:
    """At most `most` characters, the last one an ellipsis when something is cut off."""
    return text if len(text) <= most else text[: most - 1] + "…"
