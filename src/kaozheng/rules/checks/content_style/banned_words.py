"""No absolute or advertising words.

What:   A word of `words` is used outside of the phrases of `allow`. 第一 that counts points (第一，… or 1、第一) and
        最好 before a verb (最好先备份) are no claims.
Why:    They claim without evidence; Chinese advertising law forbids several of them.
Bad:    业内最佳的方案
Good:   在同一台机器上比旧版快 30% 的方案
Fix:    unsafe (a softer word of `instead`, or none at all for those of `drop`)
Settings: words = [最好, 第一, …, world-class, …], allow = [第一步, 唯一标识, 绝对路径, …],
          advice = "allow" (最好每周备份 is advice; "judge" reports it too), quoted = "allow" (words in quotation marks
          are only mentioned), instead = { 最佳 = [较佳], … }, drop = [绝对]
Source: 中华人民共和国广告法, article 9; Google developer documentation style guide, "Excessive claims"
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.edits import TextEdit
from kaozheng.documents.placeholders import MARK
from kaozheng.documents.span import Span
from kaozheng.rules.check import Check, Context, Finding, finding
from kaozheng.rules.phrases import listed, occurrences, phrase_pattern
from kaozheng.rules.script import HAN

_WORDS_ZH = listed("""
    最好 最佳 最优秀 最先进 最强大 第一 唯一 顶级 顶尖 极致 完美 绝对 百分之百 史上最 全网最 遥遥领先 独一无二 无与伦比
    前所未有 国家级 世界级 领先世界 首屈一指 吊打 颠覆性
""")
_WORDS_EN = listed("""
    best-in-class world-class revolutionary cutting-edge seamless seamlessly simply obviously unparalleled unrivaled
    industry-leading game-changing groundbreaking effortlessly bulletproof foolproof
""")
_AFTER_FIRST = (
    "步章次个层节条行列版款类种项页篇轮遍段句天届批代级组位台期件方人年月季周阶课讲卷册回手眼张份维点本趟门座块堂道根杯"
)
_ALLOW = [
    *(f"第一{noun}" for noun in _AFTER_FIRST),
    *listed("""
        第一部分 第一性 第一作者 第一产业 第一范式 第一时间 第一反应 第一关 第一象限 第一同构 第一优先级 第一第二
        唯一标识 唯一索引 唯一键 唯一性 唯一约束 唯一值 唯一ID 唯一编号 唯一码 唯一确定 唯一对应 唯一名称 唯一主键
        唯一解 唯一的标识 唯一地 不唯一 全局唯一 必须唯一 保证唯一 是否唯一 存在唯一 唯一存在 唯一分解 唯一请求 唯一表示
        唯一实数 唯一整数 唯一区分 唯一识别 唯一计数 唯一路径 唯一实例 唯一元素 唯一一个 唯一区别 唯一不同
        绝对路径 绝对值 绝对定位 绝对地址 绝对误差 绝对引用 绝对零度 绝对坐标 绝对时间 绝对位置 绝对温度 绝对链接 绝对数
        绝对量 绝对偏差 绝对多数 绝对湿度 绝对压力 绝对收敛 绝对连续 绝对中心
        最佳实践 最佳化 最佳逼近 最佳平方逼近 最佳拟合 最佳适应
        最好情况
        完美匹配 完美平方 完美数 完美散列 完美哈希 完美信息 完美主义 完美消除 完美二叉 完美转发 不完美 并不完美
        顶级域 顶级作用域 顶级元素 顶级目录 顶级语句 顶级节点 顶级对象 顶级声明 顶级会议 顶级项目
    """),
    *("唯一 ID", "唯一的 ID", "绝对 URL", "顶级 await", "最好的情况"),
]
_ENUMERATION = re.compile(rf"(?:^|[。！？；：，\n{MARK}])第一[，：、是]")
_NUMBERED = re.compile(r"(?<![\w.])(?:第? ?\d{1,3}|[一二三四五六七八九十]{1,3}) ?[、.．)）] ?第一(?![^\W_])")
_LONGEST_NUMBER = 8
_DEFAULT_WORDS = frozenset([*_WORDS_ZH, *_WORDS_EN])

_ADVERB = re.compile(
    f"最好 ?(?=[{HAN}])(?!的|地|之|成绩|选择|方案|水平|产品|品牌|服务|质量|效果|工具|技术|平台|团队|体验|性能)"
)


_QUOTES = {"“": "”", "‘": "’", "「": "」", "『": "』"}
_INSTEAD = {
    "最好": ["较好"],
    "最佳": ["较佳"],
    "最优秀": ["优秀"],
    "最先进": ["先进"],
    "最强大": ["强大"],
    "顶级": ["高水平"],
    "顶尖": ["高水平"],
    "完美": ["完善"],
}


def check(context: Context) -> Iterator[Finding]:
    """One finding for each such word."""
    words = phrase_pattern(context.settings["words"])
    if words is None:
        return
    allowed = phrase_pattern(context.settings["allow"])
    for prose in context.document.prose:
        for found in occurrences(prose, words, allowed):
            if _is_no_claim(prose.masked, found.start(), context):
                continue
            span = prose.sub(*found.span())
            yield finding(span, _message(found[0], context), _softer(found[0], span, context), safe=False)


def _message(word: str, context: Context) -> str:
    """Why a word of the team's own is not wanted only the team knows."""
    if word.casefold() in _DEFAULT_WORDS:
        return context.say(f"不使用绝对化或广告式的词“{word}”", f"{word!r} claims without evidence.")
    return context.say(f"不使用“{word}”", f"{word!r} is not used here.")


def _is_no_claim(masked: str, start: int, context: Context) -> bool:
    """A list of points, advice (最好每周备份), or a word that is only quoted."""
    if _ENUMERATION.match(masked, max(0, start - 1)) or _is_numbered(masked, start):
        return True
    if context.settings["advice"] == "allow" and _ADVERB.match(masked, start):
        return True
    return context.settings["quoted"] == "allow" and _is_quoted(masked, start)


def _is_numbered(masked: str, start: int) -> bool:
    """The 第一 of `1、第一` says the number once more."""
    found = _NUMBERED.search(masked, max(0, start - _LONGEST_NUMBER), start + 3)
    return found is not None and found.end() == start + 2


def _is_quoted(masked: str, start: int) -> bool:
    opened = max(masked.rfind(mark, 0, start) for mark in _QUOTES)
    return (
        opened >= 0
        and _QUOTES[masked[opened]] not in masked[opened:start]
        and _QUOTES[masked[opened]] in masked[start:]
    )


def _softer(word: str, span: Span, context: Context) -> list[TextEdit]:
    """What the settings put in the word's place: it changes what is said, so the fix is never a safe one."""
    if word in context.settings["drop"]:
        return [TextEdit(span, "")]
    instead = context.settings["instead"].get(word)
    return [TextEdit(span, instead[0])] if instead else []


CHECK = Check(
    "banned-words",
    family="content_style",
    run=check,
    fix="unsafe",
    settings={
        "words": [*_WORDS_ZH, *_WORDS_EN],
        "allow": _ALLOW,
        "advice": "allow",
        "quoted": "allow",
        "instead": _INSTEAD,
        "drop": ["绝对"],
    },
    choices={"advice": ("allow", "judge"), "quoted": ("allow", "judge")},
)
