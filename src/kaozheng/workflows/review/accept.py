"""Which proposed line replacements may touch the draft. Code decides; each refusal says why.

A replacement lands only if it stays in its range, carries no line-number prefix, clears a violation of its rule, adds
none of any rule, and neither loses nor invents a number, link, citation or piece of code.
"""

from __future__ import annotations

import re
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

_BAR = re.compile(r"(?<!\\)\|")
_BUILT = {
    "heading": "heading",
    "table": "table",
    "quote": "quote",
    "footnote": "footnote",
    "item": "list item",
    "code": "code block",
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A replacement, the violations that it is meant to clear, and the lines that it may touch."""

    replacement: LineReplacement
    violations: tuple[Violation, ...]
    allowed: tuple[LineRange, ...]
    by: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one proposal; `why` is "" when it landed, `before` is what stood in its lines."""

    replacement: LineReplacement
    accepted: bool
    why: str
    by: str
    before: str = ""

    def as_dict(self) -> dict[str, object]:
        one = self.replacement
        return {
            "rule": one.rule,
            "lines": [one.start, one.end],
            "before": self.before,
            "content": one.content,
            "reason": one.reason,
            "by": self.by,
            "accepted": self.accepted,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class Accepted:
    """The draft with all that landed, and a verdict for each proposal."""

    text: str
    verdicts: tuple[Verdict, ...]


def accept(text: str, proposals: Sequence[Proposal], rules: Sequence[Rule], language: str | None = None) -> Accepted:
    """Try the proposals from the bottom up, so that line numbers above stay true; each on what the others have left."""
    trial = _Trial(text, rules, language)
    ordered = sorted(proposals, key=lambda proposal: (-proposal.replacement.end, -proposal.replacement.start))
    verdicts = tuple(trial.verdict(proposal) for proposal in ordered)
    return Accepted(trial.text, verdicts)


@dataclass(frozen=True, slots=True)
class _Examined:
    """Violations by rule, and the pieces that a document is built of."""

    violations: Counter[str]
    blocks: Counter[str]


class _Trial:
    """The draft under trial: what landed so far, how many violations each rule has, and how the draft is built."""

    def __init__(self, text: str, rules: Sequence[Rule], language: str | None) -> None:
        self.text = text
        self._original = text
        self._rules = rules
        self._language = language
        self._state = self._examined(text)
        self._landed: list[LineReplacement] = []

    def verdict(self, proposal: Proposal) -> Verdict:
        """Land the proposal, or say why not."""
        one = proposal.replacement
        before = "\n".join(self._original.split("\n")[max(0, one.start - 1) : max(0, one.end)])
        why = self._misplaced(proposal) or self._harmful(proposal)
        return Verdict(one, not why, why, proposal.by, before)

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
        if invented := [item for item in losses(content, before) if not item.startswith("fence label")]:
            return f"brings in what the draft does not say: {invented[0].removesuffix(' lost')}"
        applied = apply_replacements(self.text, [LineReplacement(one.start, one.end, content, one.reason, one.rule)])
        if applied.refused:
            return applied.refused[0].why
        after = self._examined(applied.text)
        if worse := sorted((after.violations - self._state.violations).keys()):
            return f"adds a violation of rule {worse[0]}"
        if gone := sorted((self._state.blocks - after.blocks).keys()):
            return f"takes apart a {gone[0]}"
        if not self._clears(proposal, content, after.violations):
            return f"does not clear its violation of rule {one.rule}"
        self.text, self._state = applied.text, after
        self._landed.append(one)
        return ""

    def _clears(self, proposal: Proposal, content: str, after: Counter[str]) -> bool:
        rule = proposal.replacement.rule
        if any(violation.check for violation in proposal.violations):
            return after[rule] < self._state.violations[rule]
        lines = LineRange(proposal.replacement.start, proposal.replacement.end)
        touched = (violation for violation in proposal.violations if lines.overlaps(violation.lines))
        return any(violation.quote not in content for violation in touched)

    def _examined(self, text: str) -> _Examined:
        document = Document(text)
        violations = Counter(violation.rule for violation in inspect(document, self._rules, self._language))
        blocks = Counter(_BUILT[block.kind] for block in document.blocks if block.kind in _BUILT)
        # GFM drops the cells that a row has too many, so they never become blocks: count them in the text.
        rows = (document.quote(block.span) for block in document.blocks if block.kind == "row")
        blocks.update(f"table row of {len(_BAR.split(row.strip().strip('|')))} cells" for row in rows)
        return _Examined(violations, blocks)
