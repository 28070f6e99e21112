"""Running the examples that a rule book carries: a bad one must break its rule, a good one must not."""

from __future__ import annotations

from dataclasses import dataclass

from kaozheng.documents.document import Document
from kaozheng.rules.engine import inspect
from kaozheng.rules.rule import Example, Rule, RuleBook


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """Whether the check of `rule` agrees with `example`; `why` says what it reported, or that it reported nothing."""

    rule: Rule
    example: Example
    passed: bool
    why: str


def run_examples(book: RuleBook) -> list[ExampleResult]:
    """One result for each example of a rule with a check, in the order of the book. Other examples are for readers."""
    return [_run(book, rule, example) for rule in book.rules if rule.check for example in rule.examples]


def _run(book: RuleBook, rule: Rule, example: Example) -> ExampleResult:
    text = example.text if example.text.endswith("\n") else example.text + "\n"
    found = inspect(Document.of(text), [rule], book.language)
    reports = "; ".join(f"line {violation.lines}: {violation.message}" for violation in found)
    return ExampleResult(rule, example, bool(found) != example.good, reports or "nothing was reported")
