"""Event: one line of a run's log, shown while it runs and kept after it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final


class EventKind(StrEnum):
    """What happened. Everything that happens in a run is told by these and nothing else: the journal, the progress of
    the command line and traces all read this one stream. `EVENT_DATA` says what each carries."""

    RUN_STARTED = "run_started"
    RUN_RESUMED = "run_resumed"
    STEP_STARTED = "step_started"
    STEP_FINISHED = "step_finished"
    CALL_STARTED = "call_started"
    CALL_FINISHED = "call_finished"
    TOKENS = "tokens"
    RETRY = "retry"
    NEXT_MODEL = "next_model"
    FALLBACK = "fallback"
    BUDGET = "budget"
    TOOL = "tool"
    NOTE = "note"
    RUN_FINISHED = "run_finished"
    RUN_STOPPED = "run_stopped"
    RUN_FAILED = "run_failed"


EVENT_DATA: Final[dict[EventKind, tuple[str, dict[str, str]]]] = {
    EventKind.RUN_STARTED: (
        "a run begins, also one that was forked",
        {"workflow": "its name", "topic": "what the run is called", "resumes": "how often it was resumed: 0"},
    ),
    EventKind.RUN_RESUMED: (
        "a run goes on",
        {
            "workflow": "its name",
            "topic": "what the run is called",
            "resumes": "how often it was resumed, now included",
        },
    ),
    EventKind.STEP_STARTED: (
        "a step of the graph begins",
        {"step": "its name", "task": "the id of this execution of it", "within?": "the graph around it, if any"},
    ),
    EventKind.STEP_FINISHED: (
        "a step ended",
        {
            "step": "its name",
            "task": "the id of this execution of it",
            "within?": "the graph around it, if any",
            "seconds?": "how long it took",
            "error?": "why it failed",
        },
    ),
    EventKind.CALL_STARTED: (
        "a model is asked",
        {
            "role": "who asks",
            "purpose": "what for; what happens to the call carries the same purpose",
            "asked": "who is asked, as PROVIDER:NAME",
            "task?": "the step's execution",
        },
    ),
    EventKind.CALL_FINISHED: (
        "a call ended, with an answer or without",
        {
            "role": "who asked",
            "purpose": "what for",
            "asked": "who was asked last, as PROVIDER:NAME",
            "model": "who answered, as the provider says",
            "usage": "{input_tokens, output_tokens, cached_tokens, calls, estimated}",
            "seconds": "how long it took",
            "finish": "why the answer ended; null without an answer",
            "error": "why there was no answer; null with one",
            "replayed": "whether it came from the ledger and cost nothing now",
            "failure": 'what follows without an answer: "fallback", "refused", "budget", "cancelled"; else ""',
            "task?": "the step's execution",
        },
    ),
    EventKind.TOKENS: (
        "what the run has used so far, after each call, earlier resumes included",
        {
            "input_tokens": "tokens read",
            "output_tokens": "tokens written",
            "calls": "calls that were begun, as the budget counts them",
            "money": "their price where the run has a limit of money, else 0",
        },
    ),
    EventKind.RETRY: (
        "a call failed and is sent again",
        {
            "purpose": "what the call is for",
            "attempt": "which attempt is next, from 2",
            "wait_s": "seconds until then",
            "error": "what went wrong, in a word or two",
            "task?": "the step's execution",
        },
    ),
    EventKind.NEXT_MODEL: (
        "a model failed for good and the next of the chain is asked",
        {
            "role": "who asks",
            "purpose": "what the call is for",
            "failed": "the model that failed",
            "instead": "the model that is asked now",
            "reason": "why",
            "task?": "the step's execution",
        },
    ),
    EventKind.FALLBACK: (
        "no model answered: the offline twin stands in",
        {"purpose": "what the call was for", "reason": "why", "task?": "the step's execution"},
    ),
    EventKind.BUDGET: (
        "a limit of the run is reached; told once",
        {"purpose": "the call that was stopped", "reached": "which limit", "task?": "the step's execution"},
    ),
    EventKind.TOOL: (
        "a model called a tool; nothing that it asked or read is told",
        {
            "tool": 'which; "unknown" for a name that is no tool\'s',
            "status": '"done", "empty", "failed", "bad_arguments", "unknown", "stopped"',
            "seconds": "how long it took",
            "chars": "characters that the model was shown",
            "calls": "how many calls this tells of: those that were too many in a turn are told of together",
            "task?": "the step's execution",
        },
    ),
    EventKind.NOTE: (
        "what a step says about its work: sources read, outline, a section, a review, a repair; any JSON",
        {"…": "by step"},
    ),
    EventKind.RUN_FINISHED: (
        "a run ended and has delivered",
        {"exit_code": "0 clean, 1 something is left", "summary": "a line for people"},
    ),
    EventKind.RUN_STOPPED: ("a run was stopped and can be resumed", {"error": "by what"}),
    EventKind.RUN_FAILED: ("a run failed", {"error": "why"}),
}
"""What each kind means, and the keys of its data ("?": not always there)."""


@dataclass(frozen=True, slots=True)
class Event:
    """What happened in a run, when (ISO 8601, UTC) and as its which event (`seq` from 1). `data`: JSON, no secrets."""

    run_id: str
    seq: int
    at: str
    kind: EventKind
    data: dict[str, Any] = field(default_factory=dict)


WITHHELD: Final = "…"
_SAID_BY_CODE = frozenset(
    {
        *("workflow", "step", "task", "within", "role", "purpose", "model", "asked", "finish", "failure"),
        *("failed", "instead", "reached", "tool", "status", "summary", "about", "by", "module", "circuit"),
    }
)
_ERROR = re.compile(r"\w*(?:Error|Exception)\b")


def withheld(kind: EventKind, data: dict[str, Any]) -> dict[str, Any]:
    """The data of an event of a secret run: numbers and what code says stay, words that may come from a document, a
    model or a provider are put as "…"; of an error its class stays."""
    return data if kind is EventKind.RETRY else {key: _withheld(key, value) for key, value in data.items()}


def _withheld(key: str, value: Any) -> Any:
    if isinstance(value, dict):
        return {inner: _withheld(inner, one) for inner, one in value.items()}
    if isinstance(value, list):
        return [_withheld(key, one) for one in value]
    if not isinstance(value, str) or key in _SAID_BY_CODE:
        return value
    found = _ERROR.match(value)
    return f"{found[0]}: {WITHHELD}" if found else value and WITHHELD
