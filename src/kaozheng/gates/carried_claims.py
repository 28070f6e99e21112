"""Whether the result of a model carries a causal claim: same treatment, outcome, region and direction, and ready."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from kaozheng.evidence.quotes import containment, features
from kaozheng.gates.clause_citations import cited_policies
from kaozheng.gates.ground import BoundResult, Ground
from kaozheng.indicators.reason import Reason

RISES: Final = "增长|提高|提升|上升|增加|加快|扩大|改善|回升|翻番|攀升|好转|走高|增收|抬升|推高|上涨|多增|高出"
FALLS: Final = "下降|降低|回落|减少|下滑|放缓|收窄|恶化|走低|减收|压低|拉低|下跌|萎缩|少增|压降|缩减|降至"
_CHANGE: Final = re.compile(f"(?P<up>{RISES})|(?P<down>{FALLS})")
_RATE_WORD: Final = re.compile(r"(?:同比)?(?:增速|增长率?|增幅)$")
_NO_RESULT: Final = Reason("没有模型结果支持这一因果判断", "No result of a model stands behind this causal claim.")
_SAME_TREATMENT: Final = 0.5
_CARRIES: Final = frozenset({"green", "amber"})
_SIGNIFICANT: Final = 0.1


@dataclass(frozen=True, slots=True)
class CausalClaim:
    """What a place of a text says: `words` is its sentence (with the one before when it says 该 or 这), `effect` the
    part of it that tells what came of the cause."""

    words: str
    effect: str


@dataclass(frozen=True, slots=True)
class Carried:
    """The result that carries a claim, or why none does: `code` is then the nearest miss."""

    result: BoundResult | None
    code: str = ""
    reason: Reason = _NO_RESULT


@dataclass(frozen=True)
class Results:
    """The results of a ground, with the names that texts use for their outcomes."""

    ground: Ground

    @cached_property
    def _indicators(self) -> Mapping[str, frozenset[str]]:
        """Names of indicators, each with the keys that it may mean; a rate is also called without its last word."""
        names: dict[str, frozenset[str]] = {}
        for fact in self.ground.facts.facts.values():
            for name in fact.indicator.names():
                for form in {name, _RATE_WORD.sub("", name) if fact.indicator.is_rate else name}:
                    names[form] = names.get(form, frozenset()) | {fact.indicator.key}
        return names

    @cached_property
    def _named(self) -> re.Pattern[str]:
        longest_first = sorted(filter(None, self._indicators), key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    def outcomes(self, text: str) -> list[frozenset[str]]:
        """The indicators that a text names, each as the keys that it may mean."""
        return [self._indicators[found[0]] for found in self._named.finditer(text)]

    def names_outcome(self, text: str) -> bool:
        """Whether the text names an indicator."""
        return self._named.search(text) is not None

    def carry(self, claim: CausalClaim) -> Carried:
        """The result that carries the claim; else the nearest miss, which is the one that fails the latest test."""
        misses = []
        for result in self.ground.results:
            for order, (code, holds, zh, en) in enumerate(self._tests(claim, result)):
                if not holds:
                    misses.append((order, Carried(None, code, Reason(zh, en))))
                    break
            else:
                return Carried(result)
        return max(misses, key=lambda miss: miss[0])[1] if misses else Carried(None, "cause-without-result")

    def _tests(self, claim: CausalClaim, result: BoundResult) -> list[tuple[str, bool, str, str]]:
        named = f"模型结果{result.id}"
        outcomes = self.outcomes(claim.effect) or self.outcomes(claim.words)
        return [
            (
                "cause-without-result",
                self._same_treatment(claim.words, result),
                "没有模型结果检验过这一原因",
                "No result of a model has tested this cause.",
            ),
            (
                "result-other-outcome",
                bool(outcomes) and all(result.outcome in keys for keys in outcomes),
                f"{named}检验的不是这一指标",
                f"Result {result.id} is of another outcome.",
            ),
            (
                "result-other-region",
                self._within(claim.words, result),
                f"{named}不涉及这一地区",
                f"Result {result.id} is not of this region.",
            ),
            (
                "result-other-direction",
                _direction_agrees(claim.effect or claim.words, result),
                f"{named}的方向与文中相反",
                f"Result {result.id} has the other direction.",
            ),
            (
                "result-not-significant",
                (result.low > 0 or result.high < 0) and result.p < _SIGNIFICANT,
                f"{named}的置信区间含零",
                f"The interval of result {result.id} contains zero.",
            ),
            (
                "result-not-ready",
                result.readiness in _CARRIES,
                f"{named}未通过识别条件检验",
                f"Result {result.id} is not ready ({result.readiness}).",
            ),
        ]

    def _same_treatment(self, words: str, result: BoundResult) -> bool:
        if containment(features(result.treatment), features(words)) >= _SAME_TREATMENT:
            return True
        return any(one.policy.id == result.policy for one in cited_policies(words, self.ground.policies))

    def _within(self, words: str, result: BoundResult) -> bool:
        year = self.ground.period.year if self.ground.period else self.ground.today.year
        mentions = self.ground.gazetteer.mentions(words, year)
        own = self.ground.region
        if not mentions:
            return own is None or own.code in result.regions
        return all(any(region.code in result.regions for region in mention.regions) for mention in mentions)


def _direction_agrees(effect: str, result: BoundResult) -> bool:
    """The last word of change counts: 增速下降 is a fall, and so is 涨幅回落."""
    changes = [found.lastgroup for found in _CHANGE.finditer(effect)]
    return not changes or (changes[-1] == "up") == (result.estimate > 0)
