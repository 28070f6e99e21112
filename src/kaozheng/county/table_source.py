"""Where rows come from: one publication in one revision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kaozheng.indicators.reason import Reason

SYNTHETIC: Final = Reason("合成数据（演示用）", "synthetic data (for demonstration)")
"""What is said wherever rows of a synthetic source are shown."""


@dataclass(frozen=True, slots=True)
class TableSource:
    """A yearbook, bulletin or file. `id` is stable over its corrections (importing it again replaces its rows),
    `vintage` is when it was published in a form that sorts ("2024", "2024-03-26"), `sha256` is of the bytes that were
    read. `synthetic` data is marked as such wherever it is shown."""

    id: str
    title: str
    vintage: str
    publisher: str = ""
    path: str = ""
    sha256: str = ""
    synthetic: bool = False
    note: str = ""
