"""When there is nothing to generate from, whatever the task: no evidence, or none that answers."""

from __future__ import annotations

from kaozheng.workflows.ask import wording
from kaozheng.workflows.ask.handlers.handler import Judged
from kaozheng.workflows.ask.state import Direct

NO_EVIDENCE = "no_evidence"
NOT_ENOUGH = "evidence_insufficient"
FAILED = "retrieval_failed"


def nothing_found(judged: Judged) -> Direct | None:
    """The refusal: a search that failed is not the same as one that found nothing."""
    if judged.bundle.state == "error":
        return Direct("refused", FAILED, wording.failed(judged.language, judged.searched, judged.bases))
    if judged.bundle.items and judged.enough:
        return None
    code = NOT_ENOUGH if judged.bundle.items else NO_EVIDENCE
    return Direct("refused", code, wording.refused(judged.language, judged.searched, judged.bases))
