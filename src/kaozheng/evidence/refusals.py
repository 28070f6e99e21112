"""Refusals: texts and sentences which say that the sources have no answer, in Chinese and English."""

from __future__ import annotations

import re

from kaozheng.documents.sentences import split
from kaozheng.evidence.folding import narrow

_BRACKETED = re.compile(r"\s*[\[【〔(][^\[\]【】〔〕()\n]{0,40}\d[^\[\]【】〔〕()\n]{0,40}[\]】〕)]")
_AROUND = " \n\t*_>#-"
_HOME = r"(?:知识库|资料|文档|证据|来源|材料|上下文|检索结果|文件(?=[中里内]|[未没无])|文中|原文|信息|内容)"
_NOT = r"(?:未能?|没有?|无法|不能|不(?=包含|包括|足)|找不到|查不到|并无|无(?=相关|有关))"
_FOUND = (
    r"(?:找到|查到|查找到|检索到|搜索到|提及|提到|提供|包含|包括|涉及|说明|记载|给出|回答|解答|相关|有关|足|得知|确定|规定|明确"
    r"|列出|写明|载明|介绍|描述)"
)
_NOTHING_ZH = re.compile(
    rf"{_HOME}(?:(?!规定|要求|应当|必须)[^。！？，,\n]){{0,16}}?{_NOT}[^。！？，,\n]{{0,10}}?{_FOUND}(?!的)"
    rf"|^(?:根据|基于|从|按照?|在)[^。！？\n]{{0,16}}?{_HOME}[^。！？\n]{{0,6}}?[，,]?\s?{_NOT}[^。！？\n]{{0,12}}?{_FOUND}"
    rf"|(?:未能?|没有|无法|找不到|查不到)(?:在|从|根据)[^。！？，,\n]{{0,8}}?{_HOME}[^。！？，,\n]{{0,6}}?{_FOUND}"
    r"|^(?:很?抱歉|对不起|不好意思)[，,！!\s]*[^。！？\n]{0,30}?(?:未能?|没有|无法|不能|不知道|不清楚|找不到|查不到)"
    r"|^(?:我)?(?:无法|不能)(?:根据[^。，\n]{0,12})?(?:回答|解答|确定)|^我?(?:不知道|不清楚)"
    r"|^(?:没有|未能?)(?:找到|查到|检索到)(?:任何)?(?:相关|有关)"
)
_NOTHING_EN = re.compile(
    r"\bI (?:do not|don['’]t) (?:know|have (?:enough|any|sufficient))"
    r"|\b(?:could|can|was|were|am|are|is)(?: ?not|n['’]t) (?:be )?(?:able to )?"
    r"(?:find|found|locate|answer|determine|tell)"
    r"|\bunable to (?:find|answer|locate|determine)"
    r"|\bno (?:relevant |specific |such )?(?:information|answer|mention|details?|evidence|data)\b[^.!?\n]{0,60}"
    r"(?:found|available|provided|in the|about|on|of)"
    r"|\b(?:documents?|sources?|context|knowledge base|passages?|evidence|materials?|text)\b[^.!?\n]{0,30}"
    r"(?:do(?:es)? not|don['’]t|doesn['’]t|did not|didn['’]t|never|fails? to)\s+"
    r"(?:\w+ly )?(?:contain|mention|say|provide|include|state|specify|cover|answer|give|explain|discuss)"
    r"|\bnot (?:mentioned|covered|stated|specified|answered|available|found|provided) (?:in|by) (?:the|any|these|your)"
    r"|^(?:Sorry|Unfortunately|I['’]m sorry)\b[^.!?\n]{0,80}(?:not|n['’]t|no|unable)\b",
    re.IGNORECASE,
)
_BUT = re.compile(r"[，,；;]?\s?(?:但是?|不过|然而|只是|\b(?:but|however|though)\b)[，,]?\s?", re.IGNORECASE)
_ADVICE = re.compile(
    r"^(?:如需|如果|若|建议|请|您?可以?|欢迎|你可|您可|如有)"
    r"|^(?:You (?:can|may|could|might)|Please|If you|Try|Consider|Could you|I (?:can|could) )",
    re.IGNORECASE,
)


def is_refusal(text: str) -> bool:
    """Whether the text says that the sources do not answer, and beside that nothing but what to do about it. Marks
    in it do not matter: a refusal cites nothing, whatever it says."""
    bare = _BRACKETED.sub("", narrow(text))
    said = [bare[span.start : span.end] for span in split(bare)]
    if not said or not says_nothing_found(said[0]):
        return False
    return all(says_nothing_found(one) or _ADVICE.search(one.strip(_AROUND)) for one in said)


def says_nothing_found(sentence: str) -> bool:
    """Whether a sentence says that the sources have nothing on its matter; such an honest gap needs no mark. What goes
    on behind a "but" with something else is none."""
    first, *rest = _BUT.split(narrow(sentence.strip(_AROUND)))
    if not (_NOTHING_ZH.search(first) or _NOTHING_EN.search(first)):
        return False
    return all(_NOTHING_ZH.search(one) or _NOTHING_EN.search(one) or _ADVICE.search(one.strip()) for one in rest)
