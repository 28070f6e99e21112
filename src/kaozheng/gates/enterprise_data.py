"""What a named enterprise keeps to itself: taxes paid, profits, costs, loans, orders, unpublished figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kaozheng.documents.span import Span
from kaozheng.gates.places import sentences

_NAME: Final = re.compile(
    r"(?P<name>[\u4e00-\u9fffA-Za-z（）()·]{2,24}?)(?:有限责任公司|股份有限公司|有限公司|集团公司|集团|合伙企业"
    r"|股份公司|公司|厂(?![房区址商家])|合作社)"
)
_NO_NAME: Final = re.compile(
    r"(?:某|[A-Z×X*Ｘ]|上市|平台|国有|子|该|本|各|有|个|家|类|工业|龙头|骨干|重点|民营|外资|保险|电力|投资|供水|分"
    r"|母|总|当地|本地|多家|部分|相关|其他|一家|两家|等)(?:家|类|市|县)?$"
)
_KEPT: Final = re.compile(
    r"(?:实际)?(?:缴税|纳税|缴纳(?:各类)?(?:税收|税款|税金|增值税|所得税)|应纳税|入库税收|税款|税收贡献|欠税|欠缴"
    r"|退税)(?:额|总额|款)?|利润(?:总额|率)?|净利润?|毛利率?|亏损(?:额)?"
    r"|(?:生产|用工|单位|综合|采购|能源|原料)?成本(?:价)?|负债率?|资产负债|贷款余额|授信(?:额度)?|银行流水|现金流"
    r"|应收账款|客户名单|采购价|订单(?:金额|量|额)|供货价|配方|工艺参数"
    r"|用电量|用气量|能耗|工资(?:总额)?|薪酬|营业收入|营收|主营业务收入|销售(?:收入|额)|产值|研发(?:投入|费用)"
    r"|商业秘密|技术秘密|征信|违约|欠薪"
    r"|\b(?:tax(?:es)? paid|net profit|gross margin|loan balance|unit cost|revenue|payroll)\b",
    re.IGNORECASE,
)
_FIGURE: Final = re.compile(r"\d|[一二三四五六七八九十百千]+(?:余)?(?:万|亿)")
_PUBLISHED: Final = re.compile(
    r"年报|年度报告|公告|招股|已(?:经)?(?:公开|公示|披露|公布)|公开披露|公示|官网|annual report|published",
    re.IGNORECASE,
)
_ALWAYS_KEPT: Final = re.compile(r"客户名单|配方|工艺参数|商业秘密|技术秘密|银行流水")
_AIM: Final = re.compile(r"保护|尊重|依法保障|防止|侵犯|不涉及|不含|不得")


def enterprise_data(text: str) -> Iterator[tuple[Span, Span]]:
    """A named enterprise and what is told of it in the same sentence, as two spans of a text of half width."""
    for sentence in sentences(text):
        start, end = sentence.span.start, sentence.span.end
        said = text[start:end]
        if _PUBLISHED.search(said):
            continue
        named = next((one for one in _NAME.finditer(text, start, end) if _is_named(one["name"])), None)
        kept = _KEPT.search(text, named.end() if named else end, end)
        if not named or not kept:
            continue
        secret = _ALWAYS_KEPT.fullmatch(kept[0]) and not _AIM.search(said)
        if secret or _FIGURE.search(text, kept.end(), min(end, kept.end() + 40)):
            yield Span(*named.span()), Span(*kept.span())


def _is_named(name: str) -> bool:
    """Whether the words before 公司 single one out: 某玻璃公司 and 上市公司 do not."""
    return "某" not in name and "×" not in name and not _NO_NAME.search(name)
