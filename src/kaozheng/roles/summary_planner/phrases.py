"""Noun phrases that tell one part of a text from the others, to name it by. Whole words only: the dictionary's word
classes in Chinese; in English what is said again behind an article or preposition, or is a name."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from kaozheng.documents.document import language_of
from kaozheng.roles.outliner.phrases import COMMON_WORDS
from kaozheng.sources.ranking import FUNCTION_TERMS, stem

_NOUNS: Final = frozenset({"n", "nz", "ns", "nt", "nrt", "nrfg", "vn", "an", "j", "eng", "b", "nw"})
_LAST: Final = _NOUNS - {"b", "an"}
_DEED: Final = frozenset({"vn"})  # ends a phrase only where it is said again: it may be a verb
_LONGEST_HAN: Final = 10
_WHOLE_HAN: Final = 4  # a phrase that is said once must be so long, and all that stands together
_VAGUE_HAN = """
情况 方面 问题 工作 时候 地方 东西 事情 结果 部分 内容 方式 人员 单位 意见 要求 方法 时间 大家 左右 以上 以下 全部
有关 相关 主要 基本 重要 具体 小时候 依法依规 无法 统一 突破 首次 一致 力争 长达 高达 个别情况 同志 各位
"""
_VAGUE_LATIN = """
thing things part parts number year years month months week weeks day days person case lot kind sort mr mrs ms dr prof
section page figure table question point reason morning afternoon evening monday tuesday wednesday thursday friday
saturday sunday january february march april may june july august september october november december third end rest
fact place minutes hours three four five six seven eight nine ten hundred thousand million percent per cent sixth
second eighth half every everything everyone everybody nothing nobody anyone anybody anything someone
somebody something none neither either asked said item items document text
"""
_BEFORE = "the a an our its their this these each of on for in by from with"
_BEHIND = "of for in on at to from by with under over and or that which was were is are will has had"
_VAGUE: Final = COMMON_WORDS.union(_VAGUE_HAN.split(), _VAGUE_LATIN.split())
_WORD = re.compile(r"[A-Za-z][A-Za-z-]*(?:['’]s\b)?|\d[\d.,]*|[^\w\s]")
_OPENS: Final = frozenset(_BEFORE.split())
_CLOSES: Final = frozenset(_BEHIND.split())
_NO_NOUN = re.compile(r"(?:ly|ing|ed|['’]s)$")
_SHOUTED = re.compile(r"[A-Z]{5,}")
_ENDS = re.compile(r"[.!?:]")
_LONGEST_LATIN: Final = 3
_WORD_ALONE: Final = 6  # letters of a single Latin word that may stand over a section
_MARKUP = re.compile(r"`[^`\n]*`|\$[^$\n]*\$|https?://\S+|[*_#|>]+")
_NEAR_BEST: Final = 0.5
_Counts = Counter[str]


def phrases_of(groups: Sequence[str], language: str, most: int = 2) -> list[list[str]]:
    """For each text, by the words of its own language (`language` where it does not tell), at most `most` phrases, the
    most telling one first; a second one only when it tells nearly as much. Fewer, or none, where nothing is said twice
    or is special to the text. None stands for two texts."""
    counts = [_counts(_MARKUP.sub(" ", text), language_of(text) or language) for text in groups]
    found = Counter(phrase for each in counts for phrase in each)
    result: list[list[str]] = []
    taken: set[str] = set()
    for each in counts:
        scores = {phrase: _score(phrase, number, found[phrase], len(groups)) for phrase, number in each.items()}
        chosen: list[str] = []
        for phrase in sorted(scores, key=lambda one: (-scores[one], one)):
            if len(chosen) == most or (chosen and scores[phrase] < _NEAR_BEST * scores[chosen[0]]):
                break
            if phrase not in taken and not any(_alike(phrase, one) for one in chosen):
                chosen.append(phrase)
        taken.update(chosen)
        result.append([one[:1].upper() + one[1:] if place == 0 else one for place, one in enumerate(chosen)])
    return result


def _alike(one: str, other: str) -> bool:
    """Whether two phrases share a word, or two neighbouring Han."""
    if one.isascii() or other.isascii():
        return bool(set(one.casefold().split()) & set(other.casefold().split()))
    return any(one[at : at + 2] in other for at in range(len(one) - 1))


def _score(phrase: str, count: int, groups: int, of: int) -> float:
    """How often it is said here, how few others say it, how much it says by itself."""
    length = float(len(phrase.split())) if phrase.isascii() else len(phrase) / 2
    return (count - 0.6) * math.log(1 + of / groups) * (0.4 + math.pow(min(length, 3.0), 0.8))


def _counts(text: str, language: str) -> _Counts:
    """What is said in the text and how often; a lone short Latin word or a function word names nothing."""
    found = _han(text) if language == "zh" else _latin(text)
    return Counter({phrase: count for phrase, count in found.items() if not _is_too_little(phrase)})


def _is_too_little(phrase: str) -> bool:
    return phrase.isascii() and " " not in phrase and (len(phrase) < _WORD_ALONE or not _says(phrase))


def _says(word: str) -> bool:
    folded = word.casefold()
    return folded not in _VAGUE and stem(folded) not in FUNCTION_TERMS


def _han(text: str) -> _Counts:
    """Runs of nouns, and the runs within them; of those said once only whole ones."""
    counts: _Counts = Counter()
    whole: set[str] = set()
    for run in _runs_of_nouns(text):
        for start in range(len(run)):
            for end in range(start + 1, len(run) + 1):
                phrase = "".join(word for word, _ in run[start:end])
                if 2 < len(phrase) <= _LONGEST_HAN and run[end - 1][1] in _LAST:
                    counts[phrase] += 1
                    if end - start == len(run) and len(phrase) >= _WHOLE_HAN and run[end - 1][1] not in _DEED:
                        whole.add(phrase)
    return Counter({phrase: count for phrase, count in counts.items() if count > 1 or phrase in whole})


def _runs_of_nouns(text: str) -> Iterator[list[tuple[str, str]]]:
    import rjieba

    run: list[tuple[str, str]] = []
    tokens: list[tuple[str, str]] = rjieba.tag(text)
    for word, kind in [*tokens, ("。", "x")]:
        if kind in _NOUNS and word not in _VAGUE and word.isalnum() and not word.isdigit():
            run.append((word, kind))
        elif run:
            yield run
            run = []


def _latin(text: str) -> _Counts:
    """Runs of one to three words as they are written, but for a capital at the start of a sentence; only what is said
    again, or stands behind an article and before a preposition or mark."""
    counts: _Counts = Counter()
    whole: set[str] = set()
    run: list[str] = []
    opened, led, first = False, False, True
    for token in [*_WORD.findall(text), "."]:
        folded = token.casefold()
        plain = token[0].isalpha() and len(token) > 2 and folded not in _VAGUE and not _SHOUTED.fullmatch(token)
        named = plain and token[0].isupper() and not first
        if plain and (run or opened or named):
            led = opened if not run else led
            run.append(token if named else folded)
        else:
            for end in range(1, min(len(run), _LONGEST_LATIN) + 1):
                counts[" ".join(run[:end])] += 1
            if 1 < len(run) <= _LONGEST_LATIN and led and (folded in _CLOSES or not token[0].isalnum()):
                whole.add(" ".join(run))
            run = []
            opened = folded in _OPENS
        first = bool(_ENDS.match(token))
    return Counter(
        {phrase: count for phrase, count in counts.items() if _names_something(phrase, count, phrase in whole)}
    )


def _names_something(phrase: str, count: int, whole: bool) -> bool:
    words = phrase.split()
    if any(_NO_NOUN.search(word) for word in (words if whole and count == 1 else words[-1:])):
        return False
    if all(word[0].isupper() for word in words):
        return count > 1
    return count > 2 or (len(words) > 1 and (count > 1 or whole))
