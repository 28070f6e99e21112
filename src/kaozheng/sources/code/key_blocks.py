"""Private keys written as blocks of lines. The text is gone through once, however many blocks begin in it."""

from __future__ import annotations

import re

from kaozheng.sources.code.secret_values import blanked

_BEGIN = re.compile(r"-{4,5} ?BEGIN [A-Z0-9 ]{0,40}?PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = re.compile(r"-{4,5} ?END [A-Z0-9 ]{0,40}?PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_KEY_LINE = re.compile(r"\W*+(?:[A-Za-z0-9+/=]++\W*+|[A-Za-z-]++: .*)?")
_KEY_LINES = 200  # a block without its end is masked this far, as long as its lines look like a key
_PUTTY = re.compile(r"(Private-Lines: \d{1,4}\n)((?:[A-Za-z0-9+/=]{1,100}+\n?){1,400}+)")


def without_key_blocks(text: str) -> str:
    """Every line of a block masked; also when it stands in one line with `\\n` written out, or its end is missing."""
    parts: list[str] = []
    at, endless = 0, False
    while begin := _BEGIN.search(text, at):
        end = None if endless else _END.search(text, begin.end())
        endless = end is None  # none follows the later ones either
        until = end.end() if end else _end_of_lines(text, begin.end())
        parts += (text[at : begin.start()], blanked(text[begin.start() : until]))
        at = until
    text = "".join(parts) + text[at:]
    return _PUTTY.sub(lambda found: found[1] + blanked(found[2]), text) if "Private-Lines:" in text else text


def _end_of_lines(text: str, at: int) -> int:
    """Where the lines end that look like a key."""
    until = _line_end(text, at)
    for _ in range(_KEY_LINES):
        following = _line_end(text, until + 1)
        line = text[until + 1 : following]
        if until >= len(text) or _BEGIN.search(line) or not _KEY_LINE.fullmatch(line):
            break
        until = following
    return until


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
