"""Transcripts of speech, cleaned for reading: fillers, laughter and stamps go, fragments of one speaker are joined. No
word of the matter, no number and no negation goes, and each character leads back to where it stood."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from kaozheng.documents.characters import HAN
from kaozheng.documents.fillers import hesitates, without_fillers
from kaozheng.documents.span import Span
from kaozheng.documents.transcript_lines import Spoken, spoken_line

_LINE = re.compile(r"[^\n]+|(?<=\n)(?=\n)")
_KNOWN = re.compile(
    r"(?:说话人|发言人|讲话人|受访者|采访者|主持人|记者|speaker|interviewe[er]|moderator|host|participant)\s*\w{0,2}",
    re.I,
)
_INLINE = re.compile(r"(?:[\[（(【]\d{1,2}[:：]\d{2}[:：]\d{2}[\]）)】]|\[\d{1,2}[:：]\d{2}\]|</?[vcbiu]>)\s*")
_HAN = re.compile(f"[{HAN}]")
_TIGHT = re.compile(r"[\u3000-\u303f\uff00-\uffef\u2018-\u201f\u2026\u2014]")
_SENTENCE = "。！？.!?"
_LONG: Final = 400
"""Characters after which a paragraph ends with its sentence."""
_JUDGED: Final = 60_000
"""Characters from the beginning by which a text is judged: most texts are none, and some are long."""
_STAMPS: Final = frozenset({"cue", "head", "stamped"})


@dataclass(frozen=True, slots=True)
class Transcript:
    """The cleaned text. `pieces` are (offset in it, offset in the source, length), in order; between them stands what
    was put in: labels of paragraphs, blanks, line ends."""

    text: str
    pieces: tuple[tuple[int, int, int], ...]

    def origin(self, span: Span) -> Span:
        """Where in the source the words of a stretch of the text stand, from the first to the last."""
        first, last = self._at(span.start), self._at(max(span.start, span.end - 1))
        return Span(first, max(first, last + (span.end > span.start)))

    def _at(self, offset: int) -> int:
        at = max(0, bisect_right(self.pieces, offset, key=_start) - 1)
        start, source, length = self.pieces[at]
        return source + min(max(0, offset - start), length - 1)


def transcript_of(text: str) -> Transcript | None:
    """The text cleaned, or None where it is no transcript of speech. One is known by the stamps and names at its lines
    together with sounds that nobody writes down in another text, or by the form of subtitles."""
    if not _is_transcript(_settled(_lines(text, _JUDGED), text), text):
        return None
    made = _Made(text)
    for paragraph in _paragraphs(_settled(_lines(text, len(text)), text), text):
        made.add(paragraph)
    return Transcript("".join(made.parts) + "\n", tuple(made.pieces)) if made.pieces else None


def _lines(text: str, end: int) -> list[Spoken]:
    return [spoken_line(text, Span(*found.span())) for found in _LINE.finditer(text, 0, end)]


@dataclass(slots=True)
class _Paragraph:
    """Stretches of the source, joined by blanks or line ends; `name` is the speaker's, where one speaks."""

    name: Span | None
    parts: list[list[Span]] = field(default_factory=list)
    glue: str = " "

    @property
    def length(self) -> int:
        return sum(len(one) for part in self.parts for one in part)


@dataclass(slots=True)
class _Made:
    source: str
    parts: list[str] = field(default_factory=list)
    pieces: list[tuple[int, int, int]] = field(default_factory=list)
    length: int = 0

    def add(self, paragraph: _Paragraph) -> None:
        if self.parts:
            self._put("\n\n")
        if paragraph.name:
            self._copy(paragraph.name)
            name = self.source[paragraph.name.start : paragraph.name.end]
            self._put("：" if _HAN.search(name) or _HAN.search(self._words(paragraph)) else ": ")
        for number, part in enumerate(paragraph.parts):
            if number:
                last, first = self.parts[-1][-1:], self.source[part[0].start]
                self._put(paragraph.glue if paragraph.glue == "\n" or not _TIGHT.match(last + first) else "")
            for one in part:
                self._copy(one)

    def _words(self, paragraph: _Paragraph) -> str:
        first = paragraph.parts[0]
        return self.source[first[0].start : first[-1].end]

    def _copy(self, span: Span) -> None:
        self.pieces.append((self.length, span.start, len(span)))
        self._put(self.source[span.start : span.end])

    def _put(self, text: str) -> None:
        if text:
            self.parts.append(text)
            self.length += len(text)


def _start(piece: tuple[int, int, int]) -> int:
    return piece[0]


def _settled(lines: Sequence[Spoken], text: str) -> list[Spoken]:
    """Stamps of a form that hardly occurs, and names that speak once without a stamp, are words: a time of day, a
    heading with a colon."""
    styles = Counter(line.style for line in lines if line.seconds >= 0)
    most = max(styles.values(), default=0)
    few = {style for style, count in styles.items() if count < 2 or count * 5 < most}
    # Minutes become hours in the middle of a recording, and back they never go.
    few -= {style for style in few if style.endswith("3") and style[:-1] + "2" in styles}
    names = Counter(_name(line, text) for line in lines if line.name)
    named = Counter(line.style for line in lines if line.name)
    settled: list[Spoken] = []
    for line in lines:
        whole = Span(line.name.start if line.name and line.kind == "label" else line.words.start, line.words.end)
        if line.tail and line.style in few:
            line = replace(line, words=Span(line.words.start, line.tail.end), seconds=-1.0)
            whole = Span(whole.start, line.words.end)
        elif line.kind in ("head", "stamped") and (
            line.style in few or (not line.name and named[line.style] * 3 > styles[line.style] * 2)
        ):
            line = Spoken("words", Span(_line_start(text, line.words.start), line.words.end))
        if line.kind == "label" and names[_name(line, text)] < 2 and not _KNOWN.fullmatch(_name(line, text)):
            line = Spoken("words", whole, seconds=line.seconds)
        settled.append(line)
    return settled


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _is_transcript(lines: Sequence[Spoken], text: str) -> bool:
    full = [line for line in lines if line.kind != "blank"]
    kinds = Counter(line.kind for line in full)
    if kinds["log"] or not full:
        return False
    if kinds["cue"] >= 2:
        return True
    stamped = [line for line in full if line.seconds >= 0]
    names = Counter(_name(line, text) for line in full if line.name)
    again = sum(count for count in names.values() if count > 1)
    sounds = sum(hesitates(text[line.words.start : line.words.end]) for line in full if line.kind != "own")
    alone = sum(line.kind == "head" and not text[line.words.start : line.words.end].strip() for line in full)
    if len(stamped) >= 3 and _rises(stamped) and len(stamped) * 40 >= len(full):
        by_name = again >= 2 and (sounds >= 1 or alone * 2 > len(stamped))
        known = sum(count for name, count in names.items() if _KNOWN.fullmatch(name)) * 2 > len(stamped) and sounds
        return bool(by_name or known or (sounds >= 2 and sounds * 5 >= len(stamped)))
    labelled = sum(line.kind == "label" for line in full)
    return labelled >= 3 and again >= 2 and labelled * 5 >= len(full) * 2 and sounds >= 2 and sounds * 4 >= labelled


def _rises(stamped: Sequence[Spoken]) -> bool:
    falls = sum(two.seconds < one.seconds for one, two in pairwise(stamped))
    return falls * 10 <= len(stamped)


def _name(line: Spoken, text: str) -> str:
    return text[line.name.start : line.name.end] if line.name else ""


def _paragraphs(lines: Sequence[Spoken], text: str) -> Iterator[_Paragraph]:
    """Who says nothing but 嗯 interrupts nobody."""
    speaking: _Paragraph | None = None
    verbatim: _Paragraph | None = None
    name: Span | None = None
    begun = False
    for number, line in enumerate(lines):
        begun = begun or line.kind in _STAMPS or line.kind == "label"
        name = line.name or name
        if verbatim and (begun or line.kind == "blank") and line.kind != "own":
            yield verbatim
            verbatim = None
        if line.kind == "blank" or _is_counter(lines, number, text):
            continue
        if line.kind == "own" or not begun:
            if speaking:
                yield speaking
            speaking = None
            if text[line.words.start : line.words.end].strip() != "WEBVTT":
                verbatim = verbatim or _Paragraph(None, glue="\n")
                verbatim.parts.append([line.words])
        elif said := _said(text, line.words):
            if speaking and _ends(speaking, name, text):
                yield speaking
                speaking = None
            speaking = speaking or _Paragraph(name)
            speaking.parts.append(said)
    yield from (left for left in (speaking, verbatim) if left)


def _ends(speaking: _Paragraph, name: Span | None, text: str) -> bool:
    """Whether another one speaks, or the same has spoken long enough for a paragraph."""
    words = {text[one.start : one.end] if one else "" for one in (speaking.name, name)}
    return len(words) > 1 or (speaking.length > _LONG and text[speaking.parts[-1][-1].end - 1] in _SENTENCE)


def _is_counter(lines: Sequence[Spoken], number: int, text: str) -> bool:
    """The number above a cue of subtitles."""
    after = lines[number + 1].kind if number + 1 < len(lines) else ""
    return after == "cue" and text[lines[number].words.start : lines[number].words.end].strip().isdecimal()


def _said(text: str, words: Span) -> list[Span]:
    """What stays of a line."""
    said: list[Span] = []
    at = words.start
    for stamp in [*_INLINE.finditer(text, words.start, words.end), None]:
        part = Span(at, stamp.start() if stamp else words.end)
        part = part if said else Span(_trimmed(text, part).start, part.end)
        for one in without_fillers(text[part.start : part.end]):
            said.append(Span(part.start + one.start, part.start + one.end))
        at = stamp.end() if stamp else at
    if said:
        said[0] = Span(_trimmed(text, said[0]).start, said[0].end)
        said[-1] = Span(said[-1].start, max(said[-1].start, _trimmed(text, said[-1]).end))
    return [one for one in said if len(one)]


def _trimmed(text: str, span: Span) -> Span:
    body = text[span.start : span.end]
    start = span.start + len(body) - len(body.lstrip())
    return Span(start, max(start, span.start + len(body.rstrip())))
