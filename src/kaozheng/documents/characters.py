"""Han characters; and characters that no document needs and no reader sees: they steer terminals, or turn the order."""

from __future__ import annotations

import re
from typing import Final

HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
"""Han characters, for a character class of a pattern."""
_BIDI: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNSEEN = re.compile(rf"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f{_BIDI}\ufff9-\ufffb\U000e0000-\U000e007f]")
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")


def without_controls(text: str) -> str:
    """`text` without terminal sequences, control characters (tab and line end stay), bidirectional controls and tag
    characters; a lone carriage return is a line end."""
    if text.isprintable():
        return text
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNSEEN.sub("", _ESCAPE.sub("", plain))
