"""The plan of a document."""

from __future__ import annotations

from pydantic import BaseModel, Field


class SectionPlan(BaseModel):
    """One section: what it says, and the ids of the units or passages that it is written from."""

    title: str
    brief: str = ""
    material: list[str] = Field(default_factory=list)


class Outline(BaseModel):
    """Sections that do not overlap and together cover the material."""

    title: str
    sections: list[SectionPlan] = Field(min_length=1, max_length=20)
