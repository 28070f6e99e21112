"""Why something is as it is, for people who read Chinese and for people who read English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """One statement in both languages, with the same figures in both."""

    zh: str
    en: str

    def said(self, language: str) -> str:
        """The statement in `language` ("zh", else English)."""
        return self.zh if language == "zh" else self.en
