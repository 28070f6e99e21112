"""Citation marks in an answer: found in every form that models write, brought to one ([E1]), led to their items.

A mark names a label of the bundle and never a position: [5] with five items is a mark that nothing stands behind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kaozheng.documents.document import Document
from kaozheng.documents.span import Span
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.folding import narrow
from kaozheng.evidence.refusals import is_refusal

_MOST_OF_A_RANGE = 20
_LONGEST_MARK = 64
_LABEL = r"[Ee]\s?\d{1,3}"
_JOINED = r"\s*(?:[-~,;、/&+和与及至到–—]|and|to)\s*"
_LIST = rf"{_LABEL}(?:{_JOINED}(?:[Ee]\s?)?\d{{1,3}})*"
_WORD = (
    r"(?:(?:证据|资料|来源|出处|引用|参考|文档|见|[Ee]vidence|[Ss]ources?|[Rr]ef(?:erence)?|[Dd]oc(?:ument)?)"
    r"\s*[:：]?\s*)"
)
_TARGET = r"(?:\((?:https?:|\#|/|\.)[^()\s]{0,200}\))?"
# In the narrow form of the text ［ ］ （ ） Ｅ are [ ] ( ) E; 【 】 〔 〕 stay, and so does the full-width comma.
_MARK = re.compile(
    rf"""(?P<note>\[\^\s*(?P<of_note>{_LIST}|\d{{1,2}})\s*\](?!:))
    |(?P<square>(?:\[\[|\[|【|〔)\s*{_WORD}?(?P<of_square>{_LIST})\s*
        (?:[,;:]\s?[^\[\]【】〔〕\n]{{1,30}})?(?:\]\]|\]|】|〕){_TARGET})
    |(?P<round>\(\s*{_WORD}?(?P<of_round>E\s?\d{{1,3}}(?:{_JOINED}(?:E\s?)?\d{{1,3}})*)\s*\))
    |(?P<foreign>(?<![A-Za-z0-9_)])(?:
        \[(?:ID|[Cc]itation|cite)\s?[:：]\s?\d{{1,3}}\]
        |(?:\[|【){_WORD}\d{{1,3}}(?:\]|】)
        |【\d{{1,3}}†[^】\n]{{0,40}}】
        |(?:\[|【)\s*\d{{1,2}}(?:\s*[,，、;-]\s*\d{{1,2}})*\s*(?:\]|】)(?!\(|:)){_TARGET})""",
    re.VERBOSE,
)
_COMMA = str.maketrans("，；", ",;")
_PART = re.compile(r"(?P<range>[-~至到–—]|to)|(?P<number>\d{1,3})")
_UNFINISHED = re.compile(
    r"""(?:(?:\[\[|[\[【〔])[^\[\]【】〔〕\n]{0,63}|\[\[[^\[\]\n]{0,63}\]
    |(?:\[\[|[\[【〔])[^\[\]【】〔〕\n]{0,63}[\]】〕]{1,2}\([^()\s]{0,200}
    |\(\s*[^()\n]{0,8}?\s*(?:E[E\d\s,;、/&+~和与及至到–—-]{0,40})?)$""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark of a text, as written at `span`. `labels` are those that it names; none where it is of a form that names
    no label ([5], [ID:0])."""

    span: Span
    written: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """One occurrence of a label, at the mark that holds it, and the item behind it."""

    label: str
    item: EvidenceItem
    span: Span


def marks_of(text: str) -> list[Mark]:
    """All marks of a text in order; in code spans and code blocks they are text. A range names all labels in it."""
    plain = narrow(text).translate(_COMMA)
    found: list[Mark] = []
    for match in _MARK.finditer(plain):
        start, end = match.span()
        behind = found[-1].span.end if found else 0
        if match["foreign"] and plain[start - 1 : start] == "]" and start != behind:
            continue  # a[i][2]
        found.append(Mark(Span(start, end), text[start:end], _labels(match)))
    code = list(code_of(text)) if found else []
    return [mark for mark in found if not any(span.overlaps(mark.span) for span in code)]


def normalised(text: str, written: Callable[[str], str] = "[{}]".format) -> str:
    """The text with every mark that names labels as [E1][E2]; `written` makes another form of a label."""
    parts, at = [], 0
    for mark in marks_of(text):
        parts += [text[at : mark.span.start], "".join(map(written, mark.labels)) if mark.labels else mark.written]
        at = mark.span.end
    return "".join((*parts, text[at:]))


def citations_of(answer: str, bundle: EvidenceBundle) -> list[Citation]:
    """What the answer cites, mark by mark; labels that the bundle does not have cite nothing, and so does a refusal."""
    if is_refusal(answer):
        return []
    return [
        Citation(label, item, mark.span)
        for mark in marks_of(answer)
        for label in mark.labels
        if (item := bundle.item(label)) is not None
    ]


def unknown_marks(answer: str, bundle: EvidenceBundle) -> list[Mark]:
    """The marks that name no label, or one at least that the bundle does not have."""
    known = set(bundle.labels)
    return [mark for mark in marks_of(answer) if not mark.labels or not known.issuperset(mark.labels)]


def held_back(text: str) -> int:
    """How many characters at the end of a text that still grows may be an unfinished mark; 0 when none is."""
    tail = narrow(text[-(_LONGEST_MARK + 200) :]).translate(_COMMA)
    found = _UNFINISHED.search(tail)
    return len(tail) - found.start() if found else 0


def _labels(found: re.Match[str]) -> tuple[str, ...]:
    said = found["of_note"] or found["of_square"] or found["of_round"]
    if not said or said.isdigit():
        return ()
    labels: list[int] = []
    ranged = False
    for part in _PART.finditer(said):
        if part["range"]:
            ranged = True
            continue
        number = int(part["number"])
        whole = ranged and labels and 0 < number - labels[-1] <= _MOST_OF_A_RANGE
        labels += range(labels[-1] + 1, number + 1) if whole else [number]
        ranged = False
    return tuple(f"E{number}" for number in dict.fromkeys(labels))


def code_of(text: str) -> Iterator[Span]:
    """Where code blocks and code spans of the Markdown text stand."""
    if "`" not in text and "~~~" not in text and "    " not in text and "\t" not in text:
        return
    document = Document(text)
    yield from (block.span for block in document.blocks if block.kind == "code")
    yield from (inline.span for inline in document.inlines if inline.kind == "code")
