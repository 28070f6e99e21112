"""Numbers that English spells out: forty-two, three hundred and five, two million."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from kaozheng.documents.span import Span

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: value for value, word in enumerate(_ONES.split())}
_SMALL |= {word: 10 * value for value, word in enumerate(_TENS.split(), start=2)}
_SMALL |= {"dozen": 12}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_WORD = "|".join(sorted((*_SMALL, *_SCALES), key=len, reverse=True))
_RUN = re.compile(rf"(?<![A-Za-z0-9_])(?:{_WORD})(?:(?:-|[ ]+(?:and[ ]+)?)(?:{_WORD}))*(?![A-Za-z0-9_])", re.IGNORECASE)


def number_words(text: str) -> Iterator[tuple[Span, Decimal]]:
    """Each spelled number of a text in its order, with its value. "two three" are two numbers; a bare scale word
    ("hundred", as in "a hundred") counts once."""
    for run in _RUN.finditer(text):
        parts = [(part[0].lower(), part.span()) for part in re.finditer(r"[A-Za-z]+", run[0]) if part[0] != "and"]
        start = 0
        for end in range(1, len(parts) + 1):
            if end == len(parts) or not _goes_on([word for word, _ in parts[start:end]], parts[end][0]):
                first, last = parts[start][1][0], parts[end - 1][1][1]
                value = _value([word for word, _ in parts[start:end]])
                yield Span(run.start() + first, run.start() + last), Decimal(value)
                start = end


def _goes_on(words: Sequence[str], following: str) -> bool:
    """Whether the next word belongs to the same number: a scale to anything, a small one behind a scale, a digit behind
    a ten."""
    if following in _SCALES:
        return True
    last = _SMALL.get(words[-1])
    return last is None or (last >= 20 and last % 10 == 0 and 0 < _SMALL.get(following, 0) < 10)


def _value(words: Sequence[str]) -> int:
    total = part = 0
    for word in words:
        if word in _SMALL:
            part += _SMALL[word]
        elif _SCALES[word] == 100:
            part = max(part, 1) * 100
        else:
            total, part = total + max(part, 1) * _SCALES[word], 0
    return total + part
