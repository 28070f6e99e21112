"""Footnote marks in a draft: from passages to labels, who supports a sentence, and numbering in order of appearance."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from kaozheng.documents.document import Document
from kaozheng.documents.edits import TextEdit, apply_edits
from kaozheng.documents.sentences import sentences
from kaozheng.documents.span import Span
from kaozheng.evidence.file_places import place_told
from kaozheng.evidence.support import Supporter
from kaozheng.sources.material import Material
from kaozheng.sources.passage import Passage
from kaozheng.workflows.write.code_places import reference

UNSUPPORTED = "unsupported"
"""Label of the footnote that marks a sentence without evidence."""
_MARK = re.compile(r"\[\^([A-Za-z0-9-]+)\]")
_CODE_OR_LABELS = re.compile(
    r"(?P<code>^[ \t]*(?P<fence>```+(?![^\n]*`)|~~~+).*?(?:^[ \t]*(?P=fence)[ \t]*$|\Z)"
    r"|(?<!`)(?P<ticks>`+)(?!`)[^\n]+?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<gap>[ \t]*)(?P<labels>\[E\d+\](?:[ \t]*\[E\d+\])*)",
    re.DOTALL | re.MULTILINE,
)
_GLUED = re.compile(r"^([ \t]*(?:```+|~~~+))[ \t]*((?:\[E\d+\])+)[ \t]*$", re.MULTILINE)
_EMPTY_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]*\n", re.MULTILINE)


def footnote_label(passage: str) -> str:
    """The label of a passage in a draft that is not numbered yet: "S1:12" -> "S1-12"."""
    return passage.replace(":", "-")


def passage_of(label: str) -> str:
    """Back from `footnote_label`."""
    return label.replace("-", ":")


def marks_in(text: str) -> list[str]:
    """Labels of the footnote references in `text`, in order."""
    return _MARK.findall(text)


def without_marks(text: str) -> str:
    """`text` without footnote references."""
    return _MARK.sub("", text)


def letters_of(text: str) -> str:
    """Letters and digits of a table or code block: what stays when fences get labels and cells get blanks."""
    body = re.sub(r"^\s*(?:`{3,}|~{3,}).*$", "", text, flags=re.MULTILINE)
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", body)).casefold()


def labelled(body: str, passages: Sequence[Passage], language: str) -> str:
    """`[E3]`, which counts within the section, becomes a footnote that names the passage; labels of nothing go.

    Code keeps what looks like a label; one glued to a closing fence would keep it open and gets a line of its own.
    """

    def footnotes(found: re.Match[str]) -> str:
        if found["code"]:
            return found["code"]
        labels = dict.fromkeys(int(number) for number in re.findall(r"\d+", found["labels"]))
        marks = [f"[^{footnote_label(passages[label - 1].id)}]" for label in labels if 1 <= label <= len(passages)]
        stands_alone = found.start() == 0 or apart[found.start() - 1] in "\n|>:"
        return (found["gap"] if stands_alone else "") + "".join(marks)

    apart = _GLUED.sub(rf"\1\n\n{'来源：' if language == 'zh' else 'Source: '}\2", body)
    return _CODE_OR_LABELS.sub(footnotes, apart)


def cited(body: str, supporter: Supporter, strict: bool) -> str:
    """A model's section with a mark behind each sentence that code finds supported.

    A label that the passages do not bear out is replaced by one that they do; a sentence that nothing supports gets
    the mark `[^unsupported]`, or is dropped when `strict`.
    """
    document = Document(body)
    edits: list[TextEdit] = []
    for prose in document.prose:
        if prose.block.kind in {"heading", "footnote"}:
            continue
        for span in sentences(prose):
            edits.extend(_edit(document, span, supporter, strict))
    return _EMPTY_ITEM.sub("", apply_edits(body, edits)) if strict else apply_edits(body, edits)


def _edit(document: Document, span: Span, supporter: Supporter, strict: bool) -> Sequence[TextEdit]:
    text = document.quote(span)
    bare = without_marks(text).strip()
    if not re.search(r"\w", bare):
        return []
    marked = [passage_of(label) for label in marks_in(text)]
    evidence = supporter.best(bare, marked)
    if evidence is None:
        if strict:
            return [TextEdit(span, "")]
        label = UNSUPPORTED
    elif evidence.passage in marked:
        return []
    else:
        label = footnote_label(evidence.passage)
    kept = _MARK.sub("", text)
    tail = len(kept) - len(kept.rstrip())
    body, blanks = (kept[:-tail], kept[-tail:]) if tail else (kept, "")
    return [TextEdit(span, f"{body}[^{label}]{blanks}")]


@dataclass(frozen=True, slots=True)
class Numbered:
    """A draft whose labels are numbers.

    `notes` are the footnote definitions, `table` leads from label to passage id, `paths` are the sources cited, in
    order.
    """

    text: str
    notes: list[str]
    table: dict[str, str]
    paths: list[str]


def numbered(draft: str, material: Material) -> Numbered:
    """Labels become 1, 2, 3 … in order of appearance."""
    table: dict[str, str] = {}
    paths: dict[str, None] = {}
    numbers: dict[str, str] = {}
    known = {footnote_label(passage.id): passage for passage in material.passages}

    def number(found: re.Match[str]) -> str:
        label = found.group(1)
        if label not in known:  # the mark of an unsupported sentence, or code that looks like a mark: `[^a-z]`
            return found.group()
        if label not in numbers:
            numbers[label] = str(len(numbers) + 1)
            passage = known[label]
            table[numbers[label]] = passage.id
            paths.setdefault(material.source(passage.source).path)
        return f"[^{numbers[label]}]"

    text = _MARK.sub(number, draft)
    notes = [definition(label, passage, material) for label, passage in table.items()]
    if f"[^{UNSUPPORTED}]" in text:
        told = (
            "素材中没有依据，待核实。"
            if material.language == "zh"
            else "Nothing in the material supports this; to be verified."
        )
        notes.append(f"[^{UNSUPPORTED}]: {told}")
    return Numbered(text, notes, table, list(paths))


def definition(label: str, passage_id: str, material: Material) -> str:
    """`[^3]: ` and where the passage stands; of an overview of code the places that it names there."""
    passage = material.passage(passage_id)
    if material.about_code:
        return f"[^{label}]: {reference(passage.text, material.language)}"
    return f"[^{label}]: {place_told(material.source(passage.source), passage, material.language)}"
