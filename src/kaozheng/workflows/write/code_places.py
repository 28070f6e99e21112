"""Places in code as an overview of code carries them: behind each statement, in brackets, as `path#L10-L20`.

A document does not show the brackets: its footnotes lead to the places instead of to the overview.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kaozheng.sources.code.claims import places_in

_SPAN = r"(?P<{0}>`+) ?[^\n]{{1,4200}}?#L\d+(?:-L\d+)? ?(?P={0})(?!`)"
_ZH = rf"（{_SPAN.format('a')}(?:、{_SPAN.format('b')})*）"
_EN = rf" ?\({_SPAN.format('c')}(?:, {_SPAN.format('d')})*\)"
_BRACKETS = re.compile(f"{_ZH}|{_EN}")


def without_places(text: str) -> str:
    """`text` without the brackets that name its places."""
    return _BRACKETS.sub("", text)


def places_of(text: str) -> list[str]:
    """The places that `text` names, each once, in its order."""
    return list(dict.fromkeys(map(str, places_in(text))))


def files_of(texts: Iterable[str]) -> int:
    """How many files the places of these texts lie in."""
    return len({place.path for text in texts for place in places_in(text)})
