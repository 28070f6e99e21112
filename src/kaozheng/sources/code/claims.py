"""Claims about code, read again: the file is there, it has these lines, and the named symbol stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kaozheng.documents.span import LineRange
from kaozheng.errors import SourceError
from kaozheng.sources.code.repository import CodeShelf
from kaozheng.sources.code.symbol import place

_PLACE = re.compile(r"([^\s()\[\]<>`\"'|#，。；：、（）「」]{1,400})#L(\d{1,7})(?:-L?(\d{1,7}))?(?![\w-])")
_WHOLE = re.compile(r"([^\n]{1,4096})#L(\d{1,7})(?:-L?(\d{1,7}))?")
_SPAN = re.compile(r"(?<!`)(`{1,20})(?!`)([^\n]{1,4200}?)(?<!`)\1(?!`)")
_LINES = re.compile(r"#L\d")
_WORD = re.compile(r"[\w$]+")
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # Japanese and Korean have no blanks there either


@dataclass(frozen=True, slots=True)
class CodePlace:
    """Lines of a file, as a document names them."""

    path: str
    lines: LineRange

    def __str__(self) -> str:
        return place(self.path, self.lines)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a claim does not hold: `claim` as it was given, and the reason in words for a reader."""

    claim: str
    why: str


def places_in(text: str) -> Iterator[CodePlace]:
    """Every `path#L10`, `path#L10-L20` or `path#L10-20` of a document, in its order. A code span that is a place as a
    whole may hold any path (`app/[id]/my page.tsx#L3`). One whose lines run backwards or begin at 0 is passed over here
    and doubted by `doubt_of`."""
    at = 0
    for span in _SPAN.finditer(text):
        yield from _bare(text[at : span.start()])
        row = text.startswith("|", text.rfind("\n", 0, span.start()) + 1)  # there a pipe of a path is escaped
        inner = _inside(span[2]).replace("\\|", "|") if row else _inside(span[2])
        whole = parse_place(inner) if len(_LINES.findall(inner)) == 1 else None
        yield from [whole] if whole else _bare(inner)
        at = span.end()
    yield from _bare(text[at:])


def _bare(text: str) -> Iterator[CodePlace]:
    for found in _PLACE.finditer(text):
        if read := parse_place(found[0]):
            yield read


def _inside(span: str) -> str:
    """What a code span says: without the blanks that keep back-ticks apart."""
    return span[1:-1] if len(span) > 2 and span[0] == span[-1] == " " and span.strip() else span


def parse_place(claim: str) -> CodePlace | None:
    """The place that a claim names as a whole, whatever signs its path has; None when it names none."""
    found = _WHOLE.fullmatch(claim.strip())
    if not found:
        return None
    start, end = int(found[2]), int(found[3] or found[2])
    return CodePlace(found[1].removeprefix("./"), LineRange(start, end)) if 1 <= start <= end else None


def doubt_of(shelf: CodeShelf, claim: str, symbol: str = "") -> Doubt | None:
    """None when the claim holds. The file is read from the disk again, so one that changed since is noticed. The last
    part of `symbol` must stand in the lines as a whole word; what is before its last dot must be the class, type or
    module that the outline gives for the symbol there."""
    read = parse_place(claim)
    if read is None:
        return Doubt(claim, "not of the form path#L10-L20")
    try:
        text = shelf.text(read.path)
    except SourceError as error:
        return Doubt(claim, str(error))
    lines = text.removesuffix("\n").split("\n")
    if read.lines.end > len(lines):
        return Doubt(claim, f"{read.path} has {len(lines)} lines")
    if not symbol:
        return None
    chosen = "\n".join(lines[read.lines.start - 1 : read.lines.end])
    last = (_WORD.findall(symbol) or [symbol])[-1]
    if not stands_in(last, chosen):
        return Doubt(claim, f"{last} does not stand in these lines")
    if "." in symbol and not _has_owner(shelf, read, symbol):
        return Doubt(claim, f"{last} in these lines does not belong to {symbol.rpartition('.')[0]}")
    return None


def stands_in(name: str, text: str) -> bool:
    """Whether the name is there as a whole word. Chinese words around it end it (调用start方法), but a name that ends
    in a Chinese character itself must not go on in Chinese."""
    latin = rf"(?:(?!{_HAN.pattern})[\w$])"
    before, after = (r"[\w$]" if _HAN.match(side) else latin for side in (name[:1], name[-1:]))
    return re.search(rf"(?<!{before}){re.escape(name)}(?!{after})", text) is not None


def _has_owner(shelf: CodeShelf, read: CodePlace, symbol: str) -> bool:
    owner, _, name = symbol.rpartition(".")
    outline = shelf.repository.outlines.get(read.path)
    if outline is None:
        return False
    return any(
        one.name == name and one.lines.overlaps(read.lines) and owner.split(".")[-1] in (one.owner, _module(one.path))
        for one in outline.symbols
    )


def _module(path: str) -> str:
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return folder.rpartition("/")[2] if stem in ("__init__", "index", "mod") else stem
