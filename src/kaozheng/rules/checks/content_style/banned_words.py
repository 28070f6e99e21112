"""No absolute or advertising words.

What:   A word of `words` is used outside of the phrases of `allow`.
Why:    They claim without evidence; Chinese advertising law forbids several of them.
Bad:    业内最佳的方案
Good:   在同一台机器上比旧版快 30% 的方案
Fix:    none
Settings: words = [最好, 第一, …, world-class, …], allow = [第一步, 唯一标识, 绝对路径, …]
Source: 中华人民共和国广告法, article 9; Google developer documentation style guide, "Excessive claims"
"""

from __future__ import annotations

from collections.abc import Iterator

from kaozheng.rules.check import Check, Context, Finding, finding
from kaozheng.rules.phrases import listed, occurrences, phrase_pattern

_WORDS_ZH = listed("""
    最好 最佳 最优秀 最先进 最强大 第一 唯一 顶级 顶尖 极致 完美 绝对 百分之百 史上最 全网最 遥遥领先 独一无二 无与伦比
    前所未有 万能 国家级 世界级 领先世界 首屈一指 独家 秒杀 吊打 颠覆性
""")
_WORDS_EN = listed("""
    best-in-class world-class revolutionary cutting-edge seamless seamlessly simply obviously unparalleled unrivaled
    industry-leading game-changing groundbreaking effortlessly bulletproof foolproof
""")
_AFTER_FIRST = "步章次个层节条行列版款类种项页篇轮遍段句天届批代级组位台期件方人年月季周阶课讲卷册回手"
_ALLOW = [
    *(f"第一{noun}" for noun in _AFTER_FIRST),
    *listed("""
        第一部分 第一阶段 第一季度 第一性 第一作者 第一产业 第一范式 第一时间 第一反应 第一关
        唯一标识 唯一索引 唯一键 唯一性 唯一约束 唯一值 唯一ID 唯一编号 唯一码 唯一确定 唯一对应 唯一名称 唯一主键
        唯一解 唯一的标识 唯一地 不唯一
        绝对路径 绝对值 绝对定位 绝对地址 绝对误差 绝对引用 绝对零度 绝对坐标 绝对时间 绝对位置 绝对温度 绝对链接 绝对数
        绝对量 绝对偏差 绝对多数 绝对湿度 绝对压力
        最佳实践 最佳化 最佳平方逼近 最佳适应
        最好先 最好不要 最好别 最好使用 最好用 最好在 最好将 最好把 最好是 最好能 最好也 最好还是 最好情况 最好的情况
        最好提前 最好检查 最好避免
        完美匹配 完美平方 完美数 完美散列 完美哈希 完美信息 完美主义 不完美 并不完美
        万能密码 万能公式 万能近似 世界级联赛
        顶级域 顶级作用域 顶级元素 顶级目录 顶级语句 顶级节点 顶级对象 顶级声明
    """),
    *("唯一 ID", "唯一的 ID", "绝对 URL", "顶级 await"),
]


def check(context: Context) -> Iterator[Finding]:
    """One finding for each such word."""
    words = phrase_pattern(context.settings["words"])
    if words is None:
        return
    allowed = phrase_pattern(context.settings["allow"])
    for prose in context.document.prose:
        for found in occurrences(prose, words, allowed):
            message = context.say(f"不使用绝对化或广告式的词“{found[0]}”", f"{found[0]!r} claims without evidence.")
            yield finding(prose.sub(*found.span()), message)


CHECK = Check(
    "banned-words",
    family="content_style",
    run=check,
    settings={"words": [*_WORDS_ZH, *_WORDS_EN], "allow": _ALLOW},
)
