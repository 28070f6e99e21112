"""Which proposed line replacements may touch the draft. Code decides; each refusal says why.

A replacement lands only if it stays in its range, carries no line-number prefix, clears a violation of its rule, adds
none of any rule, and neither loses nor invents a number, link, citation or piece of code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kaozheng.documents.document import Document
from kaozheng.documents.edits import LineReplacement, apply_replacements, objection
from kaozheng.documents.guard import losses
from kaozheng.documents.span import LineRange
from kaozheng.rules.engine import fix, inspect
from kaozheng.rules.rule import Rule
from kaozheng.rules.violation import Violation

_OVERLAPS = "overlaps the"
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

    def clears_judged(self, content: str) -> bool:
        """Whether `content` in its place ends a violation that a model found; those that code found code counts."""
        lines = LineRange(self.replacement.start, self.replacement.end)
        touched = (violation for violation in self.violations if lines.overlaps(violation.lines))
        return any(bool(violation.check) or violation.quote not in content for violation in touched)


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
    """Try the proposals from the bottom up, so that line numbers above stay true; each on what the others have left.

    A trial inspects the whole draft, so proposals are tried together first, and halved where that does any harm.
    """
    trial = _Trial(text, rules, language)
    ordered = sorted(proposals, key=lambda proposal: (-proposal.replacement.end, -proposal.replacement.start))
    verdicts: list[Verdict] = []
    parts = [ordered]
    while parts:
        part = parts.pop()
        half = len(part) // 2
        if not half:
            verdicts += [trial.verdict(proposal) for proposal in part]
        elif together := trial.together(part):
            verdicts += together
        else:
            parts += (part[half:], part[:half])
    return Accepted(trial.text, tuple(verdicts))


@dataclass(frozen=True, slots=True)
class _Examined:
    """Violations by rule and by what they quote, and the pieces that a document is built of, also in their order."""

    violations: Counter[str]
    quoted: Counter[tuple[str, str]]
    blocks: Counter[str]
    order: tuple[str, ...]


class _Trial:
    """The draft under trial: what landed so far, how many violations each rule has, and how the draft is built."""

    def __init__(self, text: str, rules: Sequence[Rule], language: str | None) -> None:
        self.text = text
        self._lines = text.removesuffix("\n").split("\n")
        self._rules = rules
        self._language = language
        self._state = self._examined(text)
        self._landed: list[LineReplacement] = []

    def verdict(self, proposal: Proposal) -> Verdict:
        """Land the proposal, or say why not."""
        return self._said(proposal, self._misplaced(proposal, self._landed[-1:]) or self._harmful(proposal))

    def together(self, part: Sequence[Proposal]) -> list[Verdict]:
        """Verdicts for all, in order, when those that stand in their place do no harm together and each of them would
        have landed alone; else none, and nothing has landed.

        Whether one adds what another clears cannot be seen in the sums. So no violation may quote anything new, and
        what the draft is built of must stay in its order.
        """
        verdicts: list[Verdict] = []
        chosen: list[LineReplacement] = []
        asked: Counter[str] = Counter()
        for proposal in part:
            one = proposal.replacement
            content, why = "", self._misplaced(proposal, (chosen or self._landed)[-1:])
            if not why:
                content, why = self._content(one)
            if not why and not proposal.clears_judged(content):
                return []
            if not why:
                chosen.append(replace(one, content=content))
                asked[one.rule] += any(violation.check for violation in proposal.violations)
            elif why.startswith(_OVERLAPS):
                return []
            verdicts.append(self._said(proposal, why))
        applied = apply_replacements(self.text, chosen)
        if applied.refused:
            return []
        after = self._examined(applied.text)
        now = self._state
        cleared = all(after.violations[rule] <= now.violations[rule] - times for rule, times in asked.items())
        if after.quoted - now.quoted or after.order != now.order or now.blocks - after.blocks or not cleared:
            return []
        self.text, self._state = applied.text, after
        self._landed += chosen
        return verdicts

    def _said(self, proposal: Proposal, why: str) -> Verdict:
        one = proposal.replacement
        before = "\n".join(self._lines[max(0, one.start - 1) : max(0, one.end)])
        return Verdict(one, not why, why, proposal.by, before)

    def _misplaced(self, proposal: Proposal, landed: Sequence[LineReplacement]) -> str:
        """Why it may not even be tried. From the bottom up, only the one that `landed` last can be in its way."""
        one = proposal.replacement
        if why := objection(one, self._lines, proposal.allowed):
            return why
        lines = LineRange(one.start, one.end)
        for other in landed:
            if lines.overlaps(LineRange(other.start, other.end)):
                return f"{_OVERLAPS} replacement of lines {other.start}-{other.end} (rule {other.rule})"
        if not any(lines.overlaps(violation.lines) for violation in proposal.violations):
            return f"touches no violation of rule {one.rule}"
        return ""

    def _harmful(self, proposal: Proposal) -> str:
        one = proposal.replacement
        content, why = self._content(one)
        if why:
            return why
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

    def _content(self, one: LineReplacement) -> tuple[str, str]:
        """What would stand in the lines once code has fixed it, and why it may not: it loses or invents something."""
        before = "\n".join(self._lines[one.start - 1 : one.end])  # what landed so far stands below
        content = fix(Document(one.content), self._rules).text.rstrip("\n") if one.content.strip() else one.content
        if lost := losses(before, content):
            return content, lost[0]
        if invented := [item for item in losses(content, before) if not item.startswith("fence label")]:
            return content, f"brings in what the draft does not say: {invented[0].removesuffix(' lost')}"
        return content, ""

    def _clears(self, proposal: Proposal, content: str, after: Counter[str]) -> bool:
        rule = proposal.replacement.rule
        if any(violation.check for violation in proposal.violations):
            return after[rule] < self._state.violations[rule]
        return proposal.clears_judged(content)

    def _examined(self, text: str) -> _Examined:
        document = Document(text)
        found = inspect(document, self._rules, self._language)
        violations = Counter(violation.rule for violation in found)
        order = tuple(_BUILT[block.kind] for block in document.blocks if block.kind in _BUILT)
        blocks = Counter(order)
        # GFM drops the cells that a row has too many, so they never become blocks: count them in the text.
        rows = (document.quote(block.span) for block in document.blocks if block.kind == "row")
        blocks.update(f"table row of {len(_BAR.split(row.strip().strip('|')))} cells" for row in rows)
        return _Examined(violations, Counter(violation.key for violation in found), blocks, order)
