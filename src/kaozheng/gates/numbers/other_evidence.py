"""Numbers that are no rows: those of a cited policy's clause, and those of a model's result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from kaozheng.county.policy import Clause, Policy
from kaozheng.documents.units import unit_named
from kaozheng.evidence.folding import HAN, narrow
from kaozheng.evidence.numbers import Number, find_numbers
from kaozheng.evidence.numerals import chinese_number
from kaozheng.gates.document_numbers import citations
from kaozheng.gates.ground import BoundResult
from kaozheng.gates.numbers.claims import Claim
from kaozheng.gates.numbers.matching import agrees

_CLAUSE: Final = re.compile(r"第(?P<number>\d{1,3}|[一二三四五六七八九十百]{1,5})条")
_SHARED_PAIRS: Final = 2
_MODEL: Final = re.compile(
    r"模型|估计|估算|效应|置信|显著|样本|双重差分|倾向得分|匹配|固定效应|回归|DID|PSM|estimate|confidence|model", re.I
)
_P: Final = re.compile(r"[pP]\s?值?\s?(?:为|是|约为|小于|低于|不超过)?\s?[=<≤≈]?\s?$")
_N: Final = re.compile(r"(?:[nN]\s?=|样本量?数?(?:为|共|有|是)?|观测值?数?(?:为|共|有)?)\s?$")
_N_BEHIND: Final = re.compile(r"[^，。;(),]{0,4}(?:样本|观测)")
_LEVEL: Final = re.compile(r"\s?的?置信")
_SIGNIFICANCE: Final = re.compile(r"\s?的?(?:显著性)?水平")
_FALLS: Final = re.compile(r"下降|降低|减少|回落")
_REACH: Final = 24
_INTERVAL: Final = re.compile(r"置信区间|区间|confidence interval|CI", re.I)


def cited(text: str, policies: Sequence[Policy]) -> list[Policy]:
    """The policies that a paragraph names, by number or title."""
    named = [one.policy for one in citations(text, policies) if one.policy]
    return list(dict.fromkeys([*named, *(policy for policy in policies if policy.title in text)]))


def in_clause(claim: Claim, policies: Sequence[Policy]) -> Clause | None:
    """The clause of a cited policy that says this number of what the sentence speaks of."""
    wanted = {_number(found["number"]) for found in _CLAUSE.finditer(claim.sentence)}
    for policy in policies:
        numbers = wanted & {clause.number for clause in policy.clauses}
        for clause in policy.clauses:
            if (not numbers or clause.number in numbers) and _says(clause, claim):
                return clause
    return None


def _says(clause: Clause, claim: Claim) -> bool:
    mine = _pairs(claim.clause)
    if len(mine & _pairs(clause.text)) < _SHARED_PAIRS:
        return False
    return any(_same(claim.number, number) for number in find_numbers(clause.text))


def _same(mine: Number, theirs: Number) -> bool:
    if mine.unit != theirs.unit or mine.value != theirs.value:
        return False
    return {mine.about, theirs.about} != {"<", ">"}


def _pairs(text: str) -> frozenset[str]:
    runs = re.findall(f"[{HAN}]+", text)
    return frozenset(run[at : at + 2] for run in runs for at in range(len(run) - 1))


def _number(text: str) -> int:
    return int(text) if text.isascii() else int(chinese_number(text) or 0)


def spoken_of(text: str, results: Sequence[BoundResult], outcomes: Sequence[str]) -> list[BoundResult]:
    """The results of which a paragraph speaks. `outcomes` are the indicators that it names."""
    if not _MODEL.search(text):
        return []
    return [one for one in results if one.outcome in outcomes or one.treatment in text or one.id in text]


def of_result(claim: Claim, results: Sequence[BoundResult]) -> BoundResult | None:
    """The result whose estimate, interval, p, n or level the number is."""
    return next((result for result in results if _of(claim, result)), None)


def _of(claim: Claim, result: BoundResult) -> bool:
    number = claim.number
    before = narrow(claim.clause)[: -len(number.text)]
    behind = narrow(claim.sentence).partition(narrow(number.text))[2]
    if _P.search(before):
        return result.p < number.value if number.about == "<" or "<" in before[-3:] else agrees(number, result.p)
    if _N.search(before) or _N_BEHIND.match(behind):
        return number.value == result.n
    if number.unit == "%" and _LEVEL.match(behind):
        return number.value == result.level
    if number.unit == "%" and _SIGNIFICANCE.match(behind):
        return result.p * 100 < number.value
    return _is_effect(claim, result)


def _is_effect(claim: Claim, result: BoundResult) -> bool:
    """The estimate, or within the words of an interval one of its ends."""
    unit, number = unit_named(result.unit), claim.number
    before = claim.sentence[: claim.sentence.find(claim.clause) + len(claim.clause) - len(number.text)]
    if _INTERVAL.search(before[-_REACH:]):
        bare = not number.dimension
        factor = Decimal(1) if bare else unit.factor
        fits = bare or number.unit == unit.canonical
        falls = result.estimate < 0 and number.value > 0 and _FALLS.search(before)
        ends = [end * factor * (-1 if falls else 1) for end in (result.low, result.high)]
        return fits and any(_equal(number.value, number, end) for end in ends)
    return number.unit == unit.canonical and _equal(claim.value, number, result.estimate * unit.factor)


def _equal(said: Decimal, number: Number, value: Decimal) -> bool:
    return (said < 0) == (value < 0) and agrees(number, abs(value))
