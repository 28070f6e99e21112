"""The columns of each kind of record, by their Chinese and English heads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from kaozheng.county.policy import Policy
from kaozheng.county.records import (
    BusinessTerms,
    ChainLink,
    Enterprise,
    ExpertRule,
    FactorConstraint,
    Mechanism,
    Project,
)


class Reads(StrEnum):
    """How a column is read."""

    TEXT = "text"
    REGION = "region"
    YEAR = "year"
    AMOUNT = "amount"  # a number with a unit, brought to 万元
    NUMBER = "number"
    FLAG = "flag"
    DATE = "date"
    DOCUMENT_NUMBER = "document_number"
    COUNT = "count"
    CLAUSES = "clauses"
    TERMS = "terms"


@dataclass(frozen=True, slots=True)
class Column:
    """One field of a record and the heads that name it."""

    field: str
    heads: tuple[str, ...]
    reads: Reads = Reads.TEXT
    is_required: bool = False


def _column(field: str, heads: str, reads: Reads = Reads.TEXT, is_required: bool = False) -> Column:
    return Column(field, (field, *heads.split()), reads, is_required)


_ID: Final = _column("id", "编号 项目编号 项目代码")
_REGION: Final = _column("region", "地区 区县 县 县市区 所在地 所属地区 行政区划代码 区划代码 代码", Reads.REGION)
_OWN_REGION: Final = Column(_REGION.field, _REGION.heads, Reads.REGION, is_required=True)

COLUMNS: Final[dict[type[Any], tuple[Column, ...]]] = {
    Policy: (
        _ID,
        _column("number", "文号 发文字号", Reads.DOCUMENT_NUMBER, True),
        _column("issuer", "发文机关 发布机关 发布单位 印发单位", is_required=True),
        _column("date", "日期 成文日期 印发日期 发布日期 发文日期", Reads.DATE, True),
        _column("title", "标题 名称 政策名称 文件名称", is_required=True),
        _column("level", "级别 层级 政策级别"),
        _column("clause_count", "条款数 共几条", Reads.COUNT),
        _column("clauses", "条款 条款内容 主要条款", Reads.CLAUSES),
    ),
    Enterprise: (
        _column("id", "统一社会信用代码 信用代码 编号"),
        _OWN_REGION,
        _column("name", "企业名称 名称 单位名称", is_required=True),
        _column("industry", "行业 所属行业 行业类别"),
        _column("scope", "经营范围 主营业务 主要产品"),
        _column("is_large", "规模以上 规上 是否规上 是否规模以上", Reads.FLAG),
    ),
    Project: (
        _ID,
        _OWN_REGION,
        _column("name", "项目名称 名称", is_required=True),
        _column("industry", "行业 所属行业 产业"),
        _column("investment", "总投资 投资额 计划总投资 投资", Reads.AMOUNT),
        _column("first_year", "开工年份 开工年 起始年份 建设起始年", Reads.YEAR),
        _column("last_year", "竣工年份 竣工年 完工年份 建设结束年", Reads.YEAR),
        _column("stage", "阶段 建设阶段 状态 项目阶段"),
    ),
    FactorConstraint: (
        _ID,
        _OWN_REGION,
        _column("factor", "要素 要素类别 约束 约束要素", is_required=True),
        _column("year", "年份 年度 年", Reads.YEAR, True),
        _column("value", "数值 限额 指标值 值", Reads.NUMBER),
        _column("unit", "单位 计量单位"),
        _column("note", "备注 说明"),
    ),
    ChainLink: (
        _ID,
        _column("industry", "产业 产业链 产业链名称", is_required=True),
        _column("name", "环节 环节名称 名称", is_required=True),
        _column("upstream", "上游 上游环节"),
        _column("downstream", "下游 下游环节"),
        _REGION,
    ),
    ExpertRule: (
        _ID,
        _column("topic", "主题 领域", is_required=True),
        _column("rule", "规则 内容 经验规则", is_required=True),
        _column("source", "来源 专家 出处"),
        _REGION,
    ),
    Mechanism: (
        _ID,
        _column("topic", "主题 事项", is_required=True),
        _column("owner", "责任单位 牵头单位 牵头部门 责任部门", is_required=True),
        _column("text", "内容 机制 运行机制", is_required=True),
        _REGION,
    ),
    BusinessTerms: (
        _ID,
        _column("domain", "业务域 领域", is_required=True),
        _column("text", "内容 正文 说明", is_required=True),
        _column("terms", "术语 词表", Reads.TERMS),
        _REGION,
    ),
}
"""By kind. Of two fields with one head the first counts."""
