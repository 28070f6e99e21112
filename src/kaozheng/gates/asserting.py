"""Whether words assert a cause: denials, suppositions, warnings, questions and reasons of method do not."""

from __future__ import annotations

import re
from typing import Final

from kaozheng.documents.span import Span

FORMULA: Final = "提示存在关联，需实地核验"
_MARKED: Final = FORMULA.partition("，")[0]
_CLAUSE: Final = re.compile(r"[，。；：,;:!?！？\n]")
_DENIED_BESIDE: Final = re.compile(
    r"(?:不能|不宜|不可|不得|不应|并未|没有|并不|不会|不必然|不|非|而非|而不|不致|未必|不一定|无法|难以|尚不能"
    r"|未)(?:直接|简单|必然|完全|单独|一定|就|因此)*$"
)
_DENIED_JUDGEMENT: Final = re.compile(
    r"(?:(?:不能|不宜|不可|不得|不应|不足以|无法|难以|尚不|尚未|尚无|并不)[^，。；]{0,8}?|(?:没有|未|缺乏|无|不|避免)[^，。；]{0,2}?)"
    r"(?:认为|说明|推断|断定|证明|表明|得出|判断|视为|理解|解读|解释|据此|证据|确认|识别|检验|认定|归结|归因|构成|意味"
    r"|代表|表述|写成|看作|当作|作为|推定|支持|发现)|(?:没有|缺乏|尚无|缺少)[^，。；]{0,8}?(?:证据|依据)"
)
_HEDGED: Final = re.compile(
    r"(?:可能|或许|或(?=因|是|与|由)|疑似|推测|初步判断|不排除|大概率|是否|能否|有无|何以|假设|假如|如果|若(?!干)"
    r"|一旦|如因|凡因|未必|(?<![类相近])似(?!的)|也许|防止|避免|谨防|严防|防范|以免|杜绝"
    r"|警惕|减少因|不因)"
)
_LATER_DENIED: Final = re.compile(
    r"的?(?:结论|判断|说法|观点|推断|推论|关系|表述)[^，。；]{0,8}(?:不成立|不能成立|缺乏|有待|尚未|没有|未经"
    r"|不明确)|吗$|的(?:风险|可能|隐患|企业|单位|行为|除外)"
)
_TECHNICAL: Final = re.compile(
    r"修约|四舍五入|口径|统计制度|统计方法|数据缺|未报送|缺报|漏报|区划调整|基数|翘尾|季节|节假日|春节|价格因素"
    r"|可比价|现价|核算方法|经济普查|数据修订|进位"
)


def asserts(text: str, own: Span, cause: Span, after: Span) -> bool:
    """Whether a causal word claims a cause: `own` is what stands before it in its clause, `cause` where the cause is
    named (a reason of method is none), `after` what follows: in the word's clause the formula may stand already."""
    before = text[own.start : own.end]
    behind = _CLAUSE.split(text[after.start : after.end], maxsplit=1)[0]
    return not (
        _DENIED_BESIDE.search(before)
        or _DENIED_JUDGEMENT.search(before)
        or _HEDGED.search(before)
        or _LATER_DENIED.search(behind)
        or _TECHNICAL.search(text, cause.start, cause.end)
        or _MARKED in behind
    )
