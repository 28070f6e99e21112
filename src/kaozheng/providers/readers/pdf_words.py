"""From the characters of a PDF page to its words, and from words to lines. PDFium's own lines are a hint only: it takes
two lines for one at times, and one for many where each letter was set by itself."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

_BROKEN_WORD = 0xFFFE  # what PDFium gives for the hyphen at the end of a line
_LAST = 0x110000
_CONTENTS = re.compile(r"(?:[.．…·]\s?){4,}[\s|]*(?:\d{1,4}|[ivxl]{1,6})?$")  # a line of the table of contents
_NUMBER = re.compile(
    r"[\W\d]{1,5}|[a-zA-Z一二三四五六七八九十]{1,3}[.)、]"
)  # of an item: its words may hang far behind it
_ROW_GAP = 1.8  # of the size: columns of a table are that far apart, words of a justified line hardly ever
_WORD_GAP = 0.25


@dataclass(frozen=True, slots=True)
class Word:
    """Characters without a blank. Places in points from the lower left corner; `end` is the base of its last letter,
    which is another line's where a word was broken. `spaced`: a blank stands before it."""

    text: str
    left: float
    right: float
    base: float
    end: float
    size: float
    spaced: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it was set, or more where a word goes over its end; `size` of most of its words. `is_row`: its words
    stand in columns, ` | ` between them. `is_table`: it is no line but a ruled table, as Markdown."""

    text: str
    left: float
    right: float
    base: float
    end: float
    size: float
    is_row: bool = False
    is_table: bool = False


def words_of(page: Any, raw: Any) -> list[Word]:
    """The words of a pypdfium2 page in the order that the file has them in; `raw` is pypdfium2.raw."""
    text_page = page.get_textpage()
    words = list(_words(raw, text_page.raw, text_page.count_chars()))
    text_page.close()
    return words


def in_lines(words: Iterable[Word]) -> Iterator[Line]:
    """Words on one base, from left to right, are one line. Lines of a table of contents are left out."""
    line: list[Word] = []
    for word in words:
        if line and not _goes_on(line[-1], word):
            yield from _line(line)
            line = []
        line.append(word)
    yield from _line(line)


def _words(raw: Any, handle: Any, count: int) -> Iterator[Word]:
    """Characters that the file gives no meaning are left out."""
    current: list[tuple[int, str]] = []
    spaced = True
    for index in range(count):
        code = raw.FPDFText_GetUnicode(handle, index)
        char = "-" if code == _BROKEN_WORD else chr(code) if 0 < code < _LAST else ""
        if char.isspace():
            if current:
                yield _word(raw, handle, current, spaced)
            current, spaced = [], code not in (10, 13)
        elif char and raw.FPDFText_HasUnicodeMapError(handle, index) != 1:
            current.append((index, char))
    if current:
        yield _word(raw, handle, current, spaced)


def _word(raw: Any, handle: Any, chars: list[tuple[int, str]], spaced: bool) -> Word:
    left, base, right, end = (ctypes.c_double() for _ in range(4))
    unused = [ctypes.c_double() for _ in range(3)]
    first, last = chars[0][0], chars[-1][0]
    raw.FPDFText_GetCharOrigin(handle, first, left, base)
    raw.FPDFText_GetCharBox(handle, last, unused[0], right, unused[1], unused[2])
    raw.FPDFText_GetCharOrigin(handle, last, unused[0], end)
    size = round(2 * raw.FPDFText_GetFontSize(handle, first)) / 2
    return Word("".join(char for _, char in chars), left.value, right.value, base.value, end.value, size, spaced)


def _goes_on(last: Word, word: Word) -> bool:
    """Superscripts stand higher, but never far back to the left."""
    size = max(last.size, word.size, 1.0)
    return abs(last.end - word.base) < 0.6 * size and word.left > last.right - 0.6 * size


def _line(words: list[Word]) -> Iterator[Line]:
    if not words:
        return
    text = words[0].text
    rows = 0
    for last, word in pairwise(words):
        apart = word.left - last.right
        size = max(word.size, 1.0)
        if apart > _ROW_GAP * size and not _NUMBER.fullmatch(text):
            rows += 1
            text += " | "
        elif word.spaced or apart > _WORD_GAP * size:
            text += " "
        text += word.text
    if not _CONTENTS.search(text):
        sizes: Counter[float] = Counter()
        for word in words:
            sizes[word.size] += len(word.text)
        size = sizes.most_common(1)[0][0]
        yield Line(text, words[0].left, words[-1].right, words[0].base, words[-1].end, size, rows > 0)
