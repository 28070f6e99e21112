"""Where a prose names regions: rather none than a wrong one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Final

from kaozheng.county.regions.names import short_name
from kaozheng.county.regions.year_names import Called
from kaozheng.documents.span import Span

_ORDINARY: Final = """
东区 西区 郊区 南部 大安 仁和 东坡 前锋 金牛 安居 朝天 大英 小金 黑水 红原 九龙 通江 白玉 名山 石棉
嘉陵 沙湾 锦江 南江 江阳 雨城 兴文 喜德 得荣 东兴 三台 长宁 金川 会东 江安 大竹 新龙 金阳 天全 合江
翠屏 利州 船山 游仙 高坪 青羊 顺庆 开江 恩阳 平昌 普格 德昌 金堂
"""
"""Short names that mostly mean something else, in words (石棉, 通江达海), other places or streets: the level or the
region above must be said."""
_ANOTHER_NAME: Final = re.compile(
    "(?:[东西南北]?(?:路|街|巷|大道|大桥|桥|站|港|机场)|镇|乡|村|街道|社区|河|江|湖|山|水库|油田|气田|大佛|大学|学院|中学)"
)
"""What makes a street, a station or a township of a short name."""
_OF_ANOTHER: Final = re.compile("[^我全本各该两、，和与及][市州县]$")
"""济南市市中区: a name of several that a region outside the list has too."""
_NO_LEVEL: Final = re.compile("(?<=[县区市])[域级]|(?<=区)[间块位]|(?<=县)[区市]")
"""The level of a name is here part of another word: 南部县域, 市中区域, 高县区."""
_TOKEN_MUST_END: Final = 2
_ORDINARY_WORDS: Final = frozenset(_ORDINARY.split())


def places(text: str, names: Mapping[str, tuple[Called, ...]]) -> Iterator[tuple[Span, tuple[Called, ...]]]:
    """The places of `text` that are one of `names`, in order and never overlapping, with what each may mean."""
    lengths: dict[str, set[int]] = defaultdict(set)
    for name in names:
        if not name.isascii():
            lengths[name[0]].add(len(name))
    longest_first = {first: sorted(known, reverse=True) for first, known in lengths.items()}
    starts: frozenset[int] | None = None
    at = 0
    while at < len(text):
        found = 0
        for length in longest_first.get(text[at], ()):
            if text[at : at + length] in names:
                starts = starts if starts is not None else _word_starts(text)
                if _is_name(text, at, length, names[text[at : at + length]], starts):
                    found = length
                    break
        if found:
            yield Span(at, at + found), names[text[at : at + found]]
        at += found or 1


def _is_name(text: str, at: int, length: int, called: tuple[Called, ...], starts: frozenset[int]) -> bool:
    """Whether what looks like a name is one here: it begins a word, a short one ends with it, and no longer name or
    word goes on behind."""
    end = at + length
    name = text[at:end]
    if at not in starts or name in _ORDINARY_WORDS or _NO_LEVEL.match(text, end):
        return False
    if len(called) > 1 and _OF_ANOTHER.search(text, max(0, at - 2), at):
        return False
    if length <= _TOKEN_MUST_END and end not in starts:
        return False
    if not all(one.bare for one in called):
        return True
    return not (_ANOTHER_NAME.match(text, end) or short_name(called[0].entry.name) in _ORDINARY_WORDS)


def _word_starts(text: str) -> frozenset[int]:
    """Where words begin, and the end of the text."""
    import rjieba  # 0.2 s

    words: list[str] = rjieba.cut(text)
    return frozenset(accumulate(map(len, words), initial=0))
