"""Cutting Chinese and English text into sentences, in linear time.

A walk over the marks that matter: stops, quotes, brackets, emphasis signs and blank lines. At each stop the code looks
a bounded way back and ahead. What closes after the stop (quotes, brackets, footnote marks) belongs to the sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kaozheng.documents.abbreviations import is_abbreviation, is_speech_tag, starts_low
from kaozheng.documents.characters import HAN
from kaozheng.documents.placeholders import CODE, ESCAPE, HTML, MARK, MATH, NAME, NOTE, URL
from kaozheng.documents.prose import Prose
from kaozheng.documents.span import Span

_MATTERS = re.compile(
    r"(?P<stop>[。！？!?．.…]+)|(?P<gap>\n[ \t]*\n\s*)|(?P<open>[（(【\[《〈「『“‘{])|(?P<close>[）)】\]》〉」』”’}])"
    rf"|(?P<quote>\")|(?P<mark>\*+|_+|~~|{MARK}+)"
)
_PAIRS = {
    "）": "（(",
    ")": "(（",
    "】": "【",
    "]": "[",
    "》": "《",
    "〉": "〈",
    "」": "「",
    "』": "『",
    "”": "“",
    "’": "‘",
    "}": "{",
}
_QUOTES = '”’」』"'
_FOOTNOTE = re.compile(
    rf"\[\^[^\[\]\s]{{1,60}}\]|\[\d{{1,3}}(?:[,，\-–]\s?\d{{1,3}}){{0,8}}\](?![(\[:])|{NOTE}+|[¹²³⁴-⁹⁰]+"
)
_URL_RUN = re.compile(f"{URL}+")
_BLANK = re.compile(r"\s*")
_BESIDE = re.compile(r"[ \t]+")
_GOES_ON = "，、；：,;:）)】》"
_HAN = re.compile(f"[{HAN}]")
_STOPPED = re.compile(r"[。！？!?.…；;][”’\"')）】」』\]]*$")
_NODES = CODE + MATH + URL + HTML + ESCAPE + NAME
_HAN_SPEECH = re.compile(
    "(?:(?![没不无未别])[\u4e00-\u9fff]){0,5}?(?:说|问|道|答|喊|叫|笑|表示|指出|认为|强调|回应|提出)"
    "(?=[，。：！？,.:]|了|着|$|[\u4e00-\u9fff]{0,3}[，。：])"
)
_TIES = "的这那是和与及或等一"
_PREFIX = " \t>#"
_CLOSING_MARKS = "*_~)]"


def split(text: str) -> list[Span]:
    """The sentences of a text, without the blanks between them."""
    return _Walk(text, text).sentences()


def stopped(text: str) -> str:
    """With a stop at its end, without which the items of a list would run into one another, and would not be known as
    sentences when what was chosen of them is chosen from again."""
    return text if _STOPPED.search(text) else f"{text}{'。' if _HAN.search(text) else '.'}"


def sentences(prose: Prose) -> list[Span]:
    """The sentences of a prose run, as spans of the document."""
    return [prose.sub(span.start, span.end) for span in _Walk(prose.masked, prose.source).sentences()]


@dataclass(slots=True)
class _Walk:
    """One pass over `text`; `source` is the same length and shows what a markup placeholder stands for."""

    text: str
    source: str
    start: int = 0
    found: list[Span] = field(default_factory=list)
    open: list[tuple[str, int]] = field(default_factory=list)
    odd: set[str] = field(default_factory=set)
    quote_start: int = 0

    def sentences(self) -> list[Span]:
        self.start = self._skip(0)
        for token in _MATTERS.finditer(self.text):
            kind = token.lastgroup
            if token.start() < self.start and kind == "stop":
                continue
            if kind == "stop":
                self._stop(token)
            elif kind == "gap":
                self._cut(token.start())
                self.open.clear()
                self.odd.clear()
            elif kind == "open":
                self.open.append((token[0], token.start()))
            elif kind == "close":
                self._pop(token[0])
            else:
                self._toggle(self.source[token.start() : token.end()].strip(), token.start())
        self._cut(len(self.text))
        return self.found

    def _skip(self, position: int) -> int:
        """Past blanks and the markup that begins a line."""
        text, source = self.text, self.source
        while position < len(text) and (
            text[position].isspace() or (text[position] == MARK and source[position] in _PREFIX)
        ):
            position += 1
        return position

    def _cut(self, end: int) -> None:
        """A sentence ends before `end`."""
        last = end
        while last > self.start and (
            self.text[last - 1].isspace()
            or (self.text[last - 1] == MARK and self.source[last - 1] not in _CLOSING_MARKS)
        ):
            last -= 1
        if last > self.start:
            self.found.append(Span(self.start, last))
        self.start = max(self.start, self._skip(end))

    def _pop(self, sign: str) -> None:
        """Close the innermost bracket of this kind, and what was left open inside of it."""
        openers = _PAIRS[sign]
        if self.open and self.open[-1][0] not in openers and all(sign_ not in openers for sign_, _ in self.open[-8:]):
            return
        while self.open and self.open.pop()[0] not in openers:
            pass

    def _toggle(self, sign: str, position: int) -> None:
        if sign in self.odd:
            self.odd.discard(sign)
        else:
            self.odd.add(sign)
            if sign == '"':
                self.quote_start = position

    def _stop(self, token: re.Match[str]) -> None:
        end, opened = self._closers(token.end())
        if self._ends(token[0], token.start(), token.end(), end, opened):
            self._cut(end)

    def _closers(self, position: int) -> tuple[int, int | None]:
        """Where the sentence's closing marks end, and where the outermost bracket or quote that they close began."""
        depth, opened = len(self.open), None
        odd = set(self.odd)
        while position < len(self.text):
            sign = self.text[position]
            if sign == '"' and '"' in odd:
                odd.discard('"')
                opened = self.quote_start
                position += 1
            elif sign in _PAIRS and not self._is_apostrophe(position):
                if depth and self.open[depth - 1][0] in _PAIRS[sign]:
                    depth -= 1
                    opened = self.open[depth][1]
                position += 1
            elif after := self._closing_markup(position, odd):
                position = after
            else:
                break
        return position, opened

    def _is_apostrophe(self, position: int) -> bool:
        after = self.text[position + 1 : position + 2]
        return self.text[position] == "’" and after.isalpha() and not _HAN.match(after)

    def _closing_markup(self, position: int, odd: set[str]) -> int:
        """The end of a footnote mark, closing tag, emphasis sign, link target or straight quote here, or 0."""
        text, source = self.text, self.source
        beside = _BESIDE.match(text, position)
        if note := _FOOTNOTE.match(text, beside.end() if beside else position):
            return note.end()
        mark = _MATTERS.match(text, position)
        if mark and mark.lastgroup == "mark":
            delimiter = source[position : mark.end()].strip()
            if delimiter in odd or delimiter[:1] in ("]", ")"):
                odd.discard(delimiter)
                return mark.end()
        if text[position] == HTML and source.startswith("</", position):
            return source.index(">", position) + 1
        if text[position] == URL and source[position - 1] == "(":
            return position + len(_URL_RUN.match(text, position)[0])  # type: ignore[index]  # begins with URL
        if text[position] == "'" and not text[position + 1 : position + 2].strip():
            return position + 1
        return 0

    def _ends(self, stop: str, start: int, stop_end: int, end: int, opened: int | None) -> bool:
        """Whether the stop at `start` with its closing marks up to `end` ends the sentence."""
        following = _BLANK.match(self.text, end)
        ahead = following.end() if following else end
        if ahead >= len(self.text):
            return True
        touching = ahead == end
        after = self.text[ahead]
        if after in _GOES_ON and touching:
            return False
        if opened is not None and touching and not self._quotation_ends(end, opened):
            return False
        if any(sign in _QUOTES for sign in self.text[stop_end:end]) and is_speech_tag(self.text, ahead):
            return False
        if any(sign in "。！？" for sign in stop):
            return True
        if "…" in stop or (len(stop) > 2 and set(stop) == {"."}):
            return self._ellipsis_ends(stop, ahead, touching)
        if touching and not self._may_touch(start, end, after):
            return False
        if starts_low(self.text, ahead) and not touching:
            return False
        if stop in ".．":
            return not is_abbreviation(self.text, self.start, start, ahead)
        return True

    def _may_touch(self, start: int, end: int, after: str) -> bool:
        """Whether a half-width stop may end a sentence though no blank follows: between Han, or with a mark closed."""
        before = self.text[start - 1 : start]
        if after in _NODES + MARK + "“「『‘【《" or _HAN.match(after):
            return bool(_HAN.match(before)) or (bool(_HAN.match(after)) and not before.isdigit())
        return end > start + 1 and not after.isalnum() and after not in "/\\=&|<>-+*%#@([{`'\""

    def _ellipsis_ends(self, stop: str, ahead: int, touching: bool) -> bool:
        """Two ellipsis signs or six dots end a Chinese sentence; three dots do when a new sentence visibly begins."""
        if touching and self.text[ahead] in '“「『‘"':
            return False
        if touching:
            return stop.count("…") >= 2 or len(stop) >= 6
        return not starts_low(self.text, ahead)

    def _quotation_ends(self, end: int, opened: int) -> bool:
        """Whether a sentence ends with a quotation or bracket that a text without blank follows.

        It does when the quotation is the whole sentence or was announced by a colon or comma; `“好吗？”他问` goes on.
        """
        if _HAN_SPEECH.match(self.text, end) and self.text[end - 1] in _QUOTES:
            return False
        if opened <= self.start:
            return self.text[end] not in _TIES
        return self.text[opened - 1] in "：:，,…" and self.text[end] not in "的"
