"""What a title must look like, whoever made it: one line, no number, no end mark, short."""

from __future__ import annotations

import re
import unicodedata

from kaozheng.documents.headings import is_name, strip_numbering

_WIDTH = 60
_END_MARKS = "。．.，,；;：:！!、…~～—- \t"
_OPENERS = {"（": "）", "(": ")", "【": "】", "[": "]", "“": "”", "《": "》", "「": "」", "`": "`"}
_MARKUP = re.compile(r"(__[A-Za-z0-9]\w*?__)|^#{1,6}\s+|^[>*+-]\s+|\*\*|__|(?<=\S)\s+#+$", re.ASCII)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|\[\^[^\]]*\]")
_PAUSE = re.compile(r"[，。；：、,;:（(—]| - |\s")
_UNSEEN = frozenset("\u200b\u2060\ufeff")


def clean_title(title: str) -> str:
    """A heading without number, markup, end mark and line breaks, at most 60 columns (30 Han characters); may be "".

    What is too long ends at its last pause; "…" would be an end mark. The name of a file or folder of code
    stays as it is.
    """
    seen = "".join(sign for sign in unicodedata.normalize("NFC", title) if sign not in _UNSEEN)
    line = " ".join("".join(" " if _is_control(sign) else sign for sign in seen).split())
    if is_name(line):
        return line
    text = strip_numbering(_MARKUP.sub(r"\1", _LINK.sub(r"\1", line))).strip().rstrip(_END_MARKS)
    if not any(sign.isalnum() for sign in text):
        return ""
    return _shortened(text) if _width(text) > _WIDTH else text


def _is_control(sign: str) -> bool:
    return unicodedata.category(sign) in {"Cc", "Cs", "Cn", "Co"}


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WFA" else 1 for sign in text)


def _shortened(text: str) -> str:
    end = len(text)
    while _width(text[:end]) > _WIDTH:
        end -= 1
    pauses = [found.start() for found in _PAUSE.finditer(text, 0, end + 1) if found.start() >= end // 3]
    kept = text[: pauses[-1] if pauses else end]
    for opener, closer in _OPENERS.items():
        if kept.count(opener) > kept.count(closer) or (opener == closer and kept.count(opener) % 2):
            kept = kept[: kept.rfind(opener)] or kept
    return kept.rstrip(_END_MARKS)
