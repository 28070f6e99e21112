"""Full-width punctuation in Chinese prose.

What:   One of , . ; : ! ? follows Han text, or , ; stands between a foreign word and Han text. Numbers, times, file
        names and English stay half-width.
Why:    Half-width marks sit badly between Han characters; both public guides ask for full-width ones.
Bad:    先安装依赖,再启动服务.
Good:   先安装依赖，再启动服务。
Fix:    safe: the full-width mark; one blank after it goes when Han text or the end follows
Settings: brackets = "keep" ("full": brackets around or after Han text become full-width too)
Source: Chinese Copywriting Guidelines, "使用全形中文標點"
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.edits import TextEdit
from kaozheng.documents.prose import Prose
from kaozheng.rules.check import Check, Context, Finding, finding
from kaozheng.rules.script import CLOSING, after, before, has_han, is_han, is_latin

_RUN = re.compile(r"[!?]+|[,.;:]+")
_BRACKET = re.compile(r"[()]")
_FULL = str.maketrans(",.;:!?()", "，。；：！？（）")
_LOOK_THROUGH = "0123456789%°℃ "
_ENDS = "\n "


def check(context: Context) -> Iterator[Finding]:
    """One finding for each mark (a run of ! and ? is one), and for each pair of brackets when asked."""
    for prose in context.document.prose:
        if not has_han(prose.masked):
            continue
        for run in _RUN.finditer(prose.masked):
            if (len(run[0]) == 1 or run[0][0] in "!?") and _is_chinese(prose.masked, run):
                yield _mark(context, prose, run)
        if context.settings["brackets"] == "full":
            yield from _brackets(context, prose)


def _is_chinese(masked: str, run: re.Match[str]) -> bool:
    """Whether the nearest letter before the mark is Han and what follows does not make it part of something else; or
    the mark of a clause stands between a foreign word and Han text that touches it (`部署到 k8s,然后重启`)."""
    start, end = run.span()
    if run[0] in ",;" and is_han(after(masked, end)) and masked[start - 1 : start].strip():
        return True
    mark, touching, following = run[0][0], masked[start - 1 : start] if start else "", after(masked, end)
    letter = before(masked, start, "" if mark in ".:" and touching != " " else _LOOK_THROUGH)
    if letter < 0 or not is_han(masked[letter]):
        return False
    closes = following == "" or following in _ENDS or following in CLOSING or is_han(following)
    if touching == " ":
        smiley = mark in ":;" and following in ("(", ")", "-")
        return closes and not smiley and not masked[letter + 1 : start].strip(" ")
    if mark in ".:":
        return closes
    beyond = after(masked, end, " ")
    return not (touching.isdigit() and (beyond.isdigit() or is_latin(beyond)))


def _mark(context: Context, prose: Prose, run: re.Match[str]) -> Finding:
    full = run[0].translate(_FULL)
    message = context.say(f"中文句子中的“{run[0]}”应为“{full}”", f"{run[0]!r} in Chinese prose should be {full!r}.")
    end = run.end()
    blank = prose.masked[end : end + 1] == " " and after(prose.masked, end + 1)
    drop = blank == "" or (isinstance(blank, str) and (is_han(blank) or blank == "\n"))
    edit = TextEdit(prose.sub(run.start(), end + 1 if drop else end), full)
    return finding(prose.sub(run.start(), edit.span.end - prose.span.start), message, [edit])


def _brackets(context: Context, prose: Prose) -> Iterator[Finding]:
    masked, opened = prose.masked, []
    for bracket in _BRACKET.finditer(masked):
        if bracket[0] == "(":
            opened.append(bracket.start())
        elif opened:
            start, end = opened.pop(), bracket.start()
            letter = before(masked, start, " ")
            if has_han(masked[start:end]) or (letter >= 0 and is_han(masked[letter])):
                yield _pair(context, prose, start, end)


def _pair(context: Context, prose: Prose, start: int, end: int) -> Finding:
    masked = prose.masked
    left = start - 1 if masked[start - 1 : start] == " " and is_han(masked[start - 2 : start - 1]) else start
    right = end + 2 if masked[end + 1 : end + 2] == " " and is_han(masked[end + 2 : end + 3]) else end + 1
    edits = [TextEdit(prose.sub(left, start + 1), "（"), TextEdit(prose.sub(end, right), "）")]
    message = context.say("中文句子中的括号应为全角", "Brackets in Chinese prose should be full-width.")
    return finding(prose.sub(left, right), message, edits)


CHECK = Check(
    "full-width-punctuation",
    family="typography_and_symbols",
    run=check,
    fix="safe",
    settings={"brackets": "keep"},
    choices={"brackets": ("keep", "full")},
    order=22,
)
