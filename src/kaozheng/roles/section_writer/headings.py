"""Which headings stand above a passage, so that nothing comes to stand under a heading that is not its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kaozheng.documents.headings import heading_text
from kaozheng.roles.structure import below, continued, own_title, same, without_continued
from kaozheng.sources.passage import Passage

_TOP_LEVEL = 3
_DEEPEST = 6

Path = tuple[str, ...]


def clean_path(passage: Passage, language: str) -> Path:
    """The headings above a passage as they may stand in a document; those of nothing but signs are left out."""
    return tuple(title for title in (own_title(one, language) for one in passage.path) if title)


def told_by(title: str, path: Path, language: str, whole: bool) -> int:
    """How many of `path`'s first headings the section's `title` tells, because it ends with one of them (or is made of
    several). `whole`: only when it tells all from the first on."""
    name = without_continued(title)
    for end in range(1, len(path) + 1):
        starts = (0,) if whole else range(end)
        if any(_made_of(path[start:end], language) == name for start in starts):
            while end < len(path) and path[end] == name:
                end += 1
            return end
    return 0


def _made_of(path: Path, language: str) -> str:
    title = path[0]
    for part in path[1:]:
        title = below(title, part, language)
    return title


class Trail:
    """The headings in force at a place in a section's body, and those that stood before."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._open: list[tuple[str, str]] = []  # as in the source, and as printed ("" where the section's title tells)
        self._met: Counter[Path] = Counter()
        self._taken: set[tuple[Path, str]] = set()
        self._printed = False

    def to(self, path: Sequence[str], told: int) -> list[str]:
        """The headings to print before a passage under `path`. The first `told` need not be printed as long as none
        has been: they then are what the section's title says. A heading that stood before is "continued"."""
        common = 0
        while common < min(len(path), len(self._open)) and self._open[common][0] == path[common]:
            common += 1
        if 0 < common == len(path) and any(printed for _, printed in self._open[common:]):
            common -= 1  # back from a part of it: without its heading the passage would belong to the part
        del self._open[common:]
        lines: list[str] = []
        for place in range(common, len(path)):
            self._met[tuple(path[: place + 1])] += 1
            if place < told and not self._printed:
                self._open.append((path[place], ""))
                continue
            above = tuple(printed for _, printed in self._open if printed)
            title = self._fresh(tuple(path[: place + 1]), above)
            lines.append(f"{'#' * min(_TOP_LEVEL + len(above), _DEEPEST)} {heading_text(title)}")
            self._open.append((path[place], title))
            self._printed = True
        return lines

    def _fresh(self, path: Path, above: Path) -> str:
        times = self._met[path]
        title = continued(path[-1], times, self._language)
        while (above, same(title)) in self._taken:
            times += 1
            title = continued(path[-1], times, self._language)
        self._taken.add((above, same(title)))
        return title
