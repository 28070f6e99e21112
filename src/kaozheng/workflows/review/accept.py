"""Which proposed line replacements may touch the draft. Code decides; each refusal says why.

A replacement lands only if it stays in its range, carries no line-number prefix, clears a violation of its rule, adds none of any rule,
and neither loses nor invents a number, link, citation or piece of code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kaozheng.documents.document import Document
from kaozheng.documents.edits import LineReplacement, apply_replacements
from kaozheng.documents.guard import losses
from kaozheng.documents.span import LineRange
from kaozheng.rules.engine import fix, inspect
from kaozheng.rules.rule import Rule
from kaozheng.rules.violation import Violation


@dataclass(frozen=True, slots=True)
class Proposal:
    """A replacement, the violations that it is meant to clear, and the lines that it may touch."""

    replacement: LineReplacement
    violations: tuple[Violation, ...]
    allowed: tuple[LineRange, ...]
    by: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one proposal; `why` is "" when it landed."""

    replacement: LineReplacement
    accepted: bool
    why: str
    by: str

    def as_dict(self) -> dict[str, object]:
        one = self.replacement
        return {
            "rule": one.rule, "lines": [one.start, one.end], "content": one.content, "reason": one.reason,
            "by": self.by, "accepted": self.accepted, "why": self.why,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Accepted:
    """The draft with all that landed, and a verdict for each proposal."""

    text: str
    verdicts: tuple[Verdict, ...]


def accept(text: str, proposals: Sequence[Proposal], rules: Sequence[Rule], language: str | None = None) -> Accepted:
    """Try the proposals from the bottom up (so that line numbers above stay true), each on the draft that the others have left."""
    trial = _Trial(text, rules, language)
    ordered = sorted(proposals, key=lambda proposal: (-proposal.replacement.end, -proposal.replacement.start))
    verdicts = tuple(trial.verdict(proposal) for proposal in ordered)
    return Accepted(trial.text, verdicts)


class _Trial:
    """The draft under trial: what landed so far, and how many violations each rule has."""

    def __init__(self, text: str, rules: Sequence[Rule], language: str | None) -> None:
        self.text = text
        self._original = text
        self._rules = rules
        self._language = language
        self._counts = self._violations(text)
        self._landed: list[LineReplacement] = []

    def verdict(self, proposal: Proposal) -> Verdict:
        """Land the proposal, or say why not."""
        why = self._misplaced(proposal) or self._harmful(proposal)
        return Verdict(proposal.replacement, not why, why, proposal.by)

    def _misplaced(self, proposal: Proposal) -> str:
        one = proposal.replacement
        if refused := apply_replacements(self._original, [one], proposal.allowed).refused:
            return refused[0].why
        lines = LineRange(one.start, one.end)
        for other in self._landed:
            if lines.overlaps(LineRange(other.start, other.end)):
                return f"overlaps the replacement of lines {other.start}-{other.end} (rule {other.rule})"
        if not any(lines.overlaps(violation.lines) for violation in proposal.violations):
            return f"touches no violation of rule {one.rule}"
        return ""

    def _harmful(self, proposal: Proposal) -> str:
        one = proposal.replacement
        before = "\n".join(self.text.split("\n")[one.start - 1 : one.end])
        content = fix(Document(one.content), self._rules).text.rstrip("\n") if one.content.strip() else one.content
        if lost := losses(before, content):
            return lost[0]
        if invented := losses(content, before):
            return f"brings in what the draft does not say: {invented[0]}"
        applied = apply_replacements(self.text, [LineReplacement(one.start, one.end, content, one.reason, one.rule)])
        if applied.refused:
            return applied.refused[0].why
        counts = self._violations(applied.text)
        if worse := sorted(rule for rule, number in counts.items() if number > self._counts[rule]):
            return f"adds a violation of rule {worse[0]}"
        if not self._clears(proposal, content, counts):
            return f"does not clear its violation of rule {one.rule}"
        self.text, self._counts = applied.text, counts
        self._landed.append(one)
        return ""

    def _clears(self, proposal: Proposal, content: str, counts: Counter[str]) -> bool:
        rule = proposal.replacement.rule
        if any(violation.check for violation in proposal.violations):
            return counts[rule] < self._counts[rule]
        lines = LineRange(proposal.replacement.start, proposal.replacement.end)
        return any(
            lines.overlaps(violation.lines) and violation.quote not in content for violation in proposal.violations
        )

    def _violations(self, text: str) -> Counter[str]:
        return Counter(violation.rule for violation in inspect(Document(text), self._rules, self._language))
