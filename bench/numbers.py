"""The check of numbers: real answers with their number changed, the same number in another form, and as it stands.

Answers and passages are read from `../shared/bench`. Each short answer with a number in digits is put into a sentence
with the mark of its own passage. A number is changed in one digit, by one, or reversed; a change that stands elsewhere
in the passage is left out, since no code can know it wrong. Forms: thousands separators, Chinese numerals, 万 with a
decimal.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

from bench.row import Row
from kaozheng.documents.span import LineRange, Span
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.grounding import check
from kaozheng.evidence.numbers import find_numbers

SHARED = Path(__file__).resolve().parents[2] / "shared" / "bench"
LANGUAGES = {"zh": "Chinese", "en": "English"}
SENTENCE = {"zh": "答案是{}[E1]。", "en": "The answer is {} [E1]."}
_FIGURE = re.compile(r"(?<![\d.,A-Za-z])\d+(?:\.\d+)?(?![\d.,]*\d)")
_HAN_DIGITS = "零一二三四五六七八九"


def measure() -> Iterator[Row]:
    if not SHARED.is_dir():
        yield Row("numbers", "not measured", f"{SHARED} is not here")
        return
    for language in LANGUAGES:
        yield from _language(language)


def _language(language: str) -> Iterator[Row]:
    chance = random.Random(11)
    texts = {one["id"]: one["text"] for one in _lines(f"{language}_passages.jsonl")}
    pairs = [
        (one["answer"], texts[one["gold_passage_id"]])
        for one in _lines(f"{language}_retrieval.jsonl")
        if _FIGURE.search(one["answer"]) and one["answer"] in texts[one["gold_passage_id"]]
    ]
    alarms = sum(_flagged(language, answer, text) for answer, text in pairs)
    others = [(answer, pairs[(place + 7) % len(pairs)][1]) for place, (answer, _) in enumerate(pairs)]
    changed = [(new, text) for answer, text in pairs if (new := _changed(answer, text, chance))]
    caught = sum(_flagged(language, answer, text) for answer, text in changed)
    wrong = sum(_flagged(language, answer, text) for answer, text in others if _FIGURE.search(answer)[0] not in text)
    apart = sum(_FIGURE.search(answer)[0] not in text for answer, text in others)
    forms = [(new, text) for answer, text in pairs for new in _forms(answer, language)]
    refused = sum(_flagged(language, answer, text) for answer, text in forms)
    name = LANGUAGES[language]
    yield _row(f"{name}, answers as they stand: false alarms", alarms, len(pairs), "<= 0.5 %")
    yield _row(f"{name}, a number changed: caught", caught, len(changed), ">= 92 %")
    yield _row(f"{name}, beside another passage: caught", wrong, apart, "")
    yield _row(f"{name}, another form: false alarms", refused, len(forms), "<= 2 %")


def _row(what: str, count: int, of: int, bound: str) -> Row:
    return Row(what, f"{100 * count / max(1, of):.2f} %", f"{count} of {of}", bound=bound)


def _flagged(language: str, answer: str, text: str) -> bool:
    item = EvidenceItem("E1", "bench", "passage", "", (), LineRange(1, 1), Span(0, len(text)), text)
    report = check(SENTENCE[language].format(answer), EvidenceBundle((item,), "ok"))
    return any(one.hard for one in report.sentences)


def _changed(answer: str, text: str, chance: random.Random) -> str:
    """The answer with its first number changed; "" when every change stands in the passage or changes nothing."""
    figure = _FIGURE.search(answer)
    written = figure[0]
    place = chance.randrange(len(written.replace(".", "")))
    digits = [place_ for place_, character in enumerate(written) if character.isdigit()]
    digit = str((int(written[digits[place]]) + chance.randrange(1, 9)) % 10)
    one_digit = written[: digits[place]] + digit + written[digits[place] + 1 :]
    ways = [one_digit, _plus(written, 1), _plus(written, -1), written[::-1]]
    chance.shuffle(ways)
    for new in ways:
        if "." in (new[:1], new[-1:]) or (new[0] == "0" and new[1:2].isdigit()) or float(new) == float(written):
            continue
        if not re.search(rf"(?<![\d.]){re.escape(new)}(?![\d.])", text.replace(",", "")):
            return answer[: figure.start()] + new + answer[figure.end() :]
    return ""


def _plus(written: str, by: int) -> str:
    whole, dot, rest = written.partition(".")
    return f"{max(0, int(whole) + by)}{dot}{rest}"


def _forms(answer: str, language: str) -> Iterator[str]:
    """The answer with its number written another way."""
    found = [number for number in find_numbers(answer) if number.is_quantity]
    figure = _FIGURE.search(answer)
    if not found or "." in figure[0] or not found[0].span.contains(Span(*figure.span())):
        if language == "zh" and re.search(r"(?<!\d)(?:19|20)\d\d年", answer):
            year = "".join("〇一二三四五六七八九"[int(digit)] for digit in figure[0])
            yield answer[: figure.start()] + year + answer[figure.end() :] if len(figure[0]) == 4 else answer
        return
    value = int(figure[0])
    if answer[figure.end() :].lstrip()[:1] == "年" or (len(figure[0]) == 4 and not found[0].dimension):
        return  # a year is written in no such form
    for new in (f"{value:,}", *((_han(value), _ten_thousands(value)) if language == "zh" else ())):
        if new and new != figure[0]:
            yield answer[: figure.start()] + new + answer[figure.end() :]


def _ten_thousands(value: int) -> str:
    """35000 as 3.5万, "" where that needs more than two decimals or a small number."""
    return f"{value / 10000:.10g}万" if value >= 10_000 and value % 100 == 0 else ""


def _han(value: int) -> str:
    """1234 as 一千二百三十四; "" from 100,000 on."""
    if not 11 <= value < 100_000:
        return ""
    parts, zero = [], False
    for place, unit in ((10_000, "万"), (1_000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // place % 10
        if digit:
            lead = "" if (digit, unit, parts) == (1, "十", []) else _HAN_DIGITS[digit]
            parts.append(("零" if zero and parts else "") + lead + unit)
            zero = False
        else:
            zero = True
    return "".join(parts)


def _lines(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (SHARED / name).read_text(encoding="utf-8").splitlines()]
