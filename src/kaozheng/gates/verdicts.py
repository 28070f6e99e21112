"""Ranks and grades used as a verdict: 倒数第一, 最差, 评定为不合格, 应予问责.

A place among others that is stated as a figure (居第3位) is for gate 1; here it is the judgement that goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kaozheng.documents.span import Span
from kaozheng.gates.places import PolicyWords, inner_end, sentences

INSTEAD: Final = "与可比地区存在差异，不作排名定性"
INSTEAD_EN: Final = "differs from comparable counties, which is no verdict"
_VERDICT: Final = re.compile(
    r"倒数(?:第)?[一二三四五六七八九十两\d]*|垫底|末位|末尾|最后一[名位]|排名最后|排在最后|最差|最落后|最弱|极差"
    r"|较差等次|排名靠后|排名落后|排名末[位尾]?|名次靠后"
    r"|不合格|不及格|不达标县|落后县|后进县|差等|差评|拖后腿|拖了?[^，。；]{0,6}后腿|吊车尾|亮?红牌|黄牌警告|末等"
    r"|劣等"
    r"|(?:评定|评为|定为|认定为|判定为|列为|归为|评价为|考核为|划为|确定为|属于|属)[^，。；]{0,8}(?:不合格|不达标"
    r"|优秀|良好|较差|差|落后|先进|末位|优等|劣等|[一二三四ABCD甲乙丙丁]\s*[类等档级](?!市|城))(?:等次|等级|档次"
    r"|县)?"
    r"|(?:工作|履职|落实|领导|执行|治理|发展)(?:明显|严重)?(?:不力|不到位|不作为|失职|无能|能力不足|水平低下"
    r"|成效最差)|作风漂浮|能力低下|懒政"
    r"|(?:认定|评定|判定|定性|划定|核定)[^，。；]{0,12}(?:为|是|属)[^，。；]{0,14}?(?:高风险|低风险|中风险"
    r"|第[一二三四五六七八九十\d]+[名位]|标兵|模范|冠军|榜首)|考核[^，。；]{0,6}第[一二三四五六七八九十\d]+[名位]"
    r"|(?:质量|水平|成效|能力|作风|工作)[^，。；]{0,6}(?:优于|劣于|不如|差于)"
    r"|(?:应|应当|建议|予以|给予|必须|要)[^，。；]{0,12}(?:问责|追责|约谈|通报|免职|撤职|处分|通报批评|调整班子"
    r"|一票否决|末位淘汰)"
    r"|(?:全省|全市|全国|全县|西部|内江市?|四川省?)(?:排名)?(?:最好|最优|最强|遥遥领先|一枝独秀|稳居第一|当之无愧)"
    r"|第[一二三四五\d](?:方阵|梯队)|名列前茅|遥遥领先|独占鳌头|首屈一指"
    r"|\b(?:(?:is|was|are|were|be)\s+)?(?:the\s+worst|ranked\s+last|unqualified|a\s+laggard"
    r"|a\s+failing\s+county)\b[^,;.]{0,60}"
    r"|\branks?\s+last\b[^,;.]{0,60}",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"(?:(?:综合|总体|最终|县域经济)?(?:考核)?(?:等次|等级|档次)?(?:排名|排位|名次|位次)?(?:在|于|居|位居|位列|排"
    r"|列|处于|处在|为|是|系|仍|均|全省|全市|全国|各县|各区县|同类县|所有县|县(?:\(市、区\))?中|中|正式|可"
    r"|应)){0,5}$"
)
_DENIED: Final = re.compile(
    r"不作|不做|不得|不能|不宜|不应|不可|不以|不将|不把|不对|不直接|不据此|不予|不构成|不代表|严禁|禁止|避免|防止"
    r"|并非|不是|而非|不搞|没有|无|整改|检出|抽检|产品|批次|样品|指标合格|药品|食品"
)
_ENGLISH: Final = re.compile(r"[A-Za-z]")


def verdicts(text: str, policies: PolicyWords) -> Iterator[tuple[Span, str]]:
    """The verdicts of a shielded text with what stands there instead; clauses side by side are one."""
    for sentence in sentences(text):
        run: list[Span] = []
        for piece in sentence.pieces:
            if found := _judged(text, piece, policies):
                run.append(found)
            elif run:
                yield _instead(text, run)
                run = []
        if run:
            yield _instead(text, run)


def _judged(text: str, piece: Span, policies: PolicyWords) -> Span | None:
    said = text[piece.start : piece.end]
    found = _VERDICT.search(said)
    if (
        not found
        or _DENIED.search(said)
        or policies.says(text, Span(piece.start + found.start(), piece.start + found.end()))
    ):
        return None
    if _ENGLISH.match(found[0]):
        return Span(piece.start + found.start(), piece.start + found.end())
    if said.startswith("的", found.end()):
        return Span(piece.start + found.start(), piece.start + found.end())
    lead = _LEAD.search(said[: found.start()])
    start = lead.start() if lead else found.start()
    return Span(piece.start + start, max(inner_end(text, piece), piece.start + found.end()))


def _instead(text: str, run: list[Span]) -> tuple[Span, str]:
    span = Span(run[0].start, run[-1].end)
    if text.startswith("的", span.end):
        return span, INSTEAD.partition("，")[0]
    return span, INSTEAD_EN if _ENGLISH.match(text[run[0].start]) else INSTEAD
