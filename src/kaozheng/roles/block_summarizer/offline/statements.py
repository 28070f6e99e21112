"""What may be said of evidence: its sentences and list items as they are read, each with what it cannot do without.

Words, figures and marks are those of the evidence; only an item without a stop is given one.

Headings, code, formulas, images, lists of links and captions are none. A row of a table is one only where a cell of it
is a sentence: a row of values says nothing without the names of its columns, and with them it would not be verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from kaozheng.documents.characters import HAN
from kaozheng.documents.document import Document
from kaozheng.documents.prose import Prose
from kaozheng.documents.reading import unwrapped
from kaozheng.documents.sentences import sentences, stopped
from kaozheng.documents.span import Span
from kaozheng.documents.tokens import estimate_tokens
from kaozheng.evidence.sentence import Sentence
from kaozheng.evidence.support import is_negated
from kaozheng.roles.block_summarizer.offline.pointing import points_back
from kaozheng.roles.block_summarizer.offline.quotations import is_whole, whole

Kind = Literal["prose", "item", "cell"]

_HAN = re.compile(f"[{HAN}]")
_STOP = re.compile(r"[。！？!?.…；;][”’\"')）】」』\]]*$")
_OPEN_END = re.compile(r"[：:，,、—]\s*[*_]*$")
_QUESTION = re.compile(r"[？?][”’\"')）」』]*$")
_SIGN = re.compile(
    r"[ \t>]*(?:[•●▪◦‣·–—]\s*|[-*+]\s+|\(?\d{1,3}(?:[)）、]|\.(?=\s))\s*|[（(][一二三四五六七八九十\d]{1,3}[)）]\s*"
    r"|[一二三四五六七八九十]{1,3}、\s*|[①-⑳]\s*)(?=\S)"
)
"""Of an item, beyond those that Markdown knows."""
_LABEL = re.compile(r"[^\s：:，。,.!?！？|]{1,8}(?: [^\s：:，。,.|]{1,12}){0,2}[：:]\s*\S")
_CAPTION = re.compile(
    r"(?:[图表]|附[图表件]|fig(?:ure|\.)?|table|chart|photo|image|source"
    r"|caption)\s*[\d一二三四五六七八九十]{1,3}(?:[-.]\d+)?\s*(?:[：:.、]|\s|$)"
    r"|(?:资料|数据|图片)?来源[：:]|source[s]?:",
    re.IGNORECASE,
)
_CODE_LINE = re.compile(
    r"^\s*(?:def |class |import |from \w[\w.]* import |return\b|#include|public |private |function\b|const "
    r"|let |var |func |package "
    r"|//|/\*|\}|\)|@\w+$|if\s*\(|for\s*\(|while\s*\()|[;{}]\s*$"
)
_LETTER = re.compile(r"[^\W\d_]")
_UNSTOPPED: Final = {True: 60, False: 150}
"""Characters (of Chinese or not) from which a paragraph without a stop is a sentence and no title."""
_CELL: Final = {True: 12, False: 40}
_SHORTEST: Final = {True: 6, False: 12}
_LONGEST: Final = 1_200  # characters: what is longer is no sentence
_LINKS: Final = 0.5
_DEEPEST: Final = 3  # sentences that one sentence may need before it


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence as it is read. `item` is the place of its evidence, `nth` its place in its paragraph of `of` ones,
    `paragraph` counts over all. `sayable` is False of what says nothing by itself: a lead into a list, a question, a
    caption. `needs` are the places of statements without which it is not understood; `lost` says that it needs one
    that was not found."""

    text: str
    passages: tuple[str, ...]
    item: int
    paragraph: int
    nth: int
    of: int
    kind: Kind
    tokens: int
    sayable: bool
    needs: tuple[int, ...] = ()
    lost: bool = False


def statements(evidence: Sequence[Sentence]) -> list[Statement]:
    """All statements of the evidence, in its order."""
    read = [[run for run in _runs(one.text) if run] for one in evidence]
    # Sentences that come one by one were chosen or written: none of them is a title.
    listed = all(len(runs) == 1 and len(runs[0]) == 1 for runs in read if runs)
    found: list[Statement] = []
    paragraph = 0
    before: tuple[str, ...] = ()
    for place, (one, runs) in enumerate(zip(evidence, read, strict=True)):
        # Sentences of one passage that come one by one are still of one paragraph.
        joins = bool(found) and one.passages[:1] == before and bool(before) and len(runs) == 1 and len(runs[0]) == 1
        before = one.passages[:1]
        for number, run in enumerate(runs):
            paragraph += not (joins and number == 0)
            for nth, (text, kind) in enumerate(run):
                sayable = _sayable(text, "item" if listed else kind)
                told = stopped(text) if sayable else text
                tokens = estimate_tokens(told)
                found.append(Statement(told, one.passages, place, paragraph, nth, len(run), kind, tokens, sayable))
    return _with_needs(_counted(found))


def _counted(found: list[Statement]) -> list[Statement]:
    """With their places in paragraphs that were put together from evidence that came sentence by sentence."""
    result: list[Statement] = []
    start = 0
    for at in range(len(found) + 1):
        if at == len(found) or found[at].paragraph != found[start].paragraph:
            of = at - start
            result += [replace(found[n], nth=n - start, of=of) for n in range(start, at)]
            start = at
    return result


def _runs(text: str) -> Iterator[list[tuple[str, Kind]]]:
    """The statements of each paragraph, item or cell."""
    text = text.strip("\n")
    if _is_code(text):
        return
    text = text.lstrip()
    document = Document(text)
    items = [block.span for block in document.blocks if block.kind == "item"]
    links = [node.span for node in document.inlines if node.kind in ("link", "image")]
    end = 0
    at = 0
    for prose in document.prose:
        if prose.block.kind == "heading":
            continue
        while at < len(items) and items[at].start <= prose.span.start:
            end = max(end, items[at].end)
            at += 1
        kind: Kind = "cell" if prose.block.kind == "cell" else "item" if prose.span.end <= end else "prose"
        for part in _lines(prose):
            spans = whole([span for span in sentences(part) if not _is_links(span, links)], text)
            run: list[tuple[str, Kind]] = []
            of_item = kind
            for span in spans:
                said = _read(part, span)
                if sign := _SIGN.match(said):
                    said = said[sign.end() :]
                    of_item = "item" if kind == "prose" else kind
                if said:
                    run.append((said, of_item))
            yield run


def _lines(prose: Prose) -> Iterator[Prose]:
    """A run, cut where a line begins an item that Markdown does not know, or a label with its value."""
    borders = [0]
    for line in re.finditer(r"\n", prose.masked):
        begin = line.end()
        stopped = _STOP.search(prose.masked[borders[-1] : line.start()].rstrip()) is not None
        ahead = prose.masked[begin : begin + 40]
        if _SIGN.match(ahead) or (_LABEL.match(ahead) and not stopped):
            borders.append(begin)
    if len(borders) == 1:
        yield prose
        return
    for start, end in zip(borders, [*borders[1:], len(prose.masked)], strict=True):
        yield Prose(prose.block, prose.sub(start, end), prose.source[start:end], prose.masked[start:end])


def _read(prose: Prose, span: Span) -> str:
    """A sentence as a person reads it: without markup, notes and targets of links; wrapped lines are joined."""
    start, end = span.start - prose.span.start, span.end - prose.span.start
    part = Prose(prose.block, span, prose.source[start:end], prose.masked[start:end])
    return unwrapped(part.readable.split("\n"))


def _is_links(span: Span, links: Sequence[Span]) -> bool:
    """Whether half of a sentence and more are links or images: it leads elsewhere and says nothing."""
    covered = sum(len(link) for link in links if span.start <= link.start and link.end <= span.end)
    return covered > _LINKS * len(span)


def _is_code(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines or _HAN.search(text):
        return False
    return sum(bool(_CODE_LINE.search(line)) for line in lines) >= max(2, 0.4 * len(lines))


def _sayable(text: str, kind: Kind) -> bool:
    """Whether a statement may be said at all."""
    han = _HAN.search(text) is not None
    if not _SHORTEST[han] <= len(text) <= _LONGEST or "\t" in text or not _LETTER.search(text):
        return False
    if not is_whole(text) or _OPEN_END.search(text) or _QUESTION.search(text) or _CAPTION.match(text):
        return False
    if kind == "cell":
        return _STOP.search(text) is not None or len(text) >= _CELL[han]
    return kind == "item" or _STOP.search(text) is not None or len(text) >= _UNSTOPPED[han]


def _with_needs(found: list[Statement]) -> list[Statement]:
    """Each statement with those that it cannot do without: what it points back to, and the lead of its list where that
    denies something, since without it the item would say the opposite."""
    result: list[Statement] = []
    lead: int | None = None
    for at, one in enumerate(found):
        if one.kind == "prose":
            lead = at if _OPEN_END.search(one.text) and is_negated(one.text) else None
        if one.kind == "item" and lead is not None:
            result.append(replace(one, needs=(lead,)))
        elif points_back(one.text):
            needs = _needed(at, result) if one.nth else ()
            result.append(replace(one, needs=needs, lost=not needs))
        else:
            result.append(one)
    return result


def _needed(at: int, before: Sequence[Statement]) -> tuple[int, ...]:
    """What the statement at `at` points back to: the one before it with what that one needs; none where that is itself
    not understood, or it would be too much."""
    previous = before[at - 1]
    needs = (*previous.needs, at - 1)
    lost = points_back(previous.text) and not previous.needs
    return () if lost or len(needs) > _DEEPEST else needs
