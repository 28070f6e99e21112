"""What a name or code in a table or a text means in a year."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from kaozheng.documents.span import Span
from kaozheng.indicators.reason import Reason
from kaozheng.indicators.region import Region


class NamedBy(StrEnum):
    """What a text calls a region by."""

    NAME = "name"  # its name or code of that year, with or without the levels above
    SHORT = "short"  # its name without the level (隆昌), or the customary one (凉山州)
    ALIAS = "alias"  # another name or code that the list knows
    FORMER = "former"  # a name or code of other years


@dataclass(frozen=True, slots=True)
class Resolved:
    """The one region that is meant; `note` says what a reader should know (an alias, an old name, a wrong code)."""

    region: Region
    note: Reason | None = None
    by: NamedBy = NamedBy.NAME


@dataclass(frozen=True, slots=True)
class Unresolved:
    """No region, or one of several (`candidates`): which is never guessed."""

    reason: Reason
    candidates: tuple[Region, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A place of a text that names a region; several candidates where the name alone does not say which."""

    span: Span
    regions: tuple[Region, ...]


class Gazetteer(Protocol):
    """Knows regions by name and code."""

    def resolve(self, text: str, year: int, within: str = "") -> Resolved | Unresolved:
        """What a name, a full name (四川省内江市市中区) or a code means in a year; `within` is the code or name of the
        level above, where the table says it."""

    def mentions(self, text: str, year: int) -> list[Mention]:
        """The places of a text that name regions, in order, the longest name first."""

    def counties(self, year: int) -> tuple[Region, ...]:
        """All county-level regions of a year, by code."""
