"""Places in code as an overview of code carries them: behind each statement, in brackets, as `path#L10-L20`.

What was counted over more than one place says so in its brackets. A document does not show the brackets: its footnotes
lead to the places instead of to the overview.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from kaozheng.documents.code_span import code_span
from kaozheng.sources.code.claims import places_in

_SPAN = r"(?P<{0}>`+) ?[^\n]{{1,4200}}?#L\d+(?:-L\d+)? ?(?P={0})(?!`)"
_ZH = rf"（(?:统计得出，例如 )?{_SPAN.format('a')}(?:、{_SPAN.format('b')})*）|（统计得出）"
_EN = rf" ?\((?:counted; for example )?{_SPAN.format('c')}(?:, {_SPAN.format('d')})*\)| ?\(counted\)"
_BRACKETS = re.compile(f"{_ZH}|{_EN}")
_COUNTED = re.compile(r"（统计得出(?:，例如 `|）)| ?\(counted(?:; for example `|\))")
_MOST_SHOWN = 8


def without_places(text: str) -> str:
    """`text` without the brackets that name its places."""
    return _BRACKETS.sub("", text)


def places_of(text: str) -> list[str]:
    """The places that `text` names, each once, in its order."""
    return list(dict.fromkeys(map(str, places_in(text))))


def reference(text: str, language: str) -> str:
    """What a footnote says of a statement of the overview, which is `text` with its brackets: the places, for what was
    counted one of them, and the code base as a whole where no place stands for it."""
    zh = language == "zh"
    places = places_of(text)
    shown = ("、" if zh else ", ").join(map(code_span, places[:_MOST_SHOWN]))
    if len(places) > _MOST_SHOWN:
        shown += f" 等 {len(places)} 处" if zh else f" and {len(places) - _MOST_SHOWN} more"
    if not places:
        return "统计自整个代码库" if zh else "From the whole code base"
    if _COUNTED.search(text):
        return f"统计自代码库，例如 {shown}" if zh else f"Counted over the code base; for example {shown}"
    return shown


def counted_files(texts: Iterable[str]) -> dict[str, int]:
    """The files in which the places of these texts lie, and how many different places in each."""
    places = {place for text in texts for place in places_in(text)}
    return dict(Counter(place.path for place in places))
