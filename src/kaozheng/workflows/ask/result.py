"""AskResult: what became of a question, in plain values that any door can print."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from kaozheng.models.answer import Answered

Status = Literal["answered", "refused", "clarify", "failed"]


@dataclass(frozen=True, slots=True)
class AskResult:
    """`answer` is Markdown with marks ([E1]); each mark leads to the entry of `citations` with its label: {label, base,
    document, title, path, lines [first, last], quote, score, place}, `place` being page, slide or sheet. `code` is ""
    or why there is no better answer (model_output_empty, model_output_limit, answer_validation_failed, no_evidence,
    evidence_insufficient, retrieval_failed, targets_missing). `by` says who answered, `reason` why not the model.
    `interaction` is None when the record could not be kept. `timings` are seconds: intake_s, plan_s, prepare_s,
    generate_s, ground_s, deliver_s, first_token_s, total_s. `searched` are the queries that were made."""

    status: Status
    answer: str
    code: str = ""
    task: dict[str, Any] = field(default_factory=dict)
    evidence_state: str = "empty"
    citations: list[dict[str, Any]] = field(default_factory=list)
    grounding: dict[str, Any] = field(default_factory=dict)
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    by: Answered = "offline"
    reason: str = ""
    session: str = ""
    interaction: str | None = None
    follow_ups: list[str] = field(default_factory=list)
    searched: list[str] = field(default_factory=list)
    usage: dict[str, int] = field(default_factory=dict)
    timings: dict[str, float] = field(default_factory=dict)
    warnings: list[dict[str, str]] = field(default_factory=list)

    @property
    def refused(self) -> bool:
        """Whether the answer says that the sources do not hold it; then there are no citations."""
        return self.status == "refused"

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values only."""
        return asdict(self)
