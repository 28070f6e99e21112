"""The records of the demonstration: policies, projects, enterprises, limits and links. No name is a real one."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal
from typing import Final

from kaozheng.county.demonstration.made_figures import COUNTIES
from kaozheng.county.policy import Clause, Policy
from kaozheng.county.records import ChainLink, Enterprise, FactorConstraint, Project

SYNTHETIC: Final = "合成数据，仅供演示"
_INDUSTRIES: Final = {
    "511002": ("装备制造", "现代服务"),
    "511024": ("新材料", "食品加工"),
    "511025": ("农产品加工", "清洁能源"),
    "511083": ("玻璃陶瓷", "汽车零部件"),
    "511102": ("电子信息", "文旅服务"),
    "511124": ("纺织服装", "农产品加工"),
}
_LINKS: Final = (
    ("原料", "", "加工"),
    ("加工", "原料", "制造"),
    ("制造", "加工", "物流与销售"),
    ("物流与销售", "制造", ""),
)
_POLICIES: Final = (
    ("演示发〔2019〕1号", date(2019, 3, 15), "关于支持特色产业发展的意见（演示）", "省级"),
    ("演示办发〔2021〕6号", date(2021, 6, 2), "关于推进园区节能改造的通知（演示）", "市州级"),
    ("演示发〔2023〕12号", date(2023, 9, 20), "关于培育规模以上工业企业的若干措施（演示）", "市州级"),
    ("演示办发〔2024〕3号", date(2024, 2, 8), "关于促进消费的实施方案（演示）", "县级"),
)
_CLAUSES: Final = (
    "支持县（市、区）发展一至两个主导产业，按年度公布名单。",
    "责任部门每季度汇总进展，报牵头部门。",
    "本文件自印发之日起施行，有效期三年。",
)


def made_policies() -> tuple[Policy, ...]:
    """Policies whose numbers say that they are none."""
    made = []
    for place, (number, issued, title, level) in enumerate(_POLICIES, start=1):
        id_ = f"DEMO-P{place:02}"
        clauses = tuple(Clause(f"{id_}.{count}", id_, count, text) for count, text in enumerate(_CLAUSES, start=1))
        made.append(Policy(id_, number, "演示机关", issued, title, level, clauses))
    return tuple(made)


def made_enterprises(seed: int) -> tuple[Enterprise, ...]:
    """Eight enterprises a county."""
    chance = random.Random(seed + 1)
    made = []
    for county in COUNTIES:
        for place in range(1, 9):
            industry = _INDUSTRIES[county.code][place % 2]
            name = f"演示{county.name.removesuffix('市中区')[:2]}{industry}第{place}企业"
            id_ = f"DEMO-{county.code}-E{place:02}"
            made.append(
                Enterprise(id_, county.code, name, industry, f"{industry}（{SYNTHETIC}）", chance.random() < 0.6)
            )
    return tuple(made)


def made_projects(seed: int) -> tuple[Project, ...]:
    """Five projects a county, investment in 万元."""
    chance = random.Random(seed + 2)
    made = []
    for county in COUNTIES:
        for place in range(1, 6):
            industry = _INDUSTRIES[county.code][place % 2]
            first = chance.randint(2020, 2024)
            made.append(
                Project(
                    f"DEMO-{county.code}-X{place:02}",
                    county.code,
                    f"演示{industry}项目{place}（{SYNTHETIC}）",
                    industry,
                    Decimal(chance.randrange(3000, 90000, 500)),
                    first,
                    first + chance.randint(1, 4),
                    chance.choice(("前期", "在建", "投产")),
                )
            )
    return tuple(made)


def made_constraints(seed: int) -> tuple[FactorConstraint, ...]:
    """Limits on land, energy and labour for 2024; one county has not reported its land."""
    chance = random.Random(seed + 3)
    made = []
    for county in COUNTIES:
        for factor, unit, low, high in (
            ("工业用地", "亩", 300, 1200),
            ("能耗增量", "万吨标准煤", 2, 9),
            ("用工缺口", "人", 200, 1500),
        ):
            value = None if (county.code, factor) == ("511124", "工业用地") else Decimal(chance.randint(low, high))
            id_ = f"DEMO-{county.code}-{factor}"
            made.append(FactorConstraint(id_, county.code, factor, 2024, value, unit, SYNTHETIC))
    return tuple(made)


def made_links() -> tuple[ChainLink, ...]:
    """The chain of one industry; Longchang has all of its links but the last."""
    industry = "玻璃陶瓷"
    chain = [
        ChainLink(f"DEMO-C{place}", industry, name, upstream, downstream)
        for place, (name, upstream, downstream) in enumerate(_LINKS, start=1)
    ]
    own = [
        ChainLink(f"DEMO-511083-C{place}", industry, name, upstream, downstream, "511083")
        for place, (name, upstream, downstream) in enumerate(_LINKS[:-1], start=1)
    ]
    return (*chain, *own)
