"""How a report speaks: in two languages, of places and changes, and with words of others made fit to stand in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from kaozheng.documents.code_span import code_span
from kaozheng.documents.document import Document
from kaozheng.rules.book import load_book
from kaozheng.rules.engine import fix, inspect
from kaozheng.workflows.reasons import in_chinese

_WORDS = {  # word: (zh, en)
    "none": ("无", "None"),
    "and": ("、", ", "),
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

    def __init__(self, language: str, words: Mapping[str, tuple[str, str]]) -> None:
        """`words`: what the report says besides, by a short name, in Chinese and English."""
        self._words = {**_WORDS, **words}
        self._zh = language == "zh"
        self._language = "zh" if self._zh else "en"
        book = load_book(_BOOKS[self._language])
        self._typography = book.module(_TYPOGRAPHY).rules
        self._rules = [rule for key in (_TYPOGRAPHY, *_WORDING) for rule in book.module(key).rules]
        self._known: dict[tuple[str, int], str] = {}

    def word(self, word: str, *values: object, **named: object) -> str:
        """A word or sentence of the report, with its values filled in."""
        text = self._words[word][0 if self._zh else 1]
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
