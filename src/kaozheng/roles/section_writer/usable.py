"""Whether a model's text can be a section at all. What cannot is treated like an empty answer: told to the model, and
written by the twin when the model does not better itself.

It is a judgement of form, on the safe side: a short sentence, a table, a piece of code are sections. What they say is
judged elsewhere, against the evidence.
"""

from __future__ import annotations

import re
from typing import Final

MOST_CHARS: Final = 40_000
"""The evidence of a section is about as long at most: what is longer repeats itself or copies something else."""
_LONGEST_WORD: Final = 2_000  # no address, no identifier and no number is longer
_ENOUGH: Final = 100
_TIMES_EACH: Final = 50  # a text whose words or lines stand there so often on average says nothing new

_CODE = re.compile(r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*(?P=fence)[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_ROW = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_LABEL = re.compile(r"\[\^?E?\d+\]")
_RUN = re.compile(rf"[!-~]{{{_LONGEST_WORD},}}")
_DEEP = re.compile(r"^(?:[ \t]*>){20}", re.MULTILINE)
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_]+")


def unusable(text: str) -> str:
    """Why `text` is no section, "" when it may be one."""
    if len(text) > MOST_CHARS:
        return f"the section has {len(text)} characters; it may have {MOST_CHARS} at most"
    if not _WORD.search(_LABEL.sub("", text)):
        return "the section holds no words, only marks"
    prose = _ROW.sub("", _CODE.sub("", text))
    if _RUN.search(prose):
        return f"the section holds a word of more than {_LONGEST_WORD} characters"
    if _DEEP.search(prose):
        return "the section holds quotes within quotes without end"
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    for parts, what in ((_WORD.findall(prose.casefold()), "words"), (lines, "lines")):
        if len(parts) >= _ENOUGH and len(parts) > _TIMES_EACH * len(set(parts)):
            return f"the section repeats itself: {len(parts)} {what}, {len(set(parts))} of them different"
    return ""
