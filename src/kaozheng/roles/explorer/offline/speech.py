"""What the survey says in its own words, in Chinese and English. Everything that a repository says comes in as a value,
already quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kaozheng.roles.explorer.offline.sentences import COUNTED, SENTENCES

_HAN = re.compile("[\u4e00-\u9fff]")
_WIDE = re.compile("[\u3000-\u303f\uff00-\uffef \u2026\u201c\u201d]")


@dataclass(frozen=True, slots=True)
class Speech:
    """The survey's language."""

    language: Literal["zh", "en"]

    def say(self, name: str, /, **values: object) -> str:
        """The sentence or phrase called `name` with its values. KeyError: there is none, or a value is missing."""
        return SENTENCES[name][self._column].format(**values)

    def count(self, number: int, noun: str) -> str:
        """`3 个文件`, `1 file`, `2,300 files`."""
        many, one, several = COUNTED[noun]
        if self.language == "zh":
            return f"{number} {many}"
        return f"{number:,} {one if number == 1 else several}"

    def listing(self, parts: Sequence[str]) -> str:
        """`a、b 和 c`; `a, b, and c`."""
        if self.language == "zh":
            head = "、".join(parts[:-1])
            return spaced(spaced(head, "和"), parts[-1]) if head else parts[-1]
        if len(parts) < 3:
            return " and ".join(parts)
        return f"{', '.join(parts[:-1])}, and {parts[-1]}"

    @property
    def _column(self) -> int:
        return 0 if self.language == "zh" else 1


def spaced(left: str, right: str) -> str:
    """Both, with a blank where Han meets something else than a full-width mark."""
    signs = left[-1:] + right[:1]
    touching = len(signs) == 2 and len([sign for sign in signs if _HAN.match(sign)]) == 1
    return f"{left} {right}" if touching and not _WIDE.search(signs) else left + right
