"""Statements of level 3 in a text: what is supposed must say how it is verified and by whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kaozheng.documents.span import Span
from kaozheng.gates.levels import Claim, Level
from kaozheng.gates.places import sentences

_SUPPOSED: Final = re.compile(
    r"(?<!尽)(?<!不)可能(?=是|与|因|由|源于|导致|造成|引发|引起|存在|受|系|出现|反映|说明)|或因|或与|或系|或受"
    r"|疑似|推测|猜测|怀疑|初步判断|不排除"
    r"|大概率|瓶颈假设|待核验假设|估计是|很可能|似与|似因"
    r"|\b(?:may|might|could) (?:be|have)\b|\b(?:presumably|suspected|possibly|probably)\b",
    re.IGNORECASE,
)
_CHECK: Final = re.compile(
    r"(?:核验|核实|验证|复核|核查|查证)(?:方法|方式|途径)?(?:[:：为是]\s*)?[^，。；\n]{0,40}"
    r"|(?:实地|现场|入企|抽样|问卷|走访|座谈|专题)(?:调研|核验|核实|走访|调查|查看|核查)[^，。；\n]{0,30}|比对"
    r"|对账|抽查"
    r"|\b(?:verif\w+|survey\w*|on site|cross-check\w*)\b",
    re.IGNORECASE,
)
_DEPARTMENT: Final = re.compile(
    r"(?:责任|牵头|负责|配合)(?:部门|单位)\s*(?:[:：为是]\s*)?[^，。；\n]{2,30}"
    r"|[\u4e00-\u9fff]{1,12}(?:局|委员会|发改委|经信委|改革委|办公室|厅|管委会|经信部门|统计部门|财政部门|主管部门"
    r"|人民政府|镇政府|中心|调查队)"
    r"|\b(?:bureau|department|commission|office|authority) (?:of|in charge)\b|\b\w+ (?:bureau|department"
    r"|commission)\b",
    re.IGNORECASE,
)
_PARAGRAPH: Final = re.compile(r"\n[ \t]*\n")


def hypotheses(text: str) -> Iterator[tuple[Span, Claim]]:
    """The supposing words of a (shielded) text, each with the claim that its sentence makes. Method and department
    may stand in any sentence of its paragraph."""
    start = 0
    for end in (*(gap.start() for gap in _PARAGRAPH.finditer(text)), len(text)):
        paragraph = text[start:end]
        if _SUPPOSED.search(paragraph):
            check, department = _CHECK.search(paragraph), _DEPARTMENT.search(paragraph)
            for sentence in sentences(paragraph):
                if found := _SUPPOSED.search(paragraph, sentence.span.start, sentence.span.end):
                    said = paragraph[sentence.span.start : sentence.span.end]
                    carried = (check[0] if check else "", department[0] if department else "")
                    yield Span(start + found.start(), start + found.end()), Claim(said, Level.HYPOTHESIS, (), *carried)
        start = end
