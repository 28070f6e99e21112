"""Whether a full stop in Latin script ends a sentence: abbreviations, initials, numbering, lower-case names."""

from __future__ import annotations

import re

_WORD_BEFORE = 40


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_TITLES = _words("Mr Mrs Ms Mx Dr Prof St Gen Rep Sen Gov Capt Lt Col Sgt Rev Hon Pres Messrs Mt Ft")
_NEVER = _words("vs cf viz approx ca e.g i.e eg ie incl excl resp esp assn bros")
_BEFORE_NUMBER = _words(
    "no nos fig figs eq eqs sec secs ch chap vol vols pp p art arts tab ref refs app ex def thm lem prop nr par "
    "para ed eds ver v rev jan feb mar apr jun jul aug sep sept oct nov dec"
)
_MAYBE = _words("inc ltd co corp jr sr al llc plc dept ave blvd rd mon tue wed thu fri sat sun ph.d m.d b.a m.a")
_STARTERS = _words(
    "a an the this that these those it its he she we they you i there here in on at by for from to with without "
    "as if when while where what why how who which then thus so but and or however moreover therefore also "
    "after before since because although though not no yes all any some each every both most many our your his "
    "her their my see use please let do does did is are was were can could should will would may must once "
    "until during under over one two three first second next finally meanwhile instead otherwise"
)
_LOWER_NAMES = _words(
    "npm pip git pytest curl kubectl conda uv ruff mypy systemd bash zsh ssh sudo apt brew docker python node "
    "ffmpeg grep sed awk nginx redis etcd"
)
_TOKEN_BEFORE = re.compile(r"[A-Za-z][A-Za-z.'’\-&]*$")
_NUMBERING = re.compile(r"(?:\d{1,3}(?:\.\d{1,3}){0,4}|[A-Za-z]|[IVXLC]{1,6})$")
_NEXT_WORD = re.compile(r"[\"'“‘(\[*_\ue004]{0,4}([A-Za-z][A-Za-z0-9]{0,30}|\d)")
_SPEECH = re.compile(
    r"(?:[A-Z][a-z]+|[A-Z][a-z]+ [A-Z][a-z]+|the [a-z]+) (?:said|says|asked|asks|replied|replies|answered|shouted|cried"
    r"|added|wrote|whispered|exclaimed|noted)\b"
)
_LETTERS_WITH_DOTS = re.compile(r"[A-Za-z](?:\.[A-Za-z])+")


def is_speech_tag(text: str, position: int) -> bool:
    """Whether a quotation's speaker is named at `position`: `Tom asked`."""
    return _SPEECH.match(text, position) is not None


def starts_low(text: str, position: int) -> bool:
    """Whether the word at `position` can't begin a sentence because it is in lower case (`iOS` and `npm` can)."""
    found = _NEXT_WORD.match(text, position)
    if found is None or not found[1][0].islower():
        return False
    return found[1] == found[1].lower() and found[1] not in _LOWER_NAMES


def is_abbreviation(text: str, start: int, dot: int, following: int) -> bool:
    """Whether the dot at `dot` belongs to a word and does not end the sentence that began at `start`.

    `following` is where the next word stands.
    """
    before = text[max(start, dot - _WORD_BEFORE) : dot]
    if _NUMBERING.fullmatch(before.strip("\"'“‘(*_\ue004 ")):
        return True  # `1. Install`, `II. Methods`: the number of what follows
    found = _TOKEN_BEFORE.search(before)
    if found is None:
        return False
    token, low = found[0], found[0].lower().strip("'’-&")
    next_word = _NEXT_WORD.match(text, following)
    first = next_word[1] if next_word else ""
    if low in _NEVER or token in _TITLES:
        return True
    if low in _BEFORE_NUMBER:
        return first[:1].isdigit() or (len(first) == 1 and first.isupper() and first not in "AI")
    starter = first.lower() in _STARTERS or not first
    if len(token) == 1:
        return _is_initial(token, before[: found.start()], starter)
    if low in _MAYBE or _LETTERS_WITH_DOTS.fullmatch(token):
        return not starter
    return False


def _is_initial(letter: str, before: str, starter: bool) -> bool:
    """`J. Smith`; but `Plan B. Then` and `than I. He` end."""
    if not letter.isupper() or starter:
        return False
    words = before.split()
    return letter != "I" or not words or not words[-1].islower()
