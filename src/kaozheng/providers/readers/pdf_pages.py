"""PDF as Markdown: paragraphs put together again, headings by their size; running heads left out. Pages without a text
layer are recognised where the extra `ocr` is installed."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from kaozheng.errors import SourceError
from kaozheng.providers.readers.converted import Caps, Converted, Pages
from kaozheng.providers.readers.markdown_marks import heading, paragraph
from kaozheng.providers.readers.pdf_lines import Paragraph, paragraphs_of, without_running_lines
from kaozheng.providers.readers.pdf_tables import with_tables
from kaozheng.providers.readers.pdf_words import Line, words_of
from kaozheng.providers.readers.recognition import INSTALL, LONGEST_SIDE, Recogniser, can_recognise
from kaozheng.sources.source import Skipped

_ITEM = re.compile(r"[•●▪◦‣·■□○➢✓]\s*(?=\w|[^\w\s])")
_NO_TEXT = "no text layer (a scanned page?)"
_SCANNED = (
    "a PDF with no text layer ({count} pages): it seems to be scanned; to have its text recognised (OCR), {install}"
)
_NOTHING = "a PDF with no text layer ({count} pages), and no text was recognised in it"
_DPI = 150
_HEADING_CHARS = 120
_HEADING_FROM = 1.15  # of the size that most of the text has
_MOST_LEVELS = 3
_MOST_NAMED = 20
_PASSWORD = 4  # FPDF_ERR_PASSWORD


def read(data: bytes, caps: Caps) -> Converted:
    """See conversion.convert."""
    pdfium = _pdfium()
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD or "assword" in str(error):
            raise SourceError("protected by a password") from error
        raise SourceError("damaged or no .pdf file") from error
    count = len(document)
    if count > caps.pages:
        raise SourceError(f"more than {caps.pages:,} pages ({count:,})")
    if count == 0:
        raise SourceError("damaged: it has no pages")
    pages, bare = _lines(document, caps, pdfium)
    why = dict.fromkeys(bare, _NO_TEXT)
    if bare and can_recognise():
        why = _recognise(document, caps, pages, bare)
    if not any(pages):
        said = _NOTHING.format(count=count) if can_recognise() else _SCANNED.format(count=count, install=INSTALL)
        raise SourceError(said if bare else "empty: it holds no text")
    return _markdown(without_running_lines(pages), why)


def _recognise(document: Any, caps: Caps, pages: list[list[Line]], bare: list[int]) -> dict[int, str]:
    """Fill in the pages that have no text layer; of those that stay empty, why."""
    recogniser = Recogniser(caps)
    left: dict[int, str] = {}
    for number in bare:
        why = recogniser.why_not()
        if not why:
            try:
                pages[number - 1] = _recognised(document, number - 1, recogniser)
                why = "" if pages[number - 1] else "no text recognised"
            except SourceError as error:
                why = str(error)
        if why:
            left[number] = why
    return left


def _recognised(document: Any, index: int, recogniser: Recogniser) -> list[Line]:
    pdfium = _pdfium()
    try:
        page = document[index]
        scale = min(_DPI / 72, LONGEST_SIDE / max(*page.get_size(), 1.0))
        image = page.render(scale=scale).to_numpy()
        page.close()
    except pdfium.PdfiumError as error:
        raise SourceError("damaged") from error
    return recogniser.lines(image, scale)


def _pdfium() -> Any:
    try:
        return importlib.import_module("pypdfium2")
    except ImportError as error:
        raise SourceError('PDF needs pypdfium2: pip install "kaozheng[office]"') from error


def _lines(document: Any, caps: Caps, pdfium: Any) -> tuple[list[list[Line]], list[int]]:
    """(the lines of each page, numbers of the pages that show something but have no text)"""
    pages: list[list[Line]] = []
    bare: list[int] = []
    left = caps.chars
    for number in range(len(document)):
        try:
            page = document[number]
            lines = with_tables(page, words_of(page, pdfium.raw), pdfium.raw)
        except pdfium.PdfiumError:
            pages.append([])
            bare.append(number + 1)
            continue
        left -= sum(len(line.text) for line in lines)
        if left < 0:
            raise SourceError(f"more than {caps.chars:,} characters")
        if not lines and next(iter(page.get_objects(max_depth=2)), None) is not None:
            bare.append(number + 1)
        pages.append(lines)
        page.close()
    return pages, bare


def _markdown(pages: list[list[Line]], left: dict[int, str]) -> Converted:
    levels = _levels(pages)
    made = Pages()
    last: Paragraph | None = None
    for number, lines in enumerate(pages, start=1):
        found = list(paragraphs_of(lines))
        if found and last and last.goes_on_in(found[0]):
            first = found.pop(0)
            made.join(last.glue(first))
            made.place_here("page", str(number))
            made.join(paragraph(first.text))
            last = first if not found else last
        elif found:
            made.place("page", str(number))
        for one in found:
            level = levels.get(one.size) if len(one.text) <= _HEADING_CHARS else None
            if one.is_table:
                made.add(one.text)
            elif item := _ITEM.match(one.text):
                made.add("- " + paragraph(one.text[item.end() :]), "item")
            else:
                made.add(heading(one.text, level) if level else paragraph(one.text))
            last = one if level is None and not one.is_table else None
    return made.finished(tuple(_left_out(left)))


def _levels(pages: list[list[Line]]) -> dict[float, int]:
    """From the sizes of headings to their levels."""
    weights: Counter[float] = Counter()
    for line in (line for lines in pages for line in lines if not line.is_table):
        weights[line.size] += len(line.text)
    if not weights:
        return {}
    body = weights.most_common(1)[0][0]
    large = sorted((size for size in weights if size >= body * _HEADING_FROM), reverse=True)
    return {size: min(at, _MOST_LEVELS) for at, size in enumerate(large, start=1)}


def _left_out(left: dict[int, str]) -> Iterator[Skipped]:
    for number, why in list(left.items())[:_MOST_NAMED]:
        yield Skipped(f"page {number}", why)
    if len(left) > _MOST_NAMED:
        yield Skipped(f"{len(left) - _MOST_NAMED} more pages", next(reversed(left.values())))
