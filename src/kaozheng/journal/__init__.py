"""The journal: what is written down about a run (record, events, answers, lease) and the ports that keep it."""

from __future__ import annotations

from kaozheng.journal.event import Event, EventKind, withheld
from kaozheng.journal.lease import Holder, Leases
from kaozheng.journal.ledger_entry import LedgerEntry
from kaozheng.journal.outcome import Outcome, Reopening
from kaozheng.journal.run import RunRecord, RunStatus, run_id
from kaozheng.journal.scope import task_at_work, within_task
from kaozheng.journal.store import RunStore

__all__ = [
    "Event",
    "EventKind",
    "Holder",
    "Leases",
    "LedgerEntry",
    "Outcome",
    "Reopening",
    "RunRecord",
    "RunStatus",
    "RunStore",
    "run_id",
    "task_at_work",
    "withheld",
    "within_task",
]
