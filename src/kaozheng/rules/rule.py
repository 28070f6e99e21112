"""The nouns of a rule book: book > module > (section) > rule > example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

FixPolicy = Literal["auto", "never"]


@dataclass(frozen=True, slots=True)
class Example:
    """A short text that obeys (`good`) or breaks the rule it stands under; `line` is its place in the book."""

    text: str
    good: bool
    line: int = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered sentence of a rule book.

    `module` is the key of its module. `check` is the slug of the code that judges it; without one a model judges.
    `settings` are the check's settings as the book gives them (the check's defaults are not mixed in).
    `fix = "never"` keeps a check's finding but never its fix. `line` is 1-based in the book.
    """

    number: str
    text: str
    module: str
    section: str = ""
    check: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    fix: FixPolicy = "auto"
    examples: tuple[Example, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Module:
    """A `##` part of the book that is reviewed in one step; `key` names the step (`review_<key>`)."""

    key: str
    title: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class RuleBook:
    """A house style. `text` is the Markdown it was read from; a change of the book is noticed by its hash."""

    name: str
    title: str
    language: str
    modules: tuple[Module, ...]
    text: str = field(repr=False)
    sha256: str

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """All rules in the order of the book."""
        return tuple(rule for module in self.modules for rule in module.rules)

    @cached_property
    def _by_number(self) -> dict[str, Rule]:
        return {rule.number: rule for rule in self.rules}

    def rule(self, number: str) -> Rule:
        """The rule with this number. Raises KeyError when the book has none."""
        return self._by_number[number]

    def module(self, key: str) -> Module:
        """The module with this key. Raises KeyError when the book has none."""
        for module in self.modules:
            if module.key == key:
                return module
        raise KeyError(key)
