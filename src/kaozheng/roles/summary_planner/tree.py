"""What is planned, and the plan."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, Field

MOST_SECTIONS = 40


class Subsection(BaseModel):
    """A part of a section that is told apart."""

    title: str
    memories: list[str] = Field(default_factory=list, description="ids of the memories that it tells")


class TreeSection(BaseModel):
    """One section. `memories` are all that it is written from, those of its subsections too, in the order of the
    source."""

    title: str
    brief: str = Field(default="", description="what the section answers, in one sentence")
    memories: list[str] = Field(default_factory=list, description="ids of the memories that it is written from")
    subsections: list[Subsection] = Field(default_factory=list, description="[] unless the section needs parts")


class Tree(BaseModel):
    """The plan of a summary: its title, and sections that hold every memory exactly once."""

    title: str = Field(description="title of the summary")
    sections: list[TreeSection] = Field(min_length=1, max_length=MOST_SECTIONS)


@dataclass(frozen=True, slots=True)
class Planning:
    """A summary to plan. `memories` are (id, headings above it, text) in the order of the source; of several sources
    the headings begin with the title of each. `sections` is how many are asked for, None when the plan may choose;
    `title` is that of the source, "" where there are several."""

    memories: tuple[tuple[str, tuple[str, ...], str], ...]
    sections: int | None
    language: str
    focus: str = ""
    title: str = ""
    purpose: str = "tree"

    @property
    def bounds(self) -> tuple[int, int]:
        """How many sections at least and at most: as many as asked for; 3 to 4 for a short text, up to 12 for a long
        one. Never more than there are memories."""
        number = len(self.memories)
        if self.sections is not None:
            wanted = max(1, min(self.sections, number, MOST_SECTIONS))
            return wanted, wanted
        return min(_FEWEST, number), min(number, max(_FEW, min(_MANY, round((2 * number) ** 0.5))))


_FEWEST, _FEW, _MANY = 3, 4, 12
