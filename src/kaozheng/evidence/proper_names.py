"""Proper names in a sentence: organisations, persons with their titles, places and works in Chinese; capitalised runs
and names of products in both languages. Wrong in some places, so a name may only ask for a look, never prove."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kaozheng.documents.characters import HAN
from kaozheng.evidence.folding import narrow
from kaozheng.sources.entities import Token, names_among

_WORK = re.compile(r"《[^《》\n]{1,60}》")
_HAN = re.compile(f"[{HAN}]")
_SURNAME: Final = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊"
    "金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢岳齐沿梅莫庄辛管祝左涂谷祁时舒耿"
    "牟卜路詹关苗凌费纪靳盛童欧甄项曲成游阳裴席卫查屈鲍位覃霍翁隋植甘景薄单包司柏宁柯阮桂闵解强柴华车冉房边辜吉饶刁瞿戚丘古米池滕晋苑邬臧畅宫来嵺苟全褚廉简娄"
)
TITLE: Final = re.compile(
    r"(?:副|总|代)?(?:书记|局长|处长|科长|主任|厅长|部长|市长|县长|区长|镇长|乡长|村长|院长|校长|所长|站长|会长|行长|董事长?|经理|总经理|总监|总裁"
    r"|主席|秘书长|委员|代表|组长|队长|队员|教授|博士|院士|研究员|工程师|律师|法官|检察官|医生|医师|护士|老师|教师|先生|女士|同志|师傅|记者|专员|主管|负责人"
    r"|馆长|店长|厂长|车间主任|班长|社长|主编|编辑|司机|警官|省长|司长|干事|顾问|助理|秘书|会计|出纳|校董|监事)"
)
"""Titles of persons."""
_ORGAN = re.compile(
    r"(?:局|厅|委|委员会|办公室|中心|法院|检察院|医院|大学|中学|小学|学院|学校|协会|学会|基金会|事务所|指挥部|领导小组|工作组|专班|项目部|事业部|档案馆"
    r"|图书馆|博物馆|支队|大队|出版社|电视台|报社|实验室|研究所)$"
)
_NO_PERSONS = (
    "洪水 查明 高温 周末 温馨 马上 金额 高新 常务 任务 白天 江水 盛夏 安全法 严禁 温度 高度 顾虑 关键 成熟 常规 易于"
)
_NO_PERSON: Final = frozenset(_NO_PERSONS.split())
"""What the dictionary takes for persons."""
_NEVER_LAST: Final = frozenset("须应将的在为对已等也说称任")
_COMMON_ORGANS = """
委员会 办公室 中心 法院 医院 大学 中学 小学 学院 学校 协会 学会 工作组 专班 项目部 实验室 研究所 图书馆 博物馆
"""
_COMMON_ORGAN: Final = frozenset(_COMMON_ORGANS.split())
_LATIN = re.compile(
    r"(?<![A-Za-z0-9_./@-])[A-Za-z][A-Za-z0-9]*(?:(?:[.&+-]|['’](?!s(?![A-Za-z])))[A-Za-z0-9]+)*(?![A-Za-z0-9_])"
)
_UNIT_LIKE = re.compile(r"(?:[KMGT]i?B|[kmcn]?m|[km]?g|[kM]?Wh?|GHz|MHz|Hz|ms|PM|AM|OK|ID|No|KB/s|MB/s|[vV]\d[\d.]*)")
_JOIN_WORDS = "of the and for de la von van der du &"
_JOINS: Final = frozenset(_JOIN_WORDS.split())
_MONTHS_AND_DAYS = (
    "January February March April May June July August September October November December Jan Feb Mar Apr Jun Jul Aug"
    " Sep Sept Oct Nov Dec Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Wed Thu Fri Sat Sun"
)
_GENERIC_WORDS = """
Board Council Authority Committee Mayor Treasurer Chair Chairman President Director Government Forum Company Trust
Minister Secretary Department Ministry Team Agency Commission Court Manager Governor University School Members Member
"""
_GENERIC: Final = frozenset(_GENERIC_WORDS.split())
"""What is a name only beside another word."""
_NEVER: Final = frozenset(
    (
        _MONTHS_AND_DAYS + " I I'm I'd I'll I've OK Yes No Note Figure Table Section Part Item Chapter Appendix"
        " RESOLVED AGREED NOTED ACTION UTC GMT"
    ).split()
)
_OPENING_WORDS = """
the a an in on at for to of by with from as and or but if when while since after before during under over both all
each every some any no not one two three four five six seven eight nine ten this that these those it its he she they
we you our their his her my there here what which who how why where so yet still also then however moreover because
although though only most many several few such another other more less first second third finally next last overall
until once per about between among within without according despite instead even just nothing nobody none never
please dear today yesterday tomorrow let is are was were do does did has have had will would can could should may
might must nor neither either whether unless across against through into
"""
_OPENERS: Final = frozenset(_OPENING_WORDS.split())


def proper_names(text: str) -> list[str]:
    """The proper names of a sentence as they are written there, in the order of the text, each once; a name within a
    longer one is not named again."""
    plain = narrow(text)
    places = [*_works(plain), *_latin(plain)]
    if _HAN.search(plain):
        places += _chinese(plain)
    kept: list[tuple[int, int]] = []
    for start, end in sorted(places, key=lambda place: (place[0] - place[1], place[0])):
        if not any(start < other[1] and other[0] < end for other in kept):
            kept.append((start, end))
    return list(dict.fromkeys(text[start:end] for start, end in sorted(kept)))


def _works(plain: str) -> Iterator[tuple[int, int]]:
    return (found.span() for found in _WORK.finditer(plain))


def _latin(plain: str) -> Iterator[tuple[int, int]]:
    """Runs of capitalised words; one word alone only when it does not open the sentence, or is no common word."""
    chinese = len(_HAN.findall(plain)) >= 4
    run: list[re.Match[str]] = []
    for word in _LATIN.finditer(plain):
        if run and not _goes_on(plain[run[-1].end() : word.start()], run, word):
            yield from _of_run(run, plain, chinese)
            run = []
        if _is_name_like(word[0]) or (run and word[0] in _JOINS):
            run.append(word)
    yield from _of_run(run, plain, chinese)


def _goes_on(between: str, run: list[re.Match[str]], word: re.Match[str]) -> bool:
    if between == " " or (between == ". " and len(run[-1][0]) <= 3 and run[-1][0] in ("Dr", "Mr", "Mrs", "Ms", "St")):
        return _is_name_like(word[0]) or word[0] in _JOINS
    return False


def _is_name_like(word: str) -> bool:
    return any(character.isupper() for character in word) and word not in _NEVER


def _of_run(run: list[re.Match[str]], plain: str, chinese: bool) -> Iterator[tuple[int, int]]:
    while run and run[-1][0] in _JOINS:
        run = run[:-1]
    opens = bool(run) and _opens(plain, run[0].start())
    while run and (run[0][0].casefold() in _OPENERS and (opens or len(run) > 1)):
        run, opens = run[1:], False
    while run and run[0][0] in _JOINS:
        run = run[1:]
    if not run or (len(run) == 1 and (_UNIT_LIKE.fullmatch(run[0][0]) or run[0][0] in _GENERIC)):
        return
    alone = len(run) == 1 and run[0][0][1:].islower() and not chinese
    if not (alone and opens) and len(run[0][0]) + len(run) > 2:
        yield run[0].start(), run[-1].end()


def _opens(plain: str, start: int) -> bool:
    """Whether a word stands where a capital letter says nothing: at the beginning, behind a colon, stop or mark."""
    before = plain[:start].rstrip(" \t\"'“‘(*_>#-•[|")
    return not before or before[-1] in ".:!?;\n" or re.search(r"(?:^|\n)\s*\d+[.)]?$", before) is not None


def _chinese(plain: str) -> Iterator[tuple[int, int]]:
    import rjieba  # 0.2 s

    tokens: list[Token] = rjieba.tag(plain)
    starts, at = [], 0
    for word, _ in tokens:
        starts.append(at)
        at += len(word)
    for first, last in names_among(tokens, _ORGAN):
        start, end = starts[first], starts[last] + len(tokens[last][0])
        if plain[start:end] not in _COMMON_ORGAN:
            yield start, end
    yield from _persons(tokens, starts)


def _persons(tokens: list[Token], starts: list[int]) -> Iterator[tuple[int, int]]:
    """A person with the title beside the name; without one, where the name looks like nothing else."""
    for index, (word, kind) in enumerate(tokens):
        if kind not in ("nr", "nrfg", "nrt") or not 2 <= len(word) <= 4:
            continue
        if len(word) == 3 and word[-1] in _NEVER_LAST:  # 李雪须在…
            word = word[:2]
        start, end = starts[index], starts[index] + len(word)
        before = tokens[index - 1][0] if index else ""
        after = "".join(one for one, _ in tokens[index + 1 : index + 3])
        behind = TITLE.match(after)
        if behind:
            yield start, end + len(behind[0])
        elif word in _NO_PERSON:
            continue
        elif TITLE.search(before) or (word[0] in _SURNAME and len(word) <= 3):
            yield start, end
