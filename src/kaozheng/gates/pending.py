"""What is left of a text when its writer could not mend it: figures and references that do not hold become 〔待核〕."""

from __future__ import annotations

from collections.abc import Iterable

from kaozheng.documents.edits import TextEdit, apply_edits
from kaozheng.gates.finding import Action, Gate, GateFinding, GateReport

PENDING = "〔待核〕"
_MARKED = (Gate.NUMBERS, Gate.EVIDENCE)


def with_pending(text: str, reports: Iterable[GateReport]) -> tuple[str, tuple[GateFinding, ...]]:
    """The text with 〔待核〕 in place of all that gates 1 and 2 sent back, and the list of what stood there.

    `text` is the one that those gates were given. Where findings overlap the longer one, then the first is listed.
    """
    sent_back = [
        finding
        for report in reports
        if report.gate in _MARKED
        for finding in report.findings
        if finding.action is Action.SEND_BACK and len(finding.span)
    ]
    listed: list[GateFinding] = []
    for finding in sorted(sent_back, key=lambda one: (-len(one.span), one.span)):
        if not any(finding.span.overlaps(other.span) for other in listed):
            listed.append(finding)
    listed.sort(key=lambda one: one.span)
    return apply_edits(text, [TextEdit(one.span, PENDING) for one in listed]), tuple(listed)
