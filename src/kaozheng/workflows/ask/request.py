"""AskRequest: a question with all that the asker, and who let the asker in, may say about it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from kaozheng.documents.characters import without_controls
from kaozheng.errors import InputError
from kaozheng.models.budget import Budget
from kaozheng.models.messages import Sensitivity
from kaozheng.sessions import Turn
from kaozheng.sources.index import Within

_JOINTS = re.compile(r"\b(?:and|or|not)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]|\d\d")
QUESTION_CHARS = 8_000
ARTICLE_CHARS = 400_000


@dataclass(frozen=True, slots=True)
class AskRequest:
    """`bases` are searched, () means all that the owner may see; `within` narrows by labels (its own bases are not
    looked at). `session` "" begins a new one, `new_session` does so though one is named. `owner` is whose sessions and
    bases these are: from the server's key, never from a model or a body. `article` is the text that the user has open.
    `language` "" is that of the question. Text streams only with both `live_progress` and `stream_answer`. `strict`
    drops sentences that nothing supports. `history`, when given, takes the place of a session: nothing is kept then
    but the record of the question."""

    question: str
    bases: tuple[str, ...] = ()
    session: str = ""
    new_session: bool = False
    owner: str = ""
    article: str = ""
    article_name: str = ""
    within: Within = field(default_factory=lambda: Within(()))
    language: Literal["", "zh", "en"] = ""
    live_progress: bool = True
    stream_answer: bool = True
    strict: bool = False
    history: tuple[Turn, ...] | None = None
    sensitivity: Sensitivity = "internal"
    budget: Budget = field(default_factory=Budget)


def cleaned(question: str) -> str:
    """The question without terminal sequences, control characters and blanks at its ends. Raises InputError when no
    word is left (a single digit is none: half of all documents hold it), or more than 8,000 characters."""
    text = "".join(sign for sign in without_controls(question) if sign in "\n\t" or sign.isprintable()).strip()
    if not _WORD.search(_JOINTS.sub(" ", text)):
        raise InputError("the question is empty: ask something in words")
    if len(text) > QUESTION_CHARS:
        raise InputError(
            f"the question has {len(text)} characters, {QUESTION_CHARS} at most: give a text as the article"
        )
    return text
