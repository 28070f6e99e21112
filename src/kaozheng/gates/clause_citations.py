"""Clauses that a text cites: the number must exist, and what is said to stand there must stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from kaozheng.county.policy import Clause, Policy
from kaozheng.documents.span import Span
from kaozheng.evidence.folding import HAN, fold, narrow
from kaozheng.evidence.numbers import find_numbers
from kaozheng.evidence.numerals import chinese_number
from kaozheng.evidence.quotes import containment, features
from kaozheng.gates.document_numbers import citations
from kaozheng.gates.places import sentences
from kaozheng.indicators.reason import Reason

_HAN_NUMBER: Final = "零〇一二三四五六七八九十百两"
_CLAUSE: Final = re.compile(rf"第\s*(?P<number>\d{{1,3}}|[{_HAN_NUMBER}]{{1,6}})\s*(?P<kind>条|款|项|点|部分)")
_TITLE: Final = re.compile(r"《([^《》\n]{2,120})》")
_QUOTE: Final = re.compile(r"“([^“”\n]{6,400})”|「([^「」\n]{6,400})」|\"([^\"\n]{6,400})\"")
_SAYS: Final = re.compile(
    r"(?:(?:明确|规定|要求|提出|指出|强调|写明|载明|约定)(?:提出|规定|要求)?(?:[了：:，,]|了，)?|[，,：:])\s*"
)
_NEAR: Final = 40
_SAME_QUOTE: Final = 0.85
_SAID: Final = 0.6
_NOT_SAID: Final = 0.25


@dataclass(frozen=True, slots=True)
class CitedPolicy:
    """A place that cites a policy of the register by number or title."""

    span: Span
    policy: Policy


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a citation."""

    code: str
    span: Span
    reason: Reason
    rows: tuple[str, ...]


def cited_policies(text: str, policies: Sequence[Policy]) -> list[CitedPolicy]:
    """All places that cite a policy of the register, in order."""
    found = [CitedPolicy(one.span, one.policy) for one in citations(text, policies) if one.policy]
    titles = {fold(policy.title)[0]: policy for policy in policies}
    for title in _TITLE.finditer(text):
        if policy := titles.get(fold(title[1])[0]):
            found.append(CitedPolicy(Span(*title.span()), policy))
    return sorted(found, key=lambda one: one.span)


def clause_faults(text: str, policies: Sequence[Policy]) -> Iterator[Fault]:
    """Clause numbers that a cited policy has not, quotations that are not in it, and statements of another clause."""
    cited = cited_policies(text, policies)
    at = 0
    for sentence in sentences(text):
        start, end = sentence.span.start, sentence.span.end
        while at < len(cited) and cited[at].span.end <= start:
            at += 1
        here = []
        while at < len(cited) and cited[at].span.start < end:
            here.append(cited[at])
            at += 1
        for index, one in enumerate(here):
            if index + 1 < len(here) and here[index + 1].policy == one.policy:
                continue  # title and number of one policy, side by side: what follows belongs to the second
            until = here[index + 1].span.start if index + 1 < len(here) else end
            yield from _faults(text, one, Span(one.span.end, until))


def _faults(text: str, cited: CitedPolicy, rest: Span) -> Iterator[Fault]:
    policy = cited.policy
    numbered = _CLAUSE.search(text, rest.start, min(rest.end, rest.start + _NEAR))
    if numbered and numbered["kind"] == "条":
        number = _value(numbered["number"])
        count = policy.clause_count or max((clause.number for clause in policy.clauses), default=0)
        if count and not 1 <= number <= count:
            yield Fault(
                "clause-beyond-last",
                Span(*numbered.span()),
                Reason(
                    f"{policy.number}共{count}条，没有第{number}条",
                    f"{policy.number} has {count} clauses, no {number}.",
                ),
                (policy.id,),
            )
            return
        clause = next((one for one in policy.clauses if one.number == number), None)
        if clause:
            yield from _misquotes(text, Span(numbered.end(), rest.end), (clause,), policy)
            yield from _of_another(text, Span(numbered.end(), rest.end), clause, policy)
        return
    if not numbered and len(policy.clauses) >= policy.clause_count and policy.clauses:
        yield from _misquotes(text, rest, policy.clauses, policy)


def _misquotes(text: str, rest: Span, clauses: Sequence[Clause], policy: Policy) -> Iterator[Fault]:
    for found in _QUOTE.finditer(text, rest.start, rest.end):
        quote = found[1] or found[2] or found[3]
        if any(_is_quoted(quote, said) for said in (policy.title, *(clause.text for clause in clauses))):
            continue
        named = f"第{clauses[0].number}条" if len(clauses) == 1 else ""
        yield Fault(
            "clause-misquoted",
            Span(*found.span()),
            Reason(
                f"引文与{policy.number}{named}的原文不一致" + (f"：{clauses[0].text}" if named else ""),
                f"The quotation is not what {policy.number} says" + (f": {clauses[0].text}" if named else "."),
            ),
            tuple(clause.id for clause in clauses) if named else (policy.id,),
        )


def _is_quoted(quote: str, said: str) -> bool:
    """Whether the quotation stands in what is said, but for few characters and no number."""
    wanted, whole = _bare(quote), _bare(said)
    if wanted in whole:
        return True
    if {str(one.value) for one in find_numbers(quote)} - {str(one.value) for one in find_numbers(said)}:
        return False
    matching = sum(block.size for block in SequenceMatcher(None, wanted, whole, autojunk=False).get_matching_blocks())
    return matching >= _SAME_QUOTE * len(wanted)


def _bare(text: str) -> str:
    return re.sub(rf"[^{HAN}0-9A-Za-z%.]", "", fold(text)[0]).rstrip(".")


def _of_another(text: str, rest: Span, clause: Clause, policy: Policy) -> Iterator[Fault]:
    """A statement that another clause of the policy makes, and the cited one does not."""
    lead = _SAYS.match(text, rest.start, rest.end)
    if not lead:
        return
    said = features(text[lead.end() : rest.end])
    own = containment(features(clause.text), said)
    others = [(containment(features(other.text), said), other) for other in policy.clauses if other != clause]
    best, other = max(others, key=lambda pair: pair[0], default=(0.0, clause))
    if own < _NOT_SAID and best >= _SAID:
        yield Fault(
            "clause-other",
            Span(lead.end(), rest.end),
            Reason(
                f"这是{policy.number}第{other.number}条的内容，不是第{clause.number}条的",
                f"Clause {other.number} of {policy.number} says this, not clause {clause.number}.",
            ),
            (clause.id, other.id),
        )


def _value(written: str) -> int:
    narrowed = narrow(written)
    return int(narrowed if narrowed.isdigit() else chinese_number(narrowed) or 0)
