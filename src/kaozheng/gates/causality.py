"""Gate 3: a cause needs a test, a promise needs an authority, a rank is no verdict. Code puts milder words there.

The text goes on as rewritten. Every finding that rewrites has the characters that it replaces as its span: applying the
replacements of the report to the text gives the text of the report.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from kaozheng.documents.edits import TextEdit, apply_edits
from kaozheng.documents.span import Span
from kaozheng.gates.carried_claims import Results
from kaozheng.gates.causes import Cause, causes
from kaozheng.gates.causes_english import causes_in_english
from kaozheng.gates.finding import Action, Gate, GateFinding, GateReport
from kaozheng.gates.ground import Ground
from kaozheng.gates.places import QUOTATION, PolicyWords, shielded
from kaozheng.gates.promises import promises
from kaozheng.gates.verdicts import verdicts
from kaozheng.indicators.reason import Reason

_PROMISED: Final = Reason(
    "承诺超出本文权限，须由主管部门批复", "The promise is not the author's to make; an authority decides."
)
_JUDGED: Final = Reason("排名、等次不得作为定性结论", "A rank or grade is no verdict.")
_QUOTED: Final = Reason(
    "引语中的因果判断不是依据，引语不得改动，由人决定", "A cause told in a quotation is no evidence; a person decides."
)
_MARKED: Final = Reason("补注：属于关联，不是因果", "Marked as an association.")


def causality(text: str, ground: Ground) -> GateReport:
    """The text with untested causes, promises and verdicts put in milder words."""
    policies = PolicyWords(ground.policies)
    plain = shielded(text, policies)
    found: list[GateFinding] = []
    taken: set[int] = set()
    groups = (
        _promises(text, plain, policies),
        _verdicts(text, plain, policies),
        _causes(text, plain, ground, policies),
    )
    for one in chain(*groups):
        if taken.isdisjoint(characters := _characters(one.span)):
            found.append(one)
            taken.update(characters if one.replacement is not None else ())
    found.sort(key=lambda one: (one.span, one.action is not Action.REWRITE))
    edits = [TextEdit(one.span, one.replacement) for one in found if one.replacement is not None]
    return GateReport(Gate.CAUSALITY, tuple(found), apply_edits(text, edits))


def _characters(span: Span) -> range:
    """The offsets of a span; of an empty one that of the character before it, whose clause it ends."""
    return range(span.start, span.end) if len(span) else range(max(0, span.start - 1), span.start)


def _promises(text: str, plain: str, policies: PolicyWords) -> Iterator[GateFinding]:
    for promise in promises(plain, policies):
        yield _rewritten("promise", text, promise.span, _PROMISED, promise.instead)


def _verdicts(text: str, plain: str, policies: PolicyWords) -> Iterator[GateFinding]:
    for span, instead in verdicts(plain, policies):
        yield _rewritten("rank-as-verdict", text, span, _JUDGED, instead)


def _causes(text: str, plain: str, ground: Ground, policies: PolicyWords) -> Iterator[GateFinding]:
    results = Results(ground)
    found = sorted(
        (*causes(plain, results, policies), *causes_in_english(plain, results)), key=lambda cause: cause.span
    )
    words = {cause.span.start for cause in found if not cause.carried.result and cause.edits[0].replacement == "与"}
    ends: set[int] = set()
    quoted = {at for one in QUOTATION.finditer(plain) for at in range(*one.span())} if found else set()
    for cause in found:
        if cause.carried.result:
            yield _carried(text, cause)
            continue
        if cause.span.start in quoted:
            quote = text[cause.span.start : cause.span.end]
            yield GateFinding(Gate.CAUSALITY, "cause-in-quotation", Action.ASK, cause.span, quote, _QUOTED)
            continue
        for index, edit in enumerate(cause.edits):
            at = edit.span.start
            if not len(edit.span) and (at in ends or at + 1 in words):
                continue  # the same clause has its formula, or the next clause goes on with one more effect
            ends.update(() if len(edit.span) else (at,))
            code, reason = (cause.carried.code, cause.carried.reason) if not index else ("cause-marked", _MARKED)
            yield _rewritten(code, text, edit.span, reason, edit.replacement)


def _carried(text: str, cause: Cause) -> GateFinding:
    result = cause.carried.result
    assert result is not None
    said = Reason(
        f"有模型结果{result.id}支持（{result.family}，{result.readiness}）：{result.limits}".rstrip("："),
        f"Result {result.id} stands behind it ({result.family}, {result.readiness}).",
    )
    quote = text[cause.span.start : cause.span.end]
    code = "cause-carried" if result.readiness == "green" else "cause-carried-amber"
    return GateFinding(Gate.CAUSALITY, code, Action.NOTE, cause.span, quote, said, rows=(result.id,))


def _rewritten(code: str, text: str, span: Span, reason: Reason, instead: str) -> GateFinding:
    quote = text[span.start : span.end]
    return GateFinding(Gate.CAUSALITY, code, Action.REWRITE, span, quote, reason, replacement=instead)
