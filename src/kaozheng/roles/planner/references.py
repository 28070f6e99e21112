"""What a question means that points back to the conversation: pronouns, "the second one", "and in 2022?".

By rule, from the latest turns alone. Where nothing can be put in the place of a word, what was asked before is put
beside the question: a search wants all its words, and a reader sees what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kaozheng.documents.characters import HAN
from kaozheng.roles.planner.cues import ABOUT_US, without_greetings
from kaozheng.sessions import Turn
from kaozheng.sources.telling import telling, without_asking

_DEPTH = 6
_MARK = re.compile(r"\s*[\[【［(（^]*E\d+[^\]】］)）]{0,20}[\]】］)）]")
_HAN = re.compile(f"[{HAN}]")
_YEAR = re.compile(
    r"(?<![〔﹝\[［(（【])(?:19|20)\d\d\s?年?(?:度|底|末|上半年|下半年|第?[一二三四1-4]季度)?|(?<!\d)\d{1,2}月份?|去年|前年|今年"
    r"|明年|上(?:个)?月|本月|上半年|下半年|[一二三四]季度"
)

_NUMBERED = re.compile(r"(?<![A-Za-z0-9_.-])[A-Za-z]{0,6}-?\d[\d.]*[A-Za-z]{0,3}(?![A-Za-z0-9_-])")
"""A number or a short code with one: what "and 2?" puts in the place of another."""
_GRADED = re.compile(r"[一二三四五六七八九十甲乙丙丁](?P<kind>[级类档期等批轮])")
"""A grade or class: what "那二级呢" puts in the place of another of its kind."""
_TO_WHOM = re.compile(r"(?<=对)[^，。？?的对]{2,12}?(?=的?[\u3400-\u9fff]{2}(?:多少|几|是|有|怎|如何|标准))")
"""Whom or what something is done to: what "那慢充桩呢" puts in the place of another."""
_TOPIC = re.compile(r"^(?P<topic>[A-Za-z][^:?]{2,40}):\s+\S")
_OWN_ASKING = re.compile(r"^(?:how|what|when|where|who|which|is|are|do|does|can)\b", re.I)
_WHOLE = re.compile(
    r"^(?:哪一?[个家种项款座位条][\u3400-\u9fff]{1,8}的\s*(?!最)[^，。？?\s最]{2,}"
    r"|(?:各|所有|全部|每个)[^，。？?的]{1,12}的[^，。？?]{2,}|[\u3400-\u9fff]{4,12}(?<![这那该此])的[^，。？?呢]{2,})"
)
"""Names its own subject and what of it is asked: it needs nothing that was said before."""
_ZH_IT = re.compile(
    r"它们?|他们?|她们?|其(?=[^他她它中实余次间它])|(?:该|此)(?=[^外前后时次])|(?:这|那)(?:一)?(?:个|种|款|项"
    r"|家|份|类|件|些|台|部|条)|上述|上面(?:的|说的|提到的)|刚才|前面(?:的|说的|提到的)"
)
_ZH_THAT_THING = re.compile(
    r"(?:该|此|这|那|上述|本)(?:一)?(?:个|种|款|项|家|份|类|条|部|台|件)?(?P<noun>[\u3400-\u9fff]{1,4})"
)
_EN_IT = re.compile(
    r"\b(?:it|its|they|them|their|theirs|that one|this one|those|these|this|that|he|she|him|her|his)\b(?! (?:is"
    r"|was)? ?(?:possible|necessary|safe|ok|true|better|worth|likely)\b)",
    re.I,
)
_EN_DUMMY = re.compile(
    r"\b(?:is|was|does|will|would|can) it (?:possible|necessary|safe|ok(?:ay)?|true|better|worth|legal"
    r"|mean|matter|rain)\b|\bthat (?:\w+s|are|is|have|can|must|the)\b",
    re.I,
)
_ZH_OPENING = re.compile(
    r"^(?:那么?|还有|以及|另外|并且|而且|然后|所以|因此|可是|但是?|如果(?:是|换成)?|换成|至于|再说|又|也)[，,]?"
)
_EN_OPENING = re.compile(r"^(?:and|but|so|then|also|what about|how about|what if|or)\b[\s,]*", re.I)
_ZH_ORDINAL = re.compile(
    r"(?:那|这)?第(?P<n>[一二两三四五六1-6])(?:个|种|项|款|类|点|条|者|步|家|处|部分|份)?|后者|前者"
    r"|最后(?:一)?(?:个|种|项|款|类|点|条)"
)
_EN_ORDINAL = re.compile(
    r"\b(?:the )?(?P<n>first|second|third|fourth|fifth|last|former|latter)(?: (?:one|option|item|point|method"
    r"|way|step|type|kind|approach|mode))?\b(?! (?:quarter|half|year|month|floor|time|day|week|of)\b)",
    re.I,
)
_ORDER: Final = {
    "一": 0,
    "二": 1,
    "两": 1,
    "三": 2,
    "四": 3,
    "五": 4,
    "六": 5,
    "first": 0,
    "former": 0,
    "second": 1,
    "third": 2,
    "fourth": 3,
    "fifth": 4,
    "last": -1,
    "latter": -1,
}
_BARE = re.compile(
    r"^(?:为什么|为啥|为何|怎么(?:做|办|弄|回事|说|算|操作|会这样)?|多少钱?|多久|多长时间|什么时候|何时"
    r"|在哪(?:里|儿)?|哪里|谁|具体(?:呢|是什么|说说|怎么做)?|详细(?:说说|点|一点)|比如呢?|例如呢?|还有(?:吗|呢"
    r"|别的吗|其他的?吗)|继续(?:说)?|然后呢|接着呢|真的吗|依据(?:是什么|呢)|出处(?:呢|是什么|在哪里?)"
    r"|why(?: not| is that)?|how(?: come| so| much| many| long)?|when|where|who|more|go on|continue"
    r"|tell me more|for example|such as|details?|any (?:others?|more)|anything else|what else|really"
    r"|are you sure)[呢吗呀啊\s？?。.!！]*$",
    re.I,
)
_HEADLESS = re.compile(
    r"^(?:什么时候|何时|多少|多[久大长高远]|几|怎么|如何|谁|哪|为什么|为啥|是否|有没有|能不能|可不可以|由谁"
    r"|在哪)|^(?:why|how|when|where|who)\b",
    re.I,
)
"""A question that begins with its question word, and so may have left out what it is about."""
_ALSO = re.compile(
    r"^[^，。？]{1,14}也(?:适用|是|有|可以?|需要|能|要|包括|一样|算|会|得|得了)|\b(?:too|as well|also)\b", re.I
)
_MENTIONED = re.compile(
    r"(?:前面|之前|刚才|上面|最初|一开始)(?:提到|说到?|问到?|讲到?)?的|\b(?:mentioned|earlier|before)\b", re.I
)
_ENDS_NE = re.compile(r"呢[？?。\s]*$")
_ASKS = re.compile(
    r"[？?]|吗|呢|什么|怎|如何|多少|几|哪|谁|是否|能否|可否|有没有|是不是|为何|何时|请|介绍|说明|列出|解释|告诉"
    r"|查|^(?:what|how|when|where|who|why|which|is|are|do|does|did|can|could|should|will|would|list|explain"
    r"|tell|describe|show|find|give)\b",
    re.I,
)
_LIGHT: Final = re.compile(
    r"这|那|它|他|她|其|该|此|个|些|种|样|东西|事(?:情)?|问题|情况|内容|地方|时候|弄|搞|办|做|用|处理|操作|设置"
    r"|解决|整|可以|能|行|要|会|有|没|不|好|对|错|了|着|过|的|是|在|呢|吗|啊|吧|怎么?|为什么|什么|如何|多少|几"
    r"|哪里?|谁|一下|下|我|你|请|帮|想|知道|告诉|看看?|说说?|讲讲?|来着|\b(?:it|this|that|these|those|they|them"
    r"|thing|things|stuff|work|works|do|does|did|use|used|using|one|ones|here|there|mean|means|get|go|make|fix"
    r"|about|again|please|help|me|you|i|we|us|can|could|should|would|will|to|with|of|the|a|an|is|are|was|be|how"
    r"|what|why|when|where|who|which|so|and|then|now|just|problem|issue|up|on|for|in|if|not|n't|other|another"
    r"|know|tell"
    r"|explain|happened|happen|wrong|next)\b|[^\w]",
    re.I,
)
_ZH_SUBJECT_END = re.compile(
    r"(?:的|是|有(?!限|关|效|机|色)|在(?!线)|需要|可以|应当?|必须|能(?!力|源|耗|效)|会(?!议|计)|要(?!求|素)"
    r"|怎么?|如何|多少|多(?:长|久|大|高)|几(?=[个年月天次条])|哪|何|为什么|什么|吗|呢|由|属于|位于|包括|包含"
    r"|采用|使用|支持|规定|分为|成立于?|[？?，,。])"
)
_EN_OBJECT = re.compile(
    r"\b(?:of|for|in|about|does|do|is|are|was|can|did|will|should)\s+(?P<thing>(?:the\s+|an?\s+"
    r"|our\s+)?[A-Za-z0-9][\w.-]*(?:\s+(?!(?:store|stores|work|works|use|uses|support|supports|take|takes|have"
    r"|has|need|needs|cost|in|on|at|for|to|with|by|from|be|do|does|is|are)\b)[\w.-]+){0,3})",
    re.I,
)


def points_back(question: str) -> bool:
    """Whether the question cannot be understood without what was said before it."""
    text = without_greetings(question) or question
    if _BARE.match(text) or _ENDS_NE.search(text) or _ZH_OPENING.match(text) or _EN_OPENING.match(text):
        return True
    if _ordinal(text) is not None or _ALSO.search(text) or _MENTIONED.search(text):
        return True
    if _WHOLE.match(text) and not _ZH_IT.search(text):
        return False
    if _HEADLESS.match(text) and (len(_HAN.findall(text)) <= 8 if _HAN.search(text) else len(text.split()) <= 4):
        return True
    if _HAN.search(text):
        short = len(_HAN.findall(text)) <= 14 and not _ASKS.search(text)
        return bool(_ZH_IT.search(text)) or short
    pronoun = bool(_EN_IT.search(_EN_DUMMY.sub(" ", text)))
    return pronoun or (len(text.split()) <= 6 and not _ASKS.search(text))


def is_vague(question: str) -> bool:
    """Whether the question, with nothing before it, names nothing that could be searched for."""
    text = without_greetings(question) or question
    rest = "".join(_LIGHT.sub(" ", text).split())
    if len(rest) < 2:
        return True
    if _HAN.search(text):
        opens = re.match(
            r"^(?:那么?)?(?:它们?|他们?|她们?|其(?=[^他中实余次间])|该(?=[^不])|上述|前者|后者|这(?:个|种"
            r"|款)(?=[的怎能可多有是]))",
            text,
        )
        return bool(opens) and len(telling(_ZH_IT.sub(" ", text))) <= 6
    asks_it = _EN_IT.search(_EN_DUMMY.sub(" ", text))
    return bool(asks_it) and len([one for one in telling(_EN_IT.sub(" ", text)) if len(one) > 2]) <= 1


def resolved(question: str, turns: Sequence[Turn], depth: int = _DEPTH) -> str:
    """The question so that it stands alone; itself when it points to nothing, or nothing comes before it."""
    text = without_greetings(question) or question
    before = _latest(turns)
    if before is None or not depth or not points_back(text):
        return text
    at, turn = before
    asked = resolved(turn.question, turns[:at], depth - 1)
    if _MENTIONED.search(text) and at:
        return _beside(text, "，".join(filter(None, (subject(one.question) for one in turns[:at]))) or asked)
    return (
        _instead_of_ordinal(text, asked, turn.answer)
        or _ellipsis(text, asked)
        or _instead_of_it(text, asked, turn)
        or _beside(text, asked)
    )


def subject(question: str) -> str:
    """What a question is about: the words before what is asked of it; "" when that cannot be told."""
    text = without_greetings(question) or question
    text = re.sub(
        r"^(?:请问|请|帮我|麻烦|我想知道|想问一?下?|介绍一?下?|说说|讲讲|什么是|解释一?下?|关于|查一?下?|告诉我"
        r"|列出|说明|对于)+",
        "",
        text,
    ).strip(" ，,")
    if not _HAN.search(text):
        found = [one["thing"] for one in _EN_OBJECT.finditer(text)]
        return re.sub(r"^(?:the|an?|our)\s+", "", found[-1], flags=re.I).strip() if found else ""
    end = _ZH_SUBJECT_END.search(text, 1)
    head = text[: end.start()] if end else text
    head = re.sub(
        r"^(?:在|从|到|对|为|给|把|将|冬季|夏季|春季"
        r"|秋季)+(?=.{2,})",
        "",
        _YEAR.sub("", head),
    ).strip(" ，,")
    return head if 1 < len(head) <= 24 else ""


def _latest(turns: Sequence[Turn]) -> tuple[int, Turn] | None:
    """The last turn that was about something, and which it is."""
    for at in range(len(turns) - 1, -1, -1):
        said = without_greetings(turns[at].question)
        if said and not ABOUT_US.match(said):
            return at, turns[at]
    return None


def _ordinal(text: str) -> int | None:
    found = _ZH_ORDINAL.search(text) or _EN_ORDINAL.search(text)
    if not found:
        return None
    if found[0].endswith("前者"):
        return 0
    named = (found.groupdict().get("n") or "last").lower()
    return int(named) - 1 if named.isdigit() else _ORDER[named]


def _instead_of_ordinal(text: str, asked: str, answer: str) -> str:
    which = _ordinal(text)
    things = listed(answer) if which is not None else []
    if which is None or not -len(things) <= which < len(things):
        return ""
    pattern = _ZH_ORDINAL if _HAN.search(text) else _EN_ORDINAL
    put = pattern.sub(lambda _: things[which], _EN_OPENING.sub("", _ZH_OPENING.sub("", text)), count=1)
    return _beside(put, asked) if len(telling(put)) < 4 else put


def listed(answer: str) -> list[str]:
    """The things that an answer lists, in its order: its list lines, else what stands before each of its marks, else
    what its commas divide."""
    lines = [
        found[1]
        for line in answer.splitlines()
        if (found := re.match(r"\s*(?:[-*+•]|\d{1,2}[.)、）]|[（(]\d{1,2}[)）])\s*(.+)", line))
    ]
    if len(lines) >= 2:
        return [re.split(r"[：:，,。—–;；]|\s-\s", _MARK.sub("", line).replace("**", ""))[0].strip() for line in lines]
    inline = re.split(r"(?:^|(?<=[；;，,。：:\s]))[（(]?\d{1,2}[.、)）]\s*", answer)[1:]
    if len(inline) >= 2:
        return [re.split(r"[：:，,；;。—]", _MARK.sub("", piece))[0].strip() for piece in inline]
    pieces = [piece for piece in _MARK.split(answer) if re.search(r"\w", piece)]
    if len(pieces) < 2:
        pieces = re.split(r"、|[，,]|和|以及|\band\b|\bor\b", re.split(r"[。；;]|\.\s", _MARK.sub("", answer))[0])
        pieces = [one for one in pieces if one.strip()]
    elif len(_MARK.findall(answer)) < len(pieces):
        pieces = pieces[: len(_MARK.findall(answer))]
    return [thing for one in pieces if (thing := _named(one))] if len(pieces) >= 2 else []


def _named(piece: str) -> str:
    """The thing at the end of what stands before a mark."""
    text = re.sub(
        r"^[\s，,。.；;、：:]*(?:和|与|及|以及|还有|另有|and|or|as well as|另一[个种]是|其次是?"
        r"|第[一二三四五]是?)?\s*",
        "",
        piece.strip(),
    )
    text = (
        re.sub(
            r"^.*(?:分为|包括|包含|支持|提供|分别是|有|是|includes?|supports?|are|offers?|provides?"
            r"|uses?)[:：]?\s*",
            "",
            text,
        )
        or text
    )
    text = re.sub(r"\s(?:were|was|are|is|have|has|will|can)\b.*$", "", text, flags=re.I)
    return text.strip(" ，,。.；;、：:")[-40:]


def _ellipsis(text: str, asked: str) -> str:
    """What was asked, with the one thing changed that the question names: "那2022年呢？", "and in 2022?"."""
    plain = _EN_OPENING.sub("", _ZH_OPENING.sub("", text))
    fragment = re.sub(r"(?:呢|吗|怎么样|如何)?[？?。.!！\s]*$", "", plain).strip()
    is_fragment = _ENDS_NE.search(text) or plain != text or len(fragment) <= 6
    if (
        not fragment
        or not is_fragment
        or _ordinal(text) is not None
        or _ZH_IT.search(fragment)
        or re.search(r"\b(?:it|its|they|them)\b", fragment, re.I)
    ):
        return ""
    if year := _YEAR.fullmatch(re.sub(r"^(?:in|for|during)\s+", "", fragment, flags=re.I)):
        return _YEAR.sub(year[0], asked, count=1) if _YEAR.search(asked) else _beside(fragment, asked)
    if _NUMBERED.fullmatch(fragment) and len(numbered := _NUMBERED.findall(asked)) == 1:
        return asked.replace(numbered[0], fragment, 1)
    if _ASKS.search(fragment) or _BARE.match(fragment):
        return ""
    if graded := _GRADED.fullmatch(fragment):
        same = [one[0] for one in _GRADED.finditer(asked) if one["kind"] == graded["kind"]]
        if len(same) == 1:
            return asked.replace(same[0], fragment, 1)
    if (
        len(fragment) > 2
        and (whom := _TO_WHOM.search(asked))
        and subject(asked) != fragment
        and not _is_aspect(fragment)
    ):
        return f"{asked[: whom.start()]}{fragment}{asked[whom.end() :]}"
    if _HAN.search(text) and (old := subject(asked)) and _alike(old, fragment):
        return asked.replace(old, fragment, 1)
    return ""


def _is_aspect(fragment: str) -> bool:
    """Whether a fragment is what is asked of a thing (its limit, its amount), and no other thing."""
    return (
        re.search(r"(?:[上下]限|标准|金额|比例|条件|时间|期限|日期|数量|原因|流程|材料|要求|依据|范围|对象)$", fragment)
        is not None
    )


def _alike(old: str, new: str) -> bool:
    """Whether one name may stand where the other stands: both end alike (…县, …局, …型), or are short."""
    return old[-1] == new[-1] and len(new) <= 12


def _instead_of_it(text: str, asked: str, turn: Turn) -> str:
    """The question with its pronoun replaced by what was spoken about."""
    if not _HAN.search(text):
        return ""
    opened = _ZH_OPENING.sub("", text)
    for found in _ZH_THAT_THING.finditer(opened):
        for length in range(len(found["noun"]), 1, -1):
            noun = found["noun"][:length]
            if thing := _ending_in(noun, asked) or _ending_in(noun, _MARK.sub("", turn.answer)):
                return opened[: found.start()] + thing + opened[found.start("noun") + length :]
    topic = subject(asked)
    pronoun = re.search(r"它们?|他们?|她们?|其(?=[^他她它中实余次间])", opened)
    if not topic or not pronoun:
        return ""
    return (
        opened[: pronoun.start()]
        + topic
        + ("" if opened[pronoun.end() :].startswith("的") or pronoun[0][0] != "其" else "的")
        + opened[pronoun.end() :]
    )


def _ending_in(noun: str, text: str) -> str:
    """The longest name in the text that ends in this noun."""
    best = ""
    for found in re.finditer(rf"[\w·《》“”-]{{2,24}}?{re.escape(noun)}", text):
        name = (
            re.sub(r"^.*?(?:一下|什么是|请问|的|了|是|在|有|和|与|为|介绍|关于|对|由|及)(?=.{2,})", "", found[0])
            if _HAN.search(found[0])
            else found[0]
        )
        best = max(best, name, key=len) if len(name) > len(noun) else best
    return best


def _beside(text: str, asked: str) -> str:
    """The question beside what was asked before."""
    plain = _EN_OPENING.sub("", _ZH_OPENING.sub("", text)).strip()
    # "Remote work: how many days?" has said what it is about; another question of it leaves the first one behind.
    if (topic := _TOPIC.match(asked)) and _OWN_ASKING.match(plain):
        return f"{topic['topic']}: {plain}"
    return f"{without_asking(asked)}，{plain}" if _HAN.search(asked + text) else f"{asked.rstrip('?. ')}: {plain}"
