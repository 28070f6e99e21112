"""Finding listed words and phrases in prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kaozheng.documents.prose import Prose

_WORD = "A-Za-z0-9_"


def listed(text: str, by: str | None = None) -> list[str]:
    """The words of a list written as text, parted by blanks; or its phrases, parted by `by`."""
    return [" ".join(part.split()) for part in text.split(by)]


def phrase_pattern(phrases: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern for any of the phrases, longest first, in any case; None when there are none.

    Latin words match whole only; a blank in a phrase matches any run of blanks, a line end too.
    """
    parts = [_one(phrase) for phrase in sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase))]
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def occurrences(prose: Prose, words: re.Pattern[str], allowed: re.Pattern[str] | None) -> Iterator[re.Match[str]]:
    """Each place of `words` that does not lie within a place of `allowed`."""
    free: list[tuple[int, int]] | None = None
    for found in words.finditer(prose.masked):
        if free is None:
            free = _places(prose.masked, allowed)
        if not any(start <= found.start() and found.end() <= end for start, end in free):
            yield found


def _places(masked: str, allowed: re.Pattern[str] | None) -> list[tuple[int, int]]:
    """All places, overlapping ones too: of `第一` in `世界第一次` only some readings are allowed."""
    if allowed is None:
        return []
    places = []
    at = 0
    while (found := allowed.search(masked, at)) is not None:
        places.append(found.span())
        at = found.start() + 1
    return places


def _one(phrase: str) -> str:
    body = r"\s+".join(re.escape(part) for part in phrase.split())
    start = f"(?<![{_WORD}])" if re.match(f"[{_WORD}]", phrase) else ""
    end = f"(?![{_WORD}])" if re.search(f"[{_WORD}]$", phrase) else ""
    return f"{start}{body}{end}"
