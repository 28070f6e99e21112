"""Gate 6: whether a person must look before the text leaves, and why: what stands in the queue is this report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from kaozheng.documents.span import Span
from kaozheng.gates.finding import Action, Gate, GateFinding, GateReport
from kaozheng.gates.ground import Ground
from kaozheng.gates.report_types import ReviewWhen, report_type
from kaozheng.indicators.reason import Reason

_PENDING: Final = re.compile(
    r"〔待(?:核|核验|核实|补|补数)〕|待核验|待核实|需实地核验|\(an association only, to be verified on site\)"
)
_ADVANTAGE: Final = re.compile(
    r"(?:显著|明显|突出|较强|具备|具有|形成)[^，。；\n]{0,6}(?:比较|竞争)?优势|\bcomparative advantage\b", re.IGNORECASE
)
_PRIORITY: Final = re.compile(r"优先(?:顺序|序|级|排序|推进|招引|引进|发展)|首选|排序|\bpriorit\w+\b", re.IGNORECASE)
_AUTHORITY: Final = re.compile(
    r"(?:职责|权责|事权|财权|编制|机构|体制|管理权限)[^，。；\n]{0,8}(?:调整|改革|划转|下放|上收|整合|理顺)"
    r"|\breform\w*\b",
    re.IGNORECASE,
)
_CAUSES: Final = frozenset(
    {
        "cause-carried",
        "cause-carried-amber",
        "cause-without-result",
        "result-other-outcome",
        "result-other-region",
        "result-other-direction",
        "result-not-significant",
        "result-not-ready",
    }
)
_IN_TEXT: Final = (
    (ReviewWhen.ADVANTAGE, _ADVANTAGE, Reason("比较优势判断须由专家背书", "An expert must back a claim of advantage.")),
    (
        ReviewWhen.PRIORITY,
        _PRIORITY,
        Reason("项目优先次序须经部门确认", "Departments must confirm an order of projects."),
    ),
    (ReviewWhen.AUTHORITY, _AUTHORITY, Reason("权责表述须人工核验", "A person must check what is said of powers.")),
)


def release(text: str, ground: Ground, earlier: Sequence[GateReport] = ()) -> GateReport:
    """Whom the text must wait for. `earlier` are the reports of the gates before, whose findings count here."""
    when = report_type(ground.report_type).review_when if ground.report_type else frozenset()
    found = [*_always(text, ground, when), *_pending(text), *_of_earlier(earlier, when)]
    for kind, form, reason in _IN_TEXT:
        if kind in when and (place := form.search(text)):
            found.append(_asked(f"review-{kind}", text, Span(*place.span()), reason))
    return GateReport(Gate.RELEASE, tuple(sorted(found, key=lambda one: one.span)), text)


def _always(text: str, ground: Ground, when: frozenset[ReviewWhen]) -> Iterator[GateFinding]:
    whole = Span(0, 0)
    if ReviewWhen.ALWAYS in when:
        asked = report_type(ground.report_type)
        reason = Reason(f"《{asked.zh}》须人工复核（{asked.review}）", f"{asked.en}: {asked.review}.")
        yield _asked("review-always", text, whole, reason)
    if ground.for_public and (ReviewWhen.PUBLIC in when or not ground.report_type):
        yield _asked(
            "review-public", text, whole, Reason("对外发布前须人工复核", "A person looks before the public does.")
        )


def _pending(text: str) -> Iterator[GateFinding]:
    """The first place that waits for verification; the reason says how many there are."""
    places = list(_PENDING.finditer(text))
    if places:
        reason = Reason(f"有{len(places)}处待核验", f"{len(places)} places wait for verification.")
        yield _asked("review-pending", text, Span(*places[0].span()), reason)


def _of_earlier(earlier: Sequence[GateReport], when: frozenset[ReviewWhen]) -> Iterator[GateFinding]:
    findings = [finding for report in earlier for finding in report.findings]
    amber = next((one for one in findings if one.code == "cause-carried-amber"), None)
    if amber:
        reason = Reason("模型结果识别条件为黄色，须人工确认", "A result of amber readiness needs a person's consent.")
        yield GateFinding(Gate.RELEASE, "review-amber", Action.ASK, amber.span, amber.quote, reason, rows=amber.rows)
    cause = next((one for one in findings if one.code in _CAUSES), None)
    if cause and ReviewWhen.CAUSE in when:
        reason = Reason("因果表述须人工核验", "A person must check what is said of causes.")
        yield GateFinding(Gate.RELEASE, "review-cause", Action.ASK, cause.span, cause.quote, reason, rows=cause.rows)


def _asked(code: str, text: str, span: Span, reason: Reason) -> GateFinding:
    return GateFinding(Gate.RELEASE, code, Action.ASK, span, text[span.start : span.end], reason)
