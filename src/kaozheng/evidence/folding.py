"""Text brought to one written form, so that width, quote marks, blanks and markup hide no equality."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff〇"
_KEPT = frozenset("，⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀₁₂₃₄₅₆₇₈₉")  # a full-width comma never groups thousands; superscripts are exponents


@cache
def _narrow_forms() -> dict[int, int]:
    """Every character of the basic plane whose NFKC form is one other character."""
    forms = {}
    for code in (*range(0xA0, 0xD800), *range(0xE000, 0x10000)):
        form = unicodedata.normalize("NFKC", chr(code))
        if len(form) == 1 and ord(form) != code and chr(code) not in _KEPT:
            forms[code] = ord(form)
    return forms


def narrow(text: str) -> str:
    """The text with full-width letters, digits and signs made half-width. The length stays, so offsets stay."""
    return text if text.isascii() else text.translate(_narrow_forms())


_SAME = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»「」『』＂", '"'),
        **dict.fromkeys("‘’‚‛`´", "'"),
        **dict.fromkeys("—–―‐‑‒−─", "-"),
        **dict.fromkeys("～〜∼", "~"),
        "。": ".",
        "、": ",",
        "·": "・",
    }
)
_MARKUP = re.compile(
    r"""
    # the address of a link; a footnote mark; emphasis, code, link delimiters and square brackets;
    # prefixes of quotes, lists and headings; an escaping backslash; blanks
    (?P<target>(?<=\])\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"\n]*")?\))
    | (?P<note>\[\^[^\]\s]+\])
    | (?P<mark>[*`\[\]【】〔〕﹝﹞［］]|~~|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9]))
    | (?P<prefix>(?m:^)[ \t]*(?:(?:>|[-+]|\#{1,6}|\d{1,3}[.)])[ \t]+)+)
    | (?P<escape>\\(?=[!-/:-@\[-`{-~]))
    | (?P<blank>\s+)""",
    re.VERBOSE,
)
_TIGHT = re.compile(rf"[{HAN}\u3000-\u303f\uff00-\uff65.,;:!?()\"'\[\]]")


def fold(text: str) -> tuple[str, list[int]]:
    """The text for comparing, and for each of its characters the offset in `text` that it came from.

    NFKC, one form for quote marks, dashes and stops, no Markdown marks, runs of blanks as one blank and none beside a
    Han character or punctuation. Case stays.
    """
    folded: list[str] = []
    places: list[int] = []
    at = 0
    for found in _MARKUP.finditer(text):
        _take(text, at, found.start(), folded, places)
        at = found.end()
        if found.lastgroup in ("blank", "prefix") and folded and folded[-1] != " ":
            folded.append(" ")
            places.append(found.start())
    _take(text, at, len(text), folded, places)
    return _without_loose_blanks(folded, places)


def _take(text: str, start: int, end: int, folded: list[str], places: list[int]) -> None:
    part = text[start:end]
    if unicodedata.is_normalized("NFKC", part):
        folded.extend(part.translate(_SAME))
        places.extend(range(start, end))
        return
    while start < end:
        stop = start + 1
        while stop < end and unicodedata.combining(text[stop]):
            stop += 1
        for character in unicodedata.normalize("NFKC", text[start:stop]).translate(_SAME):
            folded.append(character)
            places.append(start)
        start = stop


def _without_loose_blanks(folded: list[str], places: list[int]) -> tuple[str, list[int]]:
    kept = [
        index
        for index, character in enumerate(folded)
        if character != " "
        or (0 < index < len(folded) - 1 and not _TIGHT.match(folded[index - 1]) and not _TIGHT.match(folded[index + 1]))
    ]
    return "".join(folded[index] for index in kept), [places[index] for index in kept]
