"""Documents that lead from words of the business to the tables and indicators that hold the answer.

One for each of five domains. They are built from the catalogue, so that they never name an indicator that there is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from kaozheng.county.catalogue import built_in_indicators
from kaozheng.county.records import BusinessTerms
from kaozheng.indicators.indicator import Indicator

DOMAINS: Final = {
    "economy": "经济GDP人口",
    "industry": "工业企业科技",
    "agriculture": "农业财政投资",
    "trade": "商贸金融民生",
    "overview": "县域综合速查",
}
TABLES: Final = {
    "regions": ("行政区划", "区划代码", "县", "市辖区", "更名", "撤县设区"),
    "policies": ("政策", "文件", "文号", "条款", "通知", "意见"),
    "projects": ("项目", "重点项目", "总投资", "建设周期", "签约项目"),
    "enterprises": ("企业", "龙头企业", "统一社会信用代码", "企业名录"),
    "factor_constraints": ("要素", "用地指标", "能耗指标", "环境容量", "用工缺口"),
    "chain_links": ("产业链", "上游", "下游", "断点", "补链"),
    "expert_rules": ("专家规则", "判定阈值", "经验值"),
    "mechanisms": ("治理机制", "部门协同", "责任部门"),
    "tickets": ("补数工单", "缺失指标", "催报"),
}
"""Tables besides the observations, and the words that lead there."""
_TABLES_OF: Final = {
    "economy": ("regions",),
    "industry": ("enterprises", "chain_links", "factor_constraints"),
    "agriculture": ("projects", "policies"),
    "trade": (),
    "overview": tuple(TABLES),
}


@dataclass(frozen=True, slots=True)
class Hit:
    """A word that a question contains, and what holds it (`observations: gdp`, `enterprises`)."""

    term: str
    holder: str


def business_terms(indicators: Iterable[tuple[str, Indicator]] = ()) -> tuple[BusinessTerms, ...]:
    """The five documents, of these indicators with their domains; of the built-in ones when none are given."""
    given = tuple(indicators) or built_in_indicators()
    return tuple(_document(domain, given) for domain in DOMAINS)


def holders(question: str, documents: Iterable[BusinessTerms]) -> tuple[Hit, ...]:
    """What holds the answer to a question, by its words, the longest first; a word inside a longer one that was found
    (人口 in 常住人口) does not count."""
    terms = dict.fromkeys(term for document in documents for term in document.terms)
    plain = question.casefold()
    found: list[tuple[int, int, Hit]] = []
    for term, holder in sorted(terms, key=lambda term: (-len(term[0]), term)):
        at = plain.find(term.casefold())
        while at >= 0:
            end = at + len(term)
            if not any(start <= at and end <= stop and (start, stop) != (at, end) for start, stop, _ in found):
                found.append((at, end, Hit(term, holder)))
            at = plain.find(term.casefold(), end)
    return tuple(dict.fromkeys(hit for _, _, hit in found))


def _document(domain: str, indicators: tuple[tuple[str, Indicator], ...]) -> BusinessTerms:
    own = [indicator for of, indicator in indicators if domain in (of, "overview")]
    terms = [(name, f"observations: {one.key}") for one in own for name in (one.name, *one.aliases)]
    terms += [(word, table) for table in _TABLES_OF[domain] for word in TABLES[table]]
    lines = [f"# {DOMAINS[domain]}", ""]
    lines += [_line(indicator) for indicator in own]
    lines += [f"- {'、'.join(TABLES[table])}：表 `{table}`" for table in _TABLES_OF[domain]]
    return BusinessTerms(f"terms-{domain}", DOMAINS[domain], "\n".join(lines) + "\n", tuple(terms))


def _line(indicator: Indicator) -> str:
    said = "，".join(filter(None, (indicator.unit, indicator.calibre.value, indicator.period_type.value)))
    also = f"；又称{'、'.join(indicator.aliases)}" if indicator.aliases else ""
    return f"- {indicator.name}（{said}）：表 `observations`，指标 `{indicator.key}`，由{indicator.owner}提供{also}"
