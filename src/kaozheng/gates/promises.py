"""Promises that only an authority can make: land, taxes, subsidies, approvals, quotas, the budget's backing.

The clauses that promise become 拟按规定研究…事项，以主管部门批复为准. What is conditional (依法依规, 符合条件),
denied (不得, 严禁, 不承诺) or said by a policy of the register is no promise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from kaozheng.documents.span import Span
from kaozheng.gates.places import PolicyWords, inner_end, sentences

_LAND: Final = r"(?:供地|用地|土地|地块|厂房|建设用地|工业用地|用地指标|出让金|出让价款|地价|宗地)"
_TAX: Final = (
    r"(?:企业所得税|个人所得税|税收|税费|税款|增值税|所得税|房产税|土地使用税|地方留成|地方税|财政贡献|税|规费"
    r"|行政事业性收费)"
)
_MONEY: Final = (
    r"(?:补贴|补助|奖补|奖励|扶持资金|专项资金|产业基金|贴息|资金支持|资金|奖金|贷款|配套资金|债券|启动资金)"
)
_APPROVAL: Final = r"(?:审批|批复|核准|立项|环评|能评|安评|许可|备案|手续|证照|验收|入库|批准|通过|获批|过会|过审)"
_QUOTA: Final = r"(?:能耗指标|用能指标|用能|能耗|电价|气价|水价|排污指标|排污权|环境容量|用电指标|用水指标|用工)"
_KINDS: Final = (
    (
        "用地保障",
        rf"(?:承诺(?![制书件函])|确保|保证|许诺|必保|足额|无条件|敞开|无偿|免费|零地价|零成本|低价|优先保障|全力保障"
        rf"|全额保障)[^，。；]{{0,24}}?{_LAND}"
        rf"|{_LAND}[^，。；]{{0,16}}?(?:零地价|无偿|免费|优先供应|足额|全额|应保尽保|敞开|先行供应|返还|无条件"
        rf"|全部保障|一律保障|得到保障|有保障|予以保障|优惠供应|全免|减免(?!政策)|补贴)"
        r"|零地价[^，。；]{0,10}|(?:用地|土地|地价)[^，。；]{0,16}?(?:无障碍|没有障碍|不成问题|没问题|最低标准"
        r"|最低价|底价|成本价)|放心(?:摘牌|拿地|落地|投资)|以?成本价供地|先用后批|未批先用",
    ),
    (
        "税收政策适用",
        rf"{_TAX}[^，。；]{{0,16}}?(?:全免|免征|全部免除|全额|减免(?!政策)|返还|退还|先征后返|即征即退|奖励|减半|免缴"
        rf"|不用缴|豁免|优惠(?!政策)|免除|三免|五免|全返|让利)"
        rf"|(?:免征|减免(?!政策)|返还|免除|全免|豁免|退还|全额奖励|减半征收)[^，。；]{{0,16}}?{_TAX}"
        rf"|[一二三四五两\d]免[一二三四五两\d]减半"
        r"|税收洼地|(?:享受|可享|给予|实行)[^，。；]{0,10}免[租税息]|[一二三四五六七八九十两\d]年免[租税息]",
    ),
    (
        "资金扶持",
        rf"(?:承诺(?![制书件函])|确保|保证|许诺|一次性|一律|全额|无条件|直接|优先|足额|兑现|必保)[^，。；]{{0,30}}?{_MONEY}"
        rf"|{_MONEY}[^，。；]{{0,16}}?(?:全额|足额|一次性|到位|兑现|无条件|应补尽补|上不封顶|不设上限)"
        rf"|(?:将|会|可|均|都)[^，。；]{{0,8}}?(?:给予|拨付|发放|安排|奖励|补贴|补助"
        rf"|提供)[^，。；]{{0,24}}?(?:{_MONEY}|万元|亿元)"
        r"|(?:给予|发放|兑现|奖励|补贴)[^，。；]{0,16}?\d[\d.,]*\s*(?:万元|亿元|元)[^，。；]{0,8}",
    ),
    (
        "财政支持",
        r"(?:财政|政府|县里|市里|国资|平台公司)[^，。；]{0,12}?(?:兜底|全额承担|全部承担|全额担保|包销|回购|保底"
        r"|托底|买单)|(?:保底收益|固定回报|兜底)[^，。；]{0,12}",
    ),
    (
        "审批事项办理",
        rf"(?:承诺(?![制书件函])|确保|保证|许诺|必保|一定|包|必须)[^，。；]{{0,24}}?{_APPROVAL}"
        rf"|{_APPROVAL}[^，。；]{{0,12}}?(?:包办|全包|一路绿灯|先批后审|免于|免除|全免|特批|包过|必过|兜底|一律通过"
        rf"|直接通过|无条件)"
        r"|特事特办直接[^，。；]{0,10}|(?:承诺(?![制书件函])|确保|保证)[^，。；]{0,24}?(?:列入|纳入|争取到|拿到|获得"
        r"|申报成功)[^，。；]{0,20}",
    ),
    (
        "要素保障",
        rf"(?:承诺(?![制书件函])|确保|保证|许诺|必保|足额|无条件|敞开|优先保障|全额保障|全力保障)[^，。；]{{0,20}}?{_QUOTA}"
        rf"|{_QUOTA}[^，。；]{{0,12}}?(?:全额保障|足额|敞开|不受限制|不设限|应保尽保|减半|全免|打折|优惠)",
    ),
    ("承诺", r"(?:郑重|作出|做出|书面)?承诺(?!书|制|件|事项|函|期限)[^，。；]{2,40}"),
)
_PROMISE: Final = tuple((kind, re.compile(form)) for kind, form in _KINDS)
_CONDITIONAL: Final = re.compile(
    r"依法|依规|按规定|按程序|按照规定|按政策规定|符合条件|经批准|批复为准|批准后|报批|拟|研究|争取|竞争性"
    r"|(?<![环能安])评审|不超过|最高|以内|可申请|可以申请|申报|按权限|规划内|现行政策"
)
_HARD: Final = re.compile(
    r"承诺(?![制书件函])|全免|零地价|兜底|无条件|无偿|一律|包办|全额返还|全返|上不封顶|包过|一路绿灯|先用后批|未批先用|确保|保证"
)
_SOFT_IN_LAW: Final = re.compile(
    r"依法|依规|按规定|按程序|以[^，。；]{0,12}(?:为准|批复)|批准后|符合条件|(?<![环能安])评审"
)
_DENIED: Final = re.compile(
    r"减税降费|后$|时限|压减|压缩|减免(?:各类)?(?:税费|税收|税款)(?:共计?|达|约)?\d"
    r"|不得|严禁|禁止|不准|不许|不承诺|不作|不做|不能|不可|不应|不允许|未承诺|没有承诺|不予|杜绝|清理|纠正|防止"
    r"|避免|整治|查处|违规|越权|变相|以[^，。；]{0,16}方式"
    r"|不[^，。；]{0,20}承诺|并非|是否|能否|不含|不包括|无权|不用于|不得用于|用于|已(?:经)?(?:兑现|发放|拨付|到位"
    r"|完成)|累计|上年|去年"
)
_TAIL: Final = re.compile(r"(?:[将会要可均都并则即还也]|并且|可以|能够|一律|全部|所有){0,3}$")
_EN: Final = re.compile(
    r"\b(?P<verb>(?:will\s+|shall\s+|can\s+)?(?:guarantees?|promises?|pledges?|ensures?|commits?\s+to|promised"
    r"|guaranteed|pledged)"
    r"|will\s+(?:waive|refund|grant|provide|exempt|approve))\b"
    r"[^.;,]{0,60}?\b(?:land|tax(?:es)?|subsid(?:y|ies)|approvals?|permits?|loans?|grants?|quota"
    r"|rebates?)\b[^.;,]{0,60}"
    r"|\b(?:tax|land|rent)[- ](?:free|exempt(?:ion)?s?)\b[^.;,]{0,40}",
    re.IGNORECASE,
)
_EN_DENIED: Final = re.compile(
    r"\b(?:not|no|never|without|may apply|subject to|if approved|prohibit\w*|must not)\b", re.IGNORECASE
)
_EN_INSTEAD: Final = "plans to study support under the rules in force, subject to approval by the competent authority"
_EN_NOUN: Final = "support that is subject to approval by the competent authority"


@dataclass(frozen=True, slots=True)
class Promise:
    """Clauses that promise, and what stands there instead."""

    span: Span
    kinds: tuple[str, ...]
    instead: str


def promises(text: str, policies: PolicyWords) -> Iterator[Promise]:
    """The promises of a shielded text; clauses side by side are one."""
    for sentence in sentences(text):
        run: list[tuple[Span, tuple[str, ...]]] = []
        for piece in sentence.pieces:
            found = _promised(text, piece, policies)
            if found:
                run.append(found)
            elif run:
                yield _softened(run)
                run = []
        if run:
            yield _softened(run)
        for english in _EN.finditer(text, sentence.span.start, sentence.span.end):
            if not _EN_DENIED.search(text, max(sentence.span.start, english.start() - 40), english.end()):
                instead = _EN_INSTEAD if english["verb"] else _EN_NOUN
                yield Promise(Span(*english.span()), ("support",), instead)


def _promised(text: str, piece: Span, policies: PolicyWords) -> tuple[Span, tuple[str, ...]] | None:
    said = text[piece.start : piece.end]
    hits = [(kind, found) for kind, form in _PROMISE if (found := form.search(said))]
    if not hits or _DENIED.search(said):
        return None
    conditional, hard = _CONDITIONAL.search(said), _HARD.search(said)
    if _SOFT_IN_LAW.search(said) or (conditional and not hard):
        return None
    if any(policies.says(text, Span(piece.start + hit.start(), piece.start + hit.end())) for _, hit in hits):
        return None
    first = min(hit.start() for _, hit in hits)
    lead = _TAIL.search(said[:first])
    start = piece.start + (lead.start() if lead else first)
    kinds = tuple(dict.fromkeys(kind for kind, _ in hits if kind != "承诺")) or ("相关支持",)
    return Span(start, max(inner_end(text, piece), piece.start + first + 1)), kinds


def _softened(run: list[tuple[Span, tuple[str, ...]]]) -> Promise:
    kinds = tuple(dict.fromkeys(kind for _, kinds in run for kind in kinds))
    return Promise(
        Span(run[0][0].start, run[-1][0].end), kinds, f"拟按规定研究{'、'.join(kinds)}事项，以主管部门批复为准"
    )
