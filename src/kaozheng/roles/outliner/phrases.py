"""Titles for passages without a heading: what their sentences announce, else the words that tell them from the rest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from kaozheng.sources.ranking import TfIdf, stem, surface_forms, terms

_HAN = "\u4e00-\u9fff"
_SAID = "说明|说|讲|谈|提到|提起|提出|介绍|汇报|通报|讨论|问"
_THINGS = "情况|进度|进展|准备|问题|安排|计划|结果|原因|办法|方案|要求|经过|意见|措施"
_ANNOUNCED = (
    re.compile(r"(?:关于|至于|说到)(?P<topic>[^，。：；！？\n]{2,16}?)(?:的事情?|这件事)?[，：]"),
    re.compile(r"(?P<topic>[^，。：；！？\n]{2,12})(?:的事情?|这件事|方面)[，：]"),
    re.compile(
        rf"[{_HAN}]{{0,6}}?(?:{_SAID})(?:了|起|到|一下|过)*(?P<topic>[^，。：；！？“”《》\n]{{2,16}})(?=[。，；：])"
    ),
    re.compile(r"(?:As for|Regarding|Concerning|About|On) (?:the )?(?P<topic>[^.,;:!?\n]{3,40}),"),
    re.compile(
        r"(?:[\w'’-]+ ){0,4}?(?:reported on|report(?:ed)? about|talked about|spoke about|turned to|discussed|presented|"
        r"explained|introduced|described|reviewed|raised) (?:the )?(?P<topic>[^.,;:!?\n]{3,40})(?=[.,;:])"
    ),
)
_DEFINED = (
    re.compile(
        r"(?P<topic>[^，。：；！？\s\n][^，。：；！？\n]{1,15}?)(?:（[^）\n]{1,40}）|\([^)\n]{1,40}\))? ?"
        r"(?:是指|指的是|是一[种个款项类套]|又称|，?全称)"
    ),
    re.compile(
        r"(?:The |An? )?(?P<topic>(?:[\w.'’+#-]+ ){0,3}[\w.'’+#-]+?)(?: \([^)\n]{1,40}\))? (?:is|are) (?:an?|the)\b"
    ),
)
_SPEAKER = re.compile(
    rf"(?:^|[，。；：！？\n]|让|由|和|请)([{_HAN}]{{2,3}}?)(?:先|又|也|还|再|则|接着|不)?"
    rf"(?:{_SAID}|补充|建议|要求|担心|认为|同意|觉得|负责|的意见|去联系|本周|复核)"
)
_NO_TOPIC = re.compile(
    r"[他她它我你您咱这那哪谁其此该各]|一[句声]|的话|什么|(?:It|This|That|There|Here|He|She|They|We|You|I|What|Which|Who|If|When)\b",
)
_NO_KEYWORD = re.compile(
    r"[一二三四五六七八九十两几百千每各]|.*[了着过没就都还也很]|.*[年月日个家位批次件天元枚条台]$|同意|不|已经"
)
_DATE = re.compile(r"^(?:\d{1,4}[年月日号/.:-]*)+(?:上午|下午|晚上|的)?")
_OF = re.compile(rf"的(?=(?:{_THINGS})$)")
_CLAUSE_END = re.compile(r"[，。；：！？、,;:!?\n]|\.\s")
_GENRE = re.compile(
    rf"[{_HAN}A-Za-z0-9 ]{{0,12}}(?:会|会议|纪要|报告|通知|方案|说明|记录|总结|计划|规范|指南|手册|笔记|制度|办法)$"
)
_EDGES = (
    "为在对将把被于以从由向让使即则若设令当而其有个的得地了着过与"
    "和或及是可能会要就都也还更最很不没这那此该每各所之时中上下里"
)
_PLAIN_WORD = re.compile(r"[A-Za-z][A-Za-z'’+#-]+")
_COMMON = """
a about above after again all allow allows alone along already also although always an and another any are as at
away back be because been before being below best better between both but by call called can cannot case cases
change com come common consider could create created creating default define defined describe did different do
does doing done down each easily either else end enough etc even every example examples few find first following
for from further get gets give given gives go going good had has have having he help helps her here his how
however http https if important in include including instead into is it its just keep know large last later less
let like likely little long look made main make makes making many may mean means might more most much must my
name names need needs never new next no not note now number of off often on once one only or org other our out
over own part parts perform possible put really require required run running said same say says see seen set
several shall she should show shown simple simply since single small so some something specific specify still
such take taken than that the their them then there these they thing things this those three through thus time
times to together too try two under until up upon us use used useful user uses using usually value very via want
was way ways we well were what when where whether which while who whole whose why will with within without work
works would www yet you your
"""
COMMON_WORDS = frozenset(_COMMON.split())
"""English words that name nothing by themselves."""
_LONGEST_PHRASE = 8
_NOT_PROSE = re.compile(r"\$\$.*?\$\$|\$[^$\n]*\$|https?://\S+|\\[A-Za-z]+|\b[\w/-]+\.[a-z]{1,4}\b", re.DOTALL)
_PAIR_LENGTH = {True: 14, False: 40}
_LONGEST = 20


def titles_of(groups: Sequence[Sequence[str]], language: str) -> list[str]:
    """A title for each group of passages, "" where nothing fit to be one is found."""
    texts = [_NOT_PROSE.sub(" ", "\n".join(passages)) for passages in groups]
    table = TfIdf([terms(text) for text in texts], surface_forms(texts))
    speakers = {name for text in texts for name in _SPEAKER.findall(text)}
    titles: list[str] = []
    for place, passages in enumerate(groups):
        topics = _joined(list(dict.fromkeys(_topics(passages))), language)
        words = _keywords(table, place, texts[place], speakers)
        pair = words[:2] if language == "zh" else []  # one English phrase names a section better than two words do
        choices = [topics, _joined(pair, language), *(_joined([word], language) for word in words)]
        opening = _opening(passages[0]) if passages else ""
        titles.append(next((one for one in (*choices, opening) if one and one not in titles), ""))
    return titles


def name_of(text: str) -> str:
    """What the beginning of a text calls itself ("项目碰头会", "…通知"), "" when it does not."""
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    clauses = (clause.strip() for clause in re.split(r"[，。；：！？,;:]", first[:120]))
    return next((clause for clause in clauses if len(clause) > 2 and _GENRE.fullmatch(clause)), "")


def _topics(passages: Sequence[str]) -> Iterator[str]:
    for place, passage in enumerate(passages):
        text = passage.lstrip(" \t\u3000#>*-")
        for pattern in (*_ANNOUNCED, *(_DEFINED if place < 2 else ())):
            found = pattern.match(text)
            topic = _OF.sub("", _DATE.sub("", found["topic"].strip())) if found else ""
            if len(topic) > 1 and not _NO_TOPIC.match(topic):
                yield topic
                break


def _keywords(table: TfIdf, place: int, text: str, speakers: set[str]) -> list[str]:
    """The best four: Han phrases with whole words at both ends, or phrases of Latin words in a text without Han."""
    kept = []
    chinese = len(re.findall(f"[{_HAN}]", text)) > len(text) / 4
    for word in table.keywords(place, 12):
        whole = word if word.isascii() else _whole(word, text)
        if len(whole) < 2 or _NO_KEYWORD.match(whole) or text.count(whole) < 2 or (chinese and whole.islower()):
            continue
        if not any(whole in name or name in whole for name in speakers):
            kept.append(whole)
    return list(dict.fromkeys(kept))[:4] if chinese else _noun_phrases(text)[:4]


def _whole(phrase: str, text: str) -> str:
    """`phrase` with what always follows it, without function words at its ends: 为二元关 -> 二元关系."""
    phrase = phrase.lstrip(_EDGES)
    while phrase and len(phrase) < _LONGEST_PHRASE:
        following = set(re.findall(rf"{re.escape(phrase)}([{_HAN}]?)", text))
        if len(following) != 1 or not (sign := following.pop()) or sign in _EDGES:
            break
        phrase += sign
    return phrase.rstrip(_EDGES)


def _noun_phrases(text: str) -> list[str]:
    """Runs of one to three words that are repeated, longer and more frequent ones first."""
    found: Counter[tuple[str, ...]] = Counter()
    forms: dict[tuple[str, ...], str] = {}
    for clause in re.split(r"[^\w\s'’/+#-]+|\n\s*\n|\. ", text):
        run: list[str] = []
        for word in [*clause.split(), ""]:
            if _PLAIN_WORD.fullmatch(word) and word.lower() not in COMMON_WORDS:
                run.append(word)
                continue
            for start in range(len(run)):
                for end in range(start + 1, min(len(run), start + 3) + 1):
                    key = tuple(stem(one.lower()) for one in run[start:end])
                    found[key] += 1
                    forms.setdefault(key, " ".join(run[start:end]))
            run = []
    repeated = [key for key, count in found.items() if count > 1]
    repeated.sort(key=lambda key: (-found[key] * (1, 2.2, 2.6)[len(key) - 1], key))
    return [forms[key] for key in repeated]


def _joined(words: Sequence[str], language: str) -> str:
    """The first two, or the first alone where two would be too long to read at a glance."""
    if not words:
        return ""
    chinese = language == "zh"
    both = ("、" if chinese else " and ").join(words[:2])
    title = both if len(both) <= _PAIR_LENGTH[chinese] else words[0]
    return title[:1].upper() + title[1:] if not chinese and title.islower() else title


def _opening(passage: str) -> str:
    """The first clause, when it is short enough to be a title."""
    text = passage.strip()
    end = _CLAUSE_END.search(text)
    clause = text[: end.start()] if end else text
    if clause.isascii():
        return clause if " " in clause and len(clause) <= 2 * _LONGEST else ""
    return clause if 2 < len(clause) <= _LONGEST and clause[0] not in _EDGES else ""
