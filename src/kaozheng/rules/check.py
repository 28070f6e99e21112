"""What a check is: code that judges one document for one kind of fault, and what it reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from kaozheng.documents.document import Document
from kaozheng.documents.edits import TextEdit
from kaozheng.documents.span import Span
from kaozheng.errors import SettingsError

FAMILIES = (
    "metadata_and_structure",
    "typography_and_symbols",
    "code_and_diagrams",
    "specific_sections",
    "naming_and_tags",
    "content_style",
)


@dataclass(frozen=True, slots=True)
class Fix:
    """A proposed change. `safe` means that it cannot alter what the text says, so it may be applied unasked."""

    edits: tuple[TextEdit, ...]
    safe: bool


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that a check saw: where, what, perhaps how to mend it. Its span encloses what a reader must see."""

    span: Span
    message: str
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """All that a check may look at. `settings` are complete: the check's defaults with the rule's own on top."""

    document: Document
    settings: Mapping[str, Any]
    language: str

    def say(self, zh: str, en: str) -> str:
        """The wording that fits the language of the review."""
        return zh if self.language == "zh" else en


@dataclass(frozen=True, slots=True)
class Check:
    """Code under a stable slug.

    `fix` says what kind of fix it offers. `order` sorts fixes: width 10, punctuation 20-29, quotes 30, spacing 40,
    names 50, blocks 60 and up. `choices` limits a setting's values. `may_change` names the parts of the structure
    guard's fingerprint that this check's own fix changes on purpose (all others stay guarded).
    """

    slug: str
    family: str
    run: Callable[[Context], Iterator[Finding]]
    fix: Literal["safe", "unsafe"] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    languages: tuple[str, ...] = ("zh", "en")
    order: int = 90
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    may_change: frozenset[str] = frozenset()

    def complete(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """The defaults with the given settings on top. Raises SettingsError for an unknown name or a wrong value."""
        for name, value in given.items():
            if name not in self.settings:
                known = ", ".join(sorted(self.settings)) or "none"
                raise SettingsError(f"check {self.slug} has no setting {name!r} (it has: {known})")
            _require_kind(f"setting {name!r} of check {self.slug}", value, self.settings[name])
            if name in self.choices and value not in self.choices[name]:
                raise SettingsError(
                    f"setting {name!r} of check {self.slug} must be one of {', '.join(self.choices[name])}"
                )
        return {**self.settings, **given}


def finding(span: Span, message: str, edits: Iterable[TextEdit] = (), *, safe: bool = True) -> Finding:
    """A finding whose fix is made of `edits`; without edits it has no fix."""
    changes = tuple(edits)
    return Finding(span, message, Fix(changes, safe) if changes else None)


def _require_kind(what: str, value: object, default: object) -> None:
    """Settings come from people: a list must be a list of texts, a number not a truth value."""
    if isinstance(default, bool):
        fits, kind = isinstance(value, bool), "true or false"
    elif isinstance(default, int):
        fits, kind = isinstance(value, int) and not isinstance(value, bool) and value >= 0, "a whole number"
    elif isinstance(default, str):
        fits, kind = isinstance(value, str), "a text"
    elif isinstance(default, list | tuple):
        fits, kind = _texts(value), "a list of texts"
    else:
        fits = isinstance(value, Mapping) and all(
            isinstance(key, str) and _texts(texts) for key, texts in value.items()
        )
        kind = "a table of lists of texts"
    if not fits:
        raise SettingsError(f"{what} must be {kind}")


def _texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(text, str) and text for text in value)
