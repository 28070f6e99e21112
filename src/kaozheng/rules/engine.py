"""Running checks over a document, and applying their fixes until nothing changes.

Fixes are applied in rounds. In a round the checks of one order act together (width before punctuation before spacing
before names), each group on the text that the group before it left. Of fixes that overlap the first one acts, the
others wait for the next round. After each group the structure guard compares the document with the one before; a fix
that changed more than prose is taken back.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from kaozheng.documents.document import Document
from kaozheng.documents.edits import TextEdit, apply_edits
from kaozheng.documents.guard import differences
from kaozheng.documents.span import LineRange, Span
from kaozheng.rules.check import Check, Context
from kaozheng.rules.following import emphasis_changes, follow
from kaozheng.rules.registry import CHECKS
from kaozheng.rules.rule import Rule
from kaozheng.rules.violation import Violation

MAX_ROUNDS = 10


@dataclass(frozen=True, slots=True)
class AppliedFix:
    """One fix that was made: its rule, its lines in the text of that moment, and the text before and after."""

    rule: str
    lines: LineRange
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """What fixing came to.

    `refused` holds fixes that are still open, each with the reason. `rounds` counts the rounds that changed something.
    `cycle` says that fixes undid each other; the text is then the first, by code points, of those in the cycle.
    """

    text: str
    applied: tuple[AppliedFix, ...]
    refused: tuple[tuple[Violation, str], ...]
    rounds: int
    cycle: bool


def inspect(document: Document, rules: Iterable[Rule], language: str | None = None) -> list[Violation]:
    """All violations that code can find, by place. Rules without a check are skipped; `language` overrides the guess.

    Raises KeyError for a check that is not registered and SettingsError for settings that do not fit it.
    """
    spoken = language or document.language
    found = [violation for rule in rules if rule.check for violation in _judge(document, rule, rule.check, spoken)]
    return sorted(found, key=lambda violation: (violation.span, violation.rule))


def fix(document: Document, rules: Iterable[Rule], unsafe: bool = False, language: str | None = None) -> Fixed:
    """Apply the safe fixes (with `unsafe` all) until nothing changes, at most ten rounds. Idempotent."""
    groups = _groups(rules, unsafe)
    texts = [document.text]
    applied: list[AppliedFix] = []
    refused: tuple[tuple[Violation, str], ...] = ()
    while len(texts) <= MAX_ROUNDS:
        document, made, refused = _round(document, groups, unsafe, language)
        if document.text == texts[-1]:
            break
        applied.extend(made)
        if document.text in texts:
            settled = min(texts[texts.index(document.text) :])
            return Fixed(settled, tuple(applied), refused, len(texts), cycle=True)
        texts.append(document.text)
    return Fixed(document.text, tuple(applied), refused, len(texts) - 1, cycle=False)


def _judge(document: Document, rule: Rule, slug: str, language: str) -> Iterator[Violation]:
    check = CHECKS[slug]
    if language not in check.languages:
        return
    for found in check.run(Context(document, check.complete(rule.settings), language)):
        yield Violation(
            rule=rule.number,
            check=slug,
            message=found.message,
            span=found.span,
            lines=document.lines_of(found.span),
            quote=document.quote(found.span),
            fix=None if rule.fix == "never" else found.fix,
        )


def _groups(rules: Iterable[Rule], unsafe: bool) -> list[list[Rule]]:
    """Rules whose checks can fix something, those of one order together, in that order."""
    able = [(CHECKS[rule.check], rule) for rule in rules if rule.check and rule.fix != "never"]
    able = [(check, rule) for check, rule in able if check.fix]
    able.sort(key=lambda pair: pair[0].order)
    return [[rule for _, rule in group] for _, group in groupby(able, key=lambda pair: pair[0].order)]


_Round = tuple[Document, list[AppliedFix], tuple[tuple[Violation, str], ...]]


def _round(document: Document, groups: list[list[Rule]], unsafe: bool, language: str | None) -> _Round:
    made: list[AppliedFix] = []
    refused: list[tuple[Violation, str]] = []
    for rules in groups:
        waiting = [
            violation
            for violation in inspect(document, rules, language)
            if violation.fix and (unsafe or violation.fix.safe)
        ]
        while waiting:
            batch, waiting = _disjoint(waiting)
            kept, rejected = _guarded(document, batch)
            refused.extend(rejected)
            if kept:
                refused.extend((violation, "It overlaps with another fix.") for violation in waiting)
                made.extend(_made(document, violation) for violation in kept)
                document = follow(document, Document(apply_edits(document.text, _edits(kept))))
                break
    return document, made, tuple(refused)


def _disjoint(violations: Sequence[Violation]) -> tuple[list[Violation], list[Violation]]:
    """The violations whose edits do not meet those of an earlier one, and the others."""
    batch: list[Violation] = []
    others: list[Violation] = []
    taken: list[Span] = []  # sorted and without overlaps
    for violation in violations:
        spans = [edit.span for edit in _edits([violation])]
        if any(_is_taken(span, taken) for span in spans):
            others.append(violation)
            continue
        batch.append(violation)
        for span in spans:
            insort(taken, span)
    return batch, others


def _is_taken(span: Span, taken: list[Span]) -> bool:
    at = bisect_left(taken, span)
    return any(_meet(span, other) for other in taken[max(0, at - 2) : at + 2])


def _meet(one: Span, other: Span) -> bool:
    """Two insertions at one place meet too: which comes first would be chance."""
    return one.overlaps(other) or one == other


def _guarded(document: Document, batch: list[Violation]) -> tuple[list[Violation], list[tuple[Violation, str]]]:
    """The fixes that leave the structure alone, and the others with what they would have changed.

    Halves what fails until the culprits stand alone, so that one bad fix costs a few parses, not one for each fix.
    """
    may_change = frozenset[str]().union(*(_check(violation).may_change for violation in batch))
    kept: list[Violation] = []
    rejected: list[tuple[Violation, str]] = []
    parts = [batch]
    while parts:
        part = parts.pop()
        damage = _damage(document, [*kept, *part], may_change)
        if not damage:
            kept.extend(part)
        elif len(part) == 1:
            rejected.append((part[0], f"It would change more than prose: {damage[0]}"))
        else:
            half = len(part) // 2
            parts += (part[half:], part[:half])
    return kept, rejected


def _damage(document: Document, violations: list[Violation], may_change: frozenset[str]) -> list[str]:
    after = Document(apply_edits(document.text, _edits(violations)))
    return differences(document, after, may_change) or emphasis_changes(document, after)


def _edits(violations: Iterable[Violation]) -> list[TextEdit]:
    edits = [edit for violation in violations if violation.fix for edit in violation.fix.edits]
    return sorted(edits, key=lambda edit: edit.span)


def _check(violation: Violation) -> Check:
    return CHECKS[violation.check or ""]


def _made(document: Document, violation: Violation) -> AppliedFix:
    """Before and after show the finding and all that its edits touch."""
    edits = _edits([violation])
    start = min(violation.span.start, edits[0].span.start)
    end = max(violation.span.end, *(edit.span.end for edit in edits))
    before = document.text[start:end]
    shifted = [TextEdit(Span(edit.span.start - start, edit.span.end - start), edit.replacement) for edit in edits]
    return AppliedFix(violation.rule, document.lines_of(Span(start, end)), before, apply_edits(before, shifted))
