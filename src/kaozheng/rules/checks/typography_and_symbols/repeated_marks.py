"""No repeated punctuation.

What:   A full-width mark of ！？。，、；： follows itself, or !! or ?? follows Han text. ？！ and ！？ may stand
        once.
Why:    Repetition adds emphasis that technical prose does not need; repeated commas are slips.
Bad:    千万不要这样做！！
Good:   不要这样做！
Fix:    safe: one of them stays
Settings: none
Source: Chinese Copywriting Guidelines, "不重複使用標點符號"
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.edits import TextEdit
from kaozheng.rules.check import Check, Context, Finding, finding
from kaozheng.rules.script import before, is_han

_RUN = re.compile(r"[！？!?]{2,}|([。，、；：])\1+")
_SAME = re.compile(r"([！!])[！!]+|([？?])[？?]+")


def check(context: Context) -> Iterator[Finding]:
    """One finding for each run of marks that says more than once what one mark says."""
    for prose in context.document.prose:
        for run in _RUN.finditer(prose.masked):
            once = _once(run[0])
            if once != run[0] and (not run[0].isascii() or _after_han(prose.masked, run.start())):
                place = prose.sub(*run.span())
                message = context.say(f"标点“{run[0]}”重复", f"The mark {run[0]!r} is repeated.")
                yield finding(place, message, [TextEdit(place, once)])


def _once(run: str) -> str:
    """The run without repetitions: at most one question and one exclamation mark, in the order written."""
    if run[0] not in "！？!?":
        return run[0]
    return _SAME.sub(lambda same: same[1] or same[2], run)[:2]


def _after_han(masked: str, start: int) -> bool:
    letter = before(masked, start)
    return letter >= 0 and is_han(masked[letter])


CHECK = Check("repeated-marks", family="typography_and_symbols", run=check, fix="safe", order=24)
