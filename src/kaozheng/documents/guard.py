"""The structure guard: what a fix of prose must leave as it is, and what a rewritten passage may not lose."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from kaozheng.documents.document import Document
from kaozheng.documents.nodes import label_key
from kaozheng.documents.placeholders import NAME, URL

_MAX_QUOTE = 80
_URL_RUN = re.compile(f"{URL}+")
_NAME_RUN = re.compile(f"{NAME}+")
_DIGITS = str.maketrans("０１２３４５６７８９．％", "0123456789.%")
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?%?|\d+(?:\.\d+)*%?")
_CITATION = re.compile(r"\[[A-Za-z]{0,2}\d{1,4}(?:[,，\-–]\s?[A-Za-z]{0,2}\d{1,4}){0,9}\]")
_REFERENCE = re.compile(r"\]\[([^\[\]\n]{1,100})\]")
_LINE_NUMBER = re.compile(r"\s*(\d{4,}):(?: |$)")


@dataclass(frozen=True, slots=True)
class Structure:
    """What a document holds besides its prose: for each subject a multiset of readable names.

    Subjects: code, fences, math, targets, html, front_matter, headings, footnotes, tables, lists, blocks.
    """

    counters: Mapping[str, Counter[str]]


def structure(document: Document) -> Structure:
    """The fingerprint of a document."""
    return Structure({subject: Counter(read(document)) for subject, read in _SUBJECTS.items()})


def differences(before: Document, after: Document, ignore: Collection[str] = ()) -> list[str]:
    """What changed besides prose, one sentence each. `ignore` names subjects that may change."""
    old, new = structure(before).counters, structure(after).counters
    found: list[str] = []
    for subject in _SUBJECTS:
        if subject not in ignore and old[subject] != new[subject]:
            lost, added = list((old[subject] - new[subject]).elements()), list((new[subject] - old[subject]).elements())
            if len(lost) == len(added) == 1:
                found.append(f"{lost[0]} became {added[0]}")
            else:
                found += [f"{item} lost" for item in lost] + [f"{item} added" for item in added]
    return found


def losses(before_text: str, after_text: str) -> list[str]:
    """What `after_text` lacks of `before_text`: numbers, link targets, citations, code, formulas and templates.

    Counts repetitions: a number that stood twice and stands once is lost once. Line-number prefixes do not count.
    """
    before, after = (Document.of(_without_line_numbers(text)) for text in (before_text, after_text))
    found: list[str] = []
    for read in (_numbers, _targets, _open_references, _citations, _code, _labels, _math, _templates):
        found += [f"{item} lost" for item in (Counter(read(before)) - Counter(read(after))).elements()]
    return found


def _code(document: Document) -> Iterator[str]:
    for node in document.inlines:
        if node.kind == "code":
            yield f"code span `{document.quote(node.text_span)}`"
    for block in document.blocks:
        if block.kind == "code":
            yield f"code block {_digest(document.quote(block.body))}"


def _fences(document: Document) -> Iterator[str]:
    for block in document.blocks:
        if block.kind == "code":
            shape = ("fence" if block.closed else "unclosed fence") if block.fenced else "indented code"
            yield f"{shape} {block.info!r} at depth {block.depth}"


def _labels(document: Document) -> Iterator[str]:
    """Labels of fences: giving one to a fence that has none loses nothing. Bodies are counted by `_code`."""
    for block in document.blocks:
        if block.kind == "code" and block.info:
            yield f"fence label {block.info!r}"


def _digest(body: str) -> str:
    """Short enough to read, exact enough to tell two bodies apart."""
    return repr(body) if len(body) <= _MAX_QUOTE else f"{body[:40]!r}… (sha256 {_sha256(body)})"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _math(document: Document) -> Iterator[str]:
    return (f"formula {document.quote(node.text_span)!r}" for node in document.inlines if node.kind == "math")


def _targets(document: Document) -> Iterator[str]:
    """Targets of links, images and definitions, and bare addresses."""
    links = [node for node in document.inlines if node.kind in ("link", "image")]
    yield from (f"{node.kind} target {node.target}" for node in links)
    yield from (f"link definition [{item.label}]: {item.target}" for item in document.definitions)
    starts = [node.span.start for node in links]
    reach = 0
    reaches = [reach := max(reach, node.span.end) for node in links]
    for prose in document.prose:
        for found in _URL_RUN.finditer(prose.masked):
            index = bisect_right(starts, prose.offset(found.start())) - 1
            if index < 0 or reaches[index] <= prose.offset(found.start()):
                yield f"link target {prose.source[found.start() : found.end()]}"


def _html(document: Document) -> Iterator[str]:
    yield from (f"HTML {document.quote(node.span)}" for node in document.inlines if node.kind == "html")
    yield from (f"HTML block {document.quote(block.span)}" for block in document.blocks if block.kind == "html")


def _front_matter(document: Document) -> Iterator[str]:
    front = document.front_matter
    if front is None:
        return
    if front.error:
        yield f"front matter {front.text!r}"
    for key, value in front.data.items():
        yield f"front matter {key} = {value!r}"


def _headings(document: Document) -> Iterator[str]:
    for heading in document.headings:
        yield f"heading of level {heading.level}" + (f" with id {heading.id}" if heading.id else "")


def _footnotes(document: Document) -> Iterator[str]:
    yield from (f"footnote reference [^{note.label}]" for note in document.footnotes.references)
    yield from (f"footnote definition [^{note.label}]" for note in document.footnotes.definitions)


def _tables(document: Document) -> Iterator[str]:
    for block in document.blocks:
        if block.kind == "table":
            yield f"table with columns {block.info}"
        elif block.kind == "row":
            yield f"table {'head' if block.info == 'head' else 'row'} of {block.cells} cells"


def _lists(document: Document) -> Iterator[str]:
    for block in document.blocks:
        if block.kind == "list":
            yield f"list ({block.info}) at depth {block.depth}"
        elif block.kind == "item":
            yield f"list item {block.info + ' ' if block.info else ''}at depth {block.depth}"


def _blocks(document: Document) -> Iterator[str]:
    for block in document.blocks:
        if block.kind in ("quote", "rule", "math"):
            yield f"{block.kind} {block.info + ' ' if block.info else ''}at depth {block.depth}"


def _open_references(document: Document) -> Iterator[str]:
    """`[text][label]` whose definition stands outside of the passage."""
    for prose in document.prose:
        yield from (f"link reference [{label_key(found[1])}]" for found in _REFERENCE.finditer(prose.masked))


def _citations(document: Document) -> Iterator[str]:
    yield from (f"footnote reference [^{note.label}]" for note in document.footnotes.references)
    for prose in document.prose:
        yield from (f"citation {found[0]}" for found in _CITATION.finditer(prose.masked))


def _templates(document: Document) -> Iterator[str]:
    for prose in document.prose:
        for found in _NAME_RUN.finditer(prose.masked):
            name = prose.source[found.start() : found.end()]
            if name.startswith(("{{", "{%")):
                yield f"template {name}"


def _numbers(document: Document) -> Iterator[str]:
    """Numbers of the prose: `1,000` is 1000, full-width digits are digits. Numbers of citations are not numbers."""
    for prose in document.prose:
        text = _CITATION.sub(" ", prose.masked.translate(_DIGITS))
        for found in _NUMBER.finditer(text):
            yield f"number {found[0].replace(',', '')}"


def _without_line_numbers(text: str) -> str:
    """The text without `0042: ` prefixes, when every line that is not blank has one and they count on."""
    lines = text.split("\n")
    marks = [(number, _LINE_NUMBER.match(line)) for number, line in enumerate(lines) if line.strip()]
    if not marks or any(mark is None for _, mark in marks):
        return text
    firsts = {int(mark[1]) - number for number, mark in marks if mark and len(mark[1]) < 10}
    return "\n".join(_LINE_NUMBER.sub("", line) for line in lines) if len(firsts) == 1 else text


_SUBJECTS: dict[str, Callable[[Document], Iterator[str]]] = {
    "code": _code,
    "fences": _fences,
    "math": _math,
    "targets": _targets,
    "html": _html,
    "front_matter": _front_matter,
    "headings": _headings,
    "footnotes": _footnotes,
    "tables": _tables,
    "lists": _lists,
    "blocks": _blocks,
}
