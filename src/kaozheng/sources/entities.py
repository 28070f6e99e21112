"""What a text about an economy speaks of: places, companies and parks, indicators, amounts. Found by their endings and
the dictionary's word classes; for keywords that lead to a text, not for facts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

Token = tuple[str, str]
"""A word and its class in the dictionary."""
_FIRM = re.compile(r"(?:公司|集团|合作社|银行|研究院|商会|协会)$")
_PARK = re.compile(r"(?:园区|产业园|工业园|科技园|物流园|开发区|高新区|经开区|新区)$")
_PLACE = re.compile(r"(?:[省市县区州镇乡村]|街道)$")
_NAMED: Final = frozenset({"ns", "nr", "nz", "nt", "nrt", "nrfg", "j"})
_JOINED: Final = _NAMED | {"n", "a", "b", "l", "vn", "ng", "an", "eng", "i", "zg"}
_MOST_TOKENS: Final = 6
_LONGEST: Final = 24
_COMMON = re.compile(  # end like a place and name none
    "[全我本各副][省市县区镇]|[城都上超股楼门夜]市|[地社市城县山郊片园新景小校库灾牧特辖]区|区县|市县|县市|市州|[乡城]镇|[农乡]村"
)
_INDICATOR = re.compile(
    r"(?<![A-Za-z])(?:GDP|CPI|PPI|PMI)(?![A-Za-z])|地区生产总值|(?:规模以上|规上)?工业增加值|规(?:模以)?上工业|"
    r"(?:全社会)?固定资产投资|固投|社会消费品零售总额|社零|一般公共预算(?:收入|支出)|(?:城镇|农村)?居民人均可支配收入|"
    r"税收收入|进出口总额|实际利用外资|招商引资|城镇化率|失业率|用电量|产能利用率|粮食产量|第[一二三]产业(?:增加值)?|"
    r"(?i:\b(?:gross domestic product|value added|fixed[- ]asset investment|retail sales|unemployment rate|"
    r"capacity utili[sz]ation|public revenue|foreign trade)\b)"
)
_AMOUNT = re.compile(
    r"\d[\d,]*(?:\.\d+)?\s?(?:[万亿]{1,2}|[千百])?(?:元|美元|吨|千瓦时|千瓦|亩|平方公里)|[$€£]\s?\d[\d,]*(?:\.\d+)?(?:\s(?:m|b|tr)illion)?"
)
_LATIN = re.compile(
    r"\b(?:[A-Z][\w&'’-]*\s){1,4}(?:Inc|Corp|Ltd|LLC|Group|Company|Holdings|Bank|Park|Zone|County|Province|District)\b"
)
_CHARS: Final = 200_000
"""Of a text that is looked at: a recording of ten hours."""


def economic_entities(text: str, most: int = 6) -> list[str]:
    """The names, indicators and amounts that occur most often, names and indicators before amounts; of two names of
    which one ends the other the longer one."""
    text = text[:_CHARS]
    names = Counter(_names(text))
    names.update(found[0] for found in _INDICATOR.finditer(text))
    for short in [name for name in names if any(name != other and other.endswith(name) for other in names)]:
        names.pop(short)
    amounts = Counter(found[0] for found in _AMOUNT.finditer(text))
    return [one for one, _ in [*names.most_common(), *amounts.most_common()]][:most]


def names_among(tokens: Sequence[Token], more: re.Pattern[str] | None = None) -> Iterator[tuple[int, int]]:
    """The places of names among the tagged words of a text: (first, last) token of firms, parks and places, and of what
    ends in a word that `more` finds."""
    for at, (word, kind) in enumerate(tokens):
        if _COMMON.fullmatch(word) and word not in ("园区", "新区"):
            continue
        if _FIRM.search(word) or (more is not None and more.search(word)):
            first = _first(tokens, at, _MOST_TOKENS)
        elif _PARK.search(word):
            first = _first(tokens, at, 3)
        elif _PLACE.search(word) and kind in _JOINED:
            first = at if kind == "ns" else _first(tokens, at, 1, _NAMED)
        else:
            continue
        if first < at or (kind in _NAMED and len(word) > 2):
            yield first, at


def _names(text: str) -> Iterator[str]:
    import rjieba

    yield from (found[0] for found in _LATIN.finditer(text))
    tokens: list[Token] = rjieba.tag(text)
    yield from ("".join(word for word, _ in tokens[first : last + 1]) for first, last in names_among(tokens))


def _first(tokens: Sequence[Token], at: int, most: int, kinds: frozenset[str] = _JOINED) -> int:
    """Where the name begins that the token ends. A verb may stand before the last part alone (焊管有限公司); a name
    begins with no verb and with no common noun of a kind of business."""
    first = at
    while first and at - first < most:
        word, kind = tokens[first - 1]
        inner = kind == "v" and first == at and len(word) > 1 and at > 1 and tokens[at - 2][1] in _JOINED
        if kind not in kinds and not inner:
            break
        first -= 1
    length = sum(len(word) for word, _ in tokens[first : at + 1])
    return first if first < at and tokens[first][1] not in ("v", "vn") and length <= _LONGEST else at
