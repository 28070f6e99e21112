"""What is known of a repository, as statements that each name the lines they rest on, and the document made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from kaozheng.roles.explorer.quoting import cell, code

Chapter = Literal["purpose", "structure", "flows", "modules", "usage"]
CHAPTERS: tuple[Chapter, ...] = ("purpose", "structure", "flows", "modules", "usage")
_TITLES: dict[str, dict[Chapter, str]] = {
    "zh": {
        "purpose": "它是什么",
        "structure": "如何构成",
        "flows": "主要流程",
        "modules": "模块与公开名称",
        "usage": "如何运行与测试",
    },
    "en": {
        "purpose": "What it is",
        "structure": "How it is built",
        "flows": "Main flows",
        "modules": "Modules and public names",
        "usage": "How to run and test it",
    },
}
_BELOW = {"zh": "以上内容的依据是这些行", "en": "Based on these lines"}
_STOPS = "。.！!？?；;：:"


@dataclass(frozen=True, slots=True)
class Remark:
    """One statement. `text` is Markdown: one paragraph, one list item (`- …`), one table or one fence; its sentences
    hold no places. `places` are those it rests on, as `path#L10-L20`; the rows of a table name theirs in the last
    column as well. `heading` is the level-3 heading (Markdown, one line) that it stands under, or "". `counted`: a
    number in it was counted over more than its places, which are examples then."""

    chapter: Chapter
    text: str
    places: tuple[str, ...] = ()
    heading: str = ""
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Overview:
    """A repository in five chapters. Remarks stand in the order in which a reader meets them within their chapter;
    `title` is Markdown of one line."""

    title: str
    language: Literal["zh", "en"]
    remarks: tuple[Remark, ...]

    def markdown(self) -> str:
        """The document: title, chapters that hold a remark, headings, and behind each statement its places."""
        parts = [f"# {self.title}"]
        for chapter in CHAPTERS:
            inner = [remark for remark in self.remarks if remark.chapter == chapter]
            if inner:
                parts.append(f"## {chapter_title(chapter, self.language)}")
                parts.extend(_blocks(inner, self.language))
        return "\n\n".join(parts) + "\n"


def chapter_title(chapter: Chapter, language: Literal["zh", "en"]) -> str:
    """The chapter's heading in this language."""
    return _TITLES[language][chapter]


def is_caption(text: str) -> bool:
    """Whether a paragraph, without its places, is the one that only carries the places of what stands above it."""
    return text.strip(" .。") in _BELOW.values()


def _blocks(remarks: Sequence[Remark], language: str) -> Iterator[str]:
    for heading, under in groupby(remarks, key=lambda remark: remark.heading):
        if heading:
            yield f"### {heading}"
        for item, run in groupby(under, key=lambda remark: remark.text.startswith("- ")):
            said = [_with_places(remark, language) for remark in run]
            yield from ["\n".join(said)] if item else said


def _with_places(remark: Remark, language: str) -> str:
    text = remark.text.rstrip()
    if text.startswith("|"):
        missing = [place for place in remark.places if cell(code(place)) not in text]
        return text + _below(missing, language)
    if text.startswith(("```", "~~~")):
        return text + _below(remark.places, language)
    brackets = _counted(remark.places, language) if remark.counted else _brackets(remark.places, language)
    return _before_stop(text, brackets)


def _below(places: Sequence[str], language: str) -> str:
    if not places:
        return ""
    return f"\n\n{_before_stop(_BELOW[language] + ('。' if language == 'zh' else '.'), _brackets(places, language))}"


def _before_stop(text: str, brackets: str) -> str:
    if not brackets:
        return text
    stop = text[-1] if text[-1] in _STOPS else ""
    return f"{text.removesuffix(stop)}{brackets}{stop}"


def _brackets(places: Sequence[str], language: str) -> str:
    if not places:
        return ""
    return f"（{_list(places, language)}）" if language == "zh" else f" ({_list(places, language)})"


def _counted(places: Sequence[str], language: str) -> str:
    """That a number was counted, and where a reader may begin to count himself."""
    if language == "zh":
        return f"（统计得出，例如 {_list(places, language)}）" if places else "（统计得出）"
    return f" (counted; for example {_list(places, language)})" if places else " (counted)"


def _list(places: Sequence[str], language: str) -> str:
    return ("、" if language == "zh" else ", ").join(code(place) for place in dict.fromkeys(places))
