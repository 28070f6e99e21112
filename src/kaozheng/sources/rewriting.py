"""Back to bytes: a mended text in the form of the file that it came from, its untouched lines byte for byte."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from kaozheng.errors import EncodingError
from kaozheng.sources.decoding import decode
from kaozheng.sources.source import normal_lines

_ENDS = re.compile("\r\n|\n|\r")
_BYTE_ENDS = re.compile(rb"\r\n|\n|\r")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line as text, its bytes without the line end, and the line end ("" at the end of the text)."""

    text: str
    data: bytes
    end: str


def rewritten(data: bytes, text: str) -> bytes:
    """The bytes of a file whose text is now `text` (with `\\n` line ends, without a mark).

    Encoding, byte order mark and line ends are those of `data`; a new line gets the line end that most lines have.
    Lines that are in both stay as they were, byte for byte. Raises EncodingError when `data` cannot be decoded, or a
    changed line cannot be written in its encoding: the message names the character.
    """
    mark, codec = _codec_of(data)
    old = list(_lines(data[len(mark) :], codec))
    usual = Counter(line.end for line in old if line.end).most_common(1)
    new = text.split("\n")
    parts = [mark]
    for place, (line, kept) in enumerate(zip(new, _kept(old, new), strict=True)):
        parts.append(kept.data if kept and kept.text == line else _encoded(line, codec))
        if place + 1 < len(new):
            end = (kept.end if kept else "") or (usual[0][0] if usual else "\n")
            parts.append(end.encode(codec))
    return b"".join(parts)


def same_text(data: bytes, text: str) -> bool:
    """Whether `data` still holds `text`. Raises EncodingError."""
    return normal_lines(decode(data)[0]) == text


def _codec_of(data: bytes) -> tuple[bytes, str]:
    """The byte order mark, and the encoding of what follows it."""
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return mark, codec
    codec = decode(data)[1]
    if codec != "gb18030":
        return b"", codec
    try:
        data.decode("gbk")
    except UnicodeDecodeError:
        return b"", codec
    return b"", "gbk"  # who reads this file as GBK must be able to go on doing so


def _lines(data: bytes, codec: str) -> Iterator[_Line]:
    """In UTF-16 and UTF-32 a byte of a line end may be a part of a character, so there the text is cut; text and bytes
    are the same there. In the others a text may be written in several ways, so there the bytes are."""
    if codec.startswith(("utf-16", "utf-32")):
        text, at = data.decode(codec), 0
        for end in (*_ENDS.finditer(text), None):
            line = text[at : end.start() if end else len(text)]
            yield _Line(line, line.encode(codec), end[0] if end else "")
            at = end.end() if end else at
        return
    at = 0
    for found in (*_BYTE_ENDS.finditer(data), None):
        body = data[at : found.start() if found else len(data)]
        yield _Line(body.decode(codec), body, found[0].decode() if found else "")
        at = found.end() if found else at


def _kept(old: Sequence[_Line], new: Sequence[str]) -> list[_Line | None]:
    """For each new line the old one that stood in its place; None for lines that have come in."""
    if len(old) == len(new):
        return list(old)
    found: list[_Line | None] = [None] * len(new)
    for _, start, end, first, last in SequenceMatcher(None, [line.text for line in old], new, False).get_opcodes():
        for offset in range(min(end - start, last - first)):
            found[first + offset] = old[start + offset]
    return found


def _encoded(line: str, codec: str) -> bytes:
    try:
        return line.encode(codec)
    except UnicodeEncodeError as error:
        sign = line[error.start]
        raise EncodingError(f"{sign!r} (U+{ord(sign):04X}) cannot be written in {codec}") from error
