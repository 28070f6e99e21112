"""Places in a text: half-open character spans and inclusive line ranges."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range of character offsets into a text. Raises ValueError when it is negative or runs backwards."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"span {self.start}..{self.end} is negative or runs backwards")

    def __len__(self) -> int:
        return self.end - self.start

    def overlaps(self, other: Span) -> bool:
        """Whether both share at least one character; an empty span overlaps only what it lies strictly inside of."""
        return self.start < other.end and other.start < self.end

    def contains(self, other: Span) -> bool:
        """Whether every character of `other` lies in this span."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True, order=True)
class LineRange:
    """Inclusive range of 1-based line numbers. Raises ValueError when it starts before 1 or runs backwards."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 1 <= self.start <= self.end:
            raise ValueError(f"lines {self.start}-{self.end} start before 1 or run backwards")

    def __len__(self) -> int:
        return self.end - self.start + 1

    def __str__(self) -> str:
        return str(self.start) if self.start == self.end else f"{self.start}-{self.end}"

    def overlaps(self, other: LineRange) -> bool:
        """Whether both share at least one line."""
        return self.start <= other.end and other.start <= self.end

    def contains(self, other: LineRange) -> bool:
        """Whether every line of `other` lies in this range."""
        return self.start <= other.start and other.end <= self.end
