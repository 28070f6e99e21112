"""The kinds of events are documented, and what a secret run's events say is numbers and words of code."""

from __future__ import annotations

from kaozheng.journal import EventKind, withheld
from kaozheng.journal.event import EVENT_DATA


def test_every_kind_is_documented_and_no_other() -> None:
    assert list(EVENT_DATA) == list(EventKind)


def test_of_a_secret_run_words_of_others_are_withheld() -> None:
    said = {
        "section": 2,
        "title": "The treasure",
        "outline": ["Below the oak", ""],
        "by": "fallback",
        "reason": "ModelError: the oak",
        "usage": {"calls": 1, "estimated": False, "note": "oak"},
        "error": None,
    }
    assert withheld(EventKind.NOTE, said) == {
        "section": 2,
        "title": "…",
        "outline": ["…", ""],
        "by": "fallback",
        "reason": "ModelError: …",
        "usage": {"calls": 1, "estimated": False, "note": "…"},
        "error": None,
    }
    retry = {"purpose": "section/1", "attempt": 2, "wait_s": 0.1, "error": "cut stream"}
    assert withheld(EventKind.RETRY, retry) == retry
