"""Whether a question compares, and what with what."""

from __future__ import annotations

import re
from typing import Final

from kaozheng.documents.characters import HAN
from kaozheng.sources.comparing import DIFFER, VERB, WITH

_MOST = 6
_AND = (
    rf"(?:以及|还有|{WITH}|(?<![以普涉])及(?!时|其|格)|、|还是|或者?|vs\.?|,|，"
    r"|\band\b|\bor\b|\bwith\b|\bto\b|\bagainst\b)"
)
_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{VERB}(?:一下|下|分析|一?下分析)?(?:了|出)?(?P<list>[^。？?；;]{{2,80}})",
        rf"(?P<list>[^。？?；;]{{3,80}}?)(?:之间|两者|二者|三者|它们)?(?:的|在[^，。？]{{1,16}}(?:上"
        rf"|方面))?(?:主要|具体|本质)?(?:有(?:什么|何|哪些|没有)|存在(?:什么|哪些)?|是(?:什么|否有))?(?:主要"
        rf"|本质)?的?{DIFFER}",
        r"(?P<list>[^。？?；;，,]{3,60}?)(?:，|,)?(?:哪一?[个种款家项类条年]|谁|哪里|哪边"
        r"|何者)(?:的)?[^。？?]{0,12}?(?:更|最|比较|要)?[^。？?]{0,8}[？?]?$",
        rf"^{WITH}(?P<first>[^，,。？?]{{1,30}}?)(?:相比|比起来|比)[，,](?P<second>[^，,。？?]{{1,30}}?)(?:有"
        rf"|的|在|更|怎|如何|哪|$)",
        rf"(?P<first>[^，,。？?]{{1,30}}?){WITH}(?P<second>[^，,。？?]{{1,30}}?)(?:相比|比起来|比较起来|比较"
        rf"|对比|相比较|比)(?P<rest>[^？?。]*)",
        r"(?:相比|比起|相对)(?:于)?(?P<first>[^，,。？?]{1,30})[，,](?P<second>[^，,。？?]{1,30}?)(?:有|的|在"
        r"|更|怎|如何|哪|$)",
        r"^(?P<first>[^，,。？?]{1,24}?)比(?P<second>[^，,。？?较例重如分率值照喻]{1,24}?)(?:的)?(?:更|要"
        r"|还)?(?:高|低|多|少|好|差|快|慢|大|小|长|短|贵|便宜|强|弱|早|晚|重|轻|安全|优)",
        r"\bcompar(?:e|ing|ison (?:of|between))\s+(?P<list>.{3,100})",
        r"\bdifferences?\s+(?:is there\s+|are there\s+)?between\s+(?P<list>.{3,100})",
        r"\b(?:how|in what way) (?:does|do|did|is|are|was|were)\s+(?P<first>.{2,40}?)\s+(?:differ(?:ent)?"
        r"|compare)\s+(?:from"
        r"|to|with|against)\s+(?P<second>.{2,40})",
        r"(?P<list>[^,.:?]{2,50}?(?:\s+(?:vs\.?|versus)\s+[^,:?]{1,50}?)+)(?=[,:?]|$)",
        r"(?P<first>[^,.?]{2,50}?)\s+compared (?:to|with)\s+(?P<second>[^,?]{2,60})",
        r"\bwhich (?:one |is |of them |has |uses |costs |takes |needs )[^,:?]{0,40}[,:]\s*(?P<list>.{3,80})",
        r"^(?P<list>[^?:]{3,60}\sor\s[^?:]{2,40}):\s*which\b",
        r"\b(?:is|are|does|do)\s+(?P<first>[^,?]{2,40}?)\s+(?:\w+er|more [\w-]+|less [\w-]+|better"
        r"|worse)\s+than\s+(?P<second>[^,?]{2,40})",
    )
)
COMPARES: Final = re.compile(
    r"(?:两者|二者|三者|它们|(?:这|那)?[两三几][个种款家项]).{0,10}(?:哪|谁|更|区别|不同|差别)"
    r"|\b(?:which|who|what) of (?:the|these|those|them)\b|\bof the two\b"
    rf"|(?:^|请|帮我|来|，|做个|能否|可以){VERB}|{VERB}(?:一下|下|分析)|(?:有(?:什么|何|哪些|啥)|的|什么"
    rf"|存在)(?:主要|本质|具体)?的?{DIFFER}|(?:区别|差别|异同|不同)(?:是什么|在哪|在于|有哪些|[？?]?$)"
    rf"|{WITH}[^，。？]{{1,24}}(?:相比|比起来|比较|对比|比(?:怎么样|如何|呢|哪|谁|有|[，,？?]|$))|相比(?:之下"
    rf"|于|较)|比起"
    rf"|(?:{WITH}|、|还是)[^，。？]{{1,24}}?(?:，|,)?(?:哪一?[个种款家项类]|谁"
    rf"|何者)(?:的)?[^。？]{{0,12}}?(?:更|最|比较|要|好|高|多|大|快|低|少|早|晚|长|强)"
    r"|^[^，,。？?]{1,24}比[^，,。？?较例重如分率值照喻]{1,24}?(?:更|要|还)?(?:高|低|多|少|好|差|快|慢|大|小|长"
    r"|短|贵|便宜|强|弱|早|晚)(?:多少|吗|一?些|了|[？?]?$)"
    r"|\bcompar(?:e|ing|ison)\b(?! to the)|\bdifferences?\s+(?:is there |are there )?between\b|\b(?:vs\.?"
    r"|versus)(?=\s|$)|\bdiffer(?:ent)?\s+(?:from|to)\b|\bcompared? (?:to|with)\b"
    r"|\bwhich (?:one|of them|is|has|uses|costs|takes|needs)\b[^?]*(?:,|:)[^?]*\bor\b|\bor\b[^?:]*:\s*which\b"
    r"|\b(?:\w+er|more [\w-]+|less [\w-]+) than\b.*\?",
    re.IGNORECASE,
)
"""Whether it compares at all."""
_HEAD = re.compile(
    r"^(?:请|帮我|麻烦|能不能|可以|请问|我想知道|想知道|一下|下|的|在|对|将|把|从|下列|以下|the\b|both\b"
    r"|between\b|me\b|please\b|what(?:'s| is)\b|is\b|are\b|does\b|do\b|can you\b|an?\b|\s)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:(?:这|那)?(?:两|二|三|四|几)(?:者|个|种|款|类|县|家|项)?(?:之间)?|之间|它们|各自|分别|有(?:什么|何"
    r"|哪些).*|在[^，]{1,20}(?:上|方面)(?:的.*)?$|[的呢吗？?。.!！\s]+|哪.*|谁.*)$"
    r"|\s+(?:for|in terms of|when|regarding|in|on|with respect to|as to|under|by|at|over)\s.*$|[?.!\s]+$",
    re.IGNORECASE,
)
_OTHERS = re.compile(r"^(?:别的|其他|其它|另外|另一|\s*(?:the )?others?\b|\s*another\b)", re.I)
_HAN = re.compile(f"[{HAN}]")
_SIDE_BY_SIDE_ZH = re.compile(
    rf"(?P<list>[^，,。？?；;]{{2,24}}?(?:(?:{WITH}|、)[^，,。？?；;、]{{2,20}}?)+)(?:[两三四]|各|都|分别|的"
    rf"|是|在|有|哪|，|$)"
)
_SIDE_BY_SIDE_EN = re.compile(
    r"(?P<list>[A-Z][\w-]*(?:\s(?!and\b)[\w-]+){0,3}\s+and\s+[A-Z][\w-]*(?:\s(?!both\b|have\b|are\b|do\b"
    r"|is\b)[\w-]+){0,2})"
)
_DATED = re.compile(
    r"(?<![〔﹝\[［(（【])(?:(?:19|20)\d\d|[〇零一二三四五六七八九]{4})\s?年?(?:度|底|末|初)?(?:第?[一二三四1-4]季度|上半年|下半年)?"
)
_EMPTY: Final = frozenset(
    (
        "两者",
        "二者",
        "它们",
        "它",
        "其",
        "这两个",
        "这两种",
        "两个",
        "them",
        "these",
        "those",
        "two",
        "the two",
        "both",
        "these two",
        "这些",
        "他们",
        "前者",
        "后者",
        "其他",
        "the others",
        "others",
        "it",
    )
)


def compared(question: str) -> tuple[str, ...]:
    """The things that the question compares, at most six; fewer than two when it does not name them."""
    for pattern in _PATTERNS:
        if found := pattern.search(question):
            groups = found.groupdict()
            named = [groups["first"], groups["second"]] if groups.get("first") else _listed(groups["list"])
            things = _things(named)
            if len(things) >= 2:
                return things
    return ()


def one_named(question: str) -> str:
    """The one thing that a comparison names when it names no second one; "" when there is none."""
    found = re.search(
        rf"(?:{WITH}|比起|相比于?)(?P<thing>[^，,。？?]{{1,24}}?)(?:相比|比起来|比较|对比|比|[，,？?]|$)", question
    )
    found = found or re.search(
        r"\b(?:compare[sd]?|differ)\s+(?:it\s+)?(?:with|to|from|against)\s+(?P<thing>[^?.,]{2,40})", question, re.I
    )
    things = _things([found["thing"]]) if found else ()
    return things[0] if things else ""


def _listed(text: str) -> list[str]:
    return re.split(rf"\s*{_AND}\s*", text, flags=re.IGNORECASE)


def enumerated(question: str) -> tuple[str, ...]:
    """The things that a question which does not compare names side by side; fewer than two when it does not."""
    found = _SIDE_BY_SIDE_ZH.search(question) or _SIDE_BY_SIDE_EN.search(question)
    return _things(_listed(found["list"])) if found else ()


def _things(named: list[str]) -> tuple[str, ...]:
    if any(re.match(r"\s*(?:that|those) (?:of|in|for|from)\s", one, re.I) for one in named[1:]):
        named = [re.split(r"\b(?:of|in|for|from)\s", named[0])[-1], *named[1:]]
    named = [re.sub(r"^(?:that|those) (?:of|in|for|from)\s+", "", one.strip(), flags=re.I) for one in named]
    cleaned = [_thing(one, last=at == len(named) - 1) for at, one in enumerate(named) if not _OTHERS.match(one)]
    kept = [one for one in cleaned if one and one.casefold() not in _EMPTY]
    return _alike(tuple(dict.fromkeys(kept)))[:_MOST]


def _alike(things: tuple[str, ...]) -> tuple[str, ...]:
    """English names alike: "the terms of A" and "B" are A and B; "soft" and "hard delete" are both a delete."""
    if len(things) < 2 or _HAN.search("".join(things)):
        return things
    first, last = things[0], things[-1]
    inner = re.search(r"\b(?:of|in|for|from)\s+(?:the\s+|an?\s+)?(?P<name>[^,]+)$", first)
    if inner and not re.search(r"\b(?:of|in|for|from)\s", last):
        return (inner["name"], *things[1:])
    head = last.split()
    if len(head) == 2 and first.islower() and all(len(thing.split()) == 1 for thing in things[:-1]):
        return (*(f"{thing} {head[1]}" for thing in things[:-1]), last)
    return things


def _thing(text: str, last: bool) -> str:
    """One thing without what is asked about it: only behind the last one stands what all are compared by."""
    text = _HEAD.sub("", text.strip())
    before = None
    while before != text:
        before, text = text, _TAIL.sub("", text).strip(' 　，,、:："“”')
    if last and "的" in text[1:]:
        text = text[: text.index("的", 1)]
    # A year alone is a thing of its own; beside a name it is what both share.
    plain = _DATED.sub("", text).strip(" 的在，,")
    return plain if len(plain) > 1 else text
