"""The six gates in their order, and what follows from all that they found.

A workflow hands its draft over with the ground and goes by the status:

    passage = pass_gates(draft, ground)
    match passage.status:
        case Status.SEND_BACK:            # the writer mends what passage.feedback("zh") lists; retries used up:
            draft, listed = with_pending(draft, passage.reports)   # 〔待核〕 there, and once more through the gates
        case Status.BLOCKED:              # stop and alert; passage.text must not be stored with what leaves
        case Status.NEEDS_HUMAN_REVIEW:   # passage.text waits in the queue; passage.reason says why
        case Status.SUCCEEDED:            # passage.text leaves

All gates look at every draft, so that a writer hears of everything at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from kaozheng.documents.edits import TextEdit
from kaozheng.documents.span import Span
from kaozheng.gates.causality import causality
from kaozheng.gates.evidence import evidence
from kaozheng.gates.finding import Action, Gate, GateFinding, GateReport
from kaozheng.gates.ground import Ground
from kaozheng.gates.numbers import numbers
from kaozheng.gates.release import release
from kaozheng.gates.rewriting import Rewriting
from kaozheng.gates.sensitive import sensitive
from kaozheng.gates.structure import structure
from kaozheng.indicators.reason import Reason


class Status(StrEnum):
    """What becomes of a draft."""

    SUCCEEDED = "succeeded"
    NEEDS_HUMAN_REVIEW = "needs_human_review"
    SEND_BACK = "send_back"
    BLOCKED = "blocked"


_FOLLOWS: Final = (
    (Action.BLOCK, Status.BLOCKED),
    (Action.SEND_BACK, Status.SEND_BACK),
    (Action.ASK, Status.NEEDS_HUMAN_REVIEW),
)
_SAYS: Final = {
    Status.SUCCEEDED: Reason("六道门禁全部通过", "All six gates are passed"),
    Status.NEEDS_HUMAN_REVIEW: Reason("须人工复核", "A person must look at it"),
    Status.SEND_BACK: Reason("打回修改", "To be mended"),
    Status.BLOCKED: Reason("阻断并告警", "Blocked"),
}
_NAMES: Final = {
    Gate.NUMBERS: Reason("数字门禁", "numbers"),
    Gate.EVIDENCE: Reason("证据门禁", "evidence"),
    Gate.CAUSALITY: Reason("逻辑因果门禁", "causality"),
    Gate.STRUCTURE: Reason("结构门禁", "structure"),
    Gate.SENSITIVE: Reason("敏感门禁", "sensitive content"),
    Gate.RELEASE: Reason("发布门禁", "release"),
}
_GATES: Final[tuple[Callable[[str, Ground], GateReport], ...]] = (numbers, evidence, causality, structure, sensitive)
"""Those that need nothing but the text and the ground; release also hears what they found."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A draft's way through the gates: `original` as it came, `text` as it left, one report for each gate."""

    original: str
    text: str
    reports: tuple[GateReport, ...]
    _origins: tuple[Rewriting, ...] = field(default=(), repr=False)

    @property
    def findings(self) -> tuple[GateFinding, ...]:
        """What all gates found, in the order of the gates."""
        return tuple(finding for report in self.reports for finding in report.findings)

    @property
    def status(self) -> Status:
        """The gravest that follows from a finding."""
        actions = {finding.action for finding in self.findings}
        return next((status for action, status in _FOLLOWS if action in actions), Status.SUCCEEDED)

    @property
    def reason(self) -> Reason:
        """The status in words, with what led to it."""
        action = next((action for action, status in _FOLLOWS if status is self.status), None)
        why = tuple(finding for finding in self.findings if finding.action is action)
        says = _SAYS[self.status]
        zh = "；".join(dict.fromkeys(f"{_NAMES[one.gate].zh}：{one.reason.zh}" for one in why))
        en = " ".join(dict.fromkeys(f"{_NAMES[one.gate].en}: {one.reason.en}" for one in why))
        return Reason(f"{says.zh}：{zh}" if why else says.zh, f"{says.en}: {en}" if why else says.en)

    def feedback(self, language: str) -> list[str]:
        """What a writer must mend, a line each: the gate, the words, the reason."""
        return [
            f"{_NAMES[one.gate].said(language)}：“{one.quote}” {one.reason.said(language)}"
            if language == "zh"
            else f"{_NAMES[one.gate].en}: {one.quote!r} {one.reason.en}"
            for one in self.findings
            if one.action is Action.SEND_BACK
        ]

    def origin(self, finding: GateFinding) -> Span:
        """Where the finding's characters come from in the original."""
        span = finding.span
        for gate, rewriting in zip(reversed(self.reports), reversed(self._origins), strict=True):
            if gate.gate < finding.gate:
                span = rewriting.origin(span)
        return span

    def as_dict(self) -> dict[str, Any]:
        """For reports: plain values only. `origin` is where a finding's words come from in the original."""
        return {
            "status": self.status.value,
            "reason": {"zh": self.reason.zh, "en": self.reason.en},
            "text": self.text if self.status is not Status.BLOCKED else None,
            "gates": [
                {
                    "gate": int(report.gate),
                    "name": {"zh": _NAMES[report.gate].zh, "en": _NAMES[report.gate].en},
                    "passed": report.passed,
                    "findings": [self._told(finding) for finding in report.findings],
                }
                for report in self.reports
            ],
        }

    def _told(self, finding: GateFinding) -> dict[str, Any]:
        origin = self.origin(finding)
        return {**finding.as_dict(), "origin": [origin.start, origin.end]}


def pass_gates(text: str, ground: Ground) -> Passage:
    """Send a draft through all gates; each is given the text as the one before left it.

    Raises InputError for a report type that there is not.
    """
    reports: list[GateReport] = []
    now = text
    for gate in _GATES:
        reports.append(gate(now, ground))
        now = reports[-1].text
    reports.append(release(now, ground, reports))
    return Passage(text, now, tuple(reports), tuple(Rewriting(_edits(report)) for report in reports))


def _edits(report: GateReport) -> list[TextEdit]:
    return [TextEdit(one.span, one.replacement) for one in report.findings if one.replacement is not None]
