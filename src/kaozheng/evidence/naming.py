"""Whether a text names what a name names, in full or in a usual shorter form."""

from __future__ import annotations

import re

from kaozheng.evidence.folding import HAN, narrow
from kaozheng.evidence.proper_names import TITLE
from kaozheng.evidence.quotes import features

_HAN = re.compile(f"[{HAN}]")
_BEFORE = re.compile(
    r"^(?:[全本该我各]?[省市县区州乡镇村]|中国|国家|[\u3400-\u9fff]{2,3}[省市县区州])(?=[\u3400-\u9fff]{3})"
)
_KIND = re.compile(r"(?:股份|有限|责任|集团|总|分)*(?:公司|集团|合作社|银行)$")
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9.&'’+-]*")
_JOIN_WORDS = "of the and for de la von van der du dr mr mrs ms st prof sir"
_JOINS = frozenset(_JOIN_WORDS.split())
_FEWEST = 2


def names_name(name: str, text: str) -> bool:
    """Whether `text` has the name: word for word apart from width and case; a person without the title; a firm without
    its legal form; the telling words or the initials of a Latin name."""
    plain, wanted = narrow(text).casefold(), narrow(name).casefold()
    if wanted in plain:
        return True
    return _short_chinese(wanted, plain) if _HAN.search(wanted) else _short_latin(name, plain, text)


def _short_chinese(wanted: str, plain: str) -> bool:
    if wanted[0] == "《":
        return wanted[1:-1] in plain
    core = TITLE.sub("", wanted) or wanted
    core = _BEFORE.sub("", core)
    for form in (core, _KIND.sub("", core)):
        if len(form) >= _FEWEST and form in plain:
            return True
    # 市发展和改革委员会, 市发改委: too many ways to shorten an office; most of its pairs must stand there.
    twos = features(core)
    return len(core) > 5 and sum(two in "".join(plain.split()) for two in map(_joined, twos)) >= 0.6 * len(twos)


def _joined(pair: str) -> str:
    return pair.replace(" ", "")


def _short_latin(name: str, plain: str, text: str) -> bool:
    words = [word for word in _WORD.findall(narrow(name)) if word.casefold() not in _JOINS]
    said = {word.casefold().strip(".'’") for word in _WORD.findall(plain)}
    said |= {word.removesuffix("'s").removesuffix("’s") for word in said}
    if not words:
        return True
    initials = "".join(word[0] for word in words)
    if len(words) > 1 and (
        re.search(rf"(?<![A-Za-z0-9]){re.escape(initials)}(?![A-Za-z0-9])", text) or words[-1].casefold() in said
    ):
        return True
    return sum(word.casefold() in said for word in words) * 2 >= len(words) + (len(words) == 1)
