"""Plans the document: sections that do not overlap and together cover the material."""

from __future__ import annotations

from pydantic import BaseModel, Field

from kaozheng.aside import aside
from kaozheng.documents.tokens import estimate_tokens
from kaozheng.models.answer import Answer, object_or
from kaozheng.models.messages import Call
from kaozheng.models.model import Model
from kaozheng.roles.outliner import offline
from kaozheng.roles.outliner.plan import Outline, SectionPlan
from kaozheng.roles.prompts import prompt, quoted, unfenced
from kaozheng.roles.titles import clean_title
from kaozheng.sources.material import Material

__all__ = ["Outline", "SectionPlan", "outline"]

_DIGEST_TOKENS = 12_000
_LEAD_CHARACTERS = 80


class PlannedSection(BaseModel):
    """One section as the model plans it."""

    title: str = Field(min_length=1, max_length=60)
    brief: str = Field(default="", max_length=400)
    material: list[str] = Field(default_factory=list, description="ids of the material that this section uses")


class PlannedOutline(BaseModel):
    """The model's plan; `Outline` is what is left of it once code has checked the ids."""

    title: str = Field(min_length=1, max_length=100)
    sections: list[PlannedSection] = Field(min_length=1, max_length=20)


async def outline(model: Model | None, material: Material, topic: str) -> Answer[Outline]:
    """Plan the document on `topic` (may be empty). Offline: headings of the material, or clusters of its passages.

    The model only groups; code makes the plan complete: unknown ids are dropped, an id stays in the first section that
    names it, and what no section names joins the section that it resembles most.
    """
    items, twin, call = await aside(_prepared, material, topic)
    planned = await object_or(model, call, PlannedOutline, otherwise=lambda: _as_planned(twin))
    if planned.by != "model":
        return planned.carrying(twin)
    sections = [
        SectionPlan(title=part.title, brief=part.brief, material=part.material) for part in planned.value.sections
    ]
    title = topic or clean_title(planned.value.title) or twin.title
    whole = await aside(offline.complete, Outline(title=title, sections=sections), items, material.language)
    return planned.carrying(whole)


def _prepared(material: Material, topic: str) -> tuple[list[offline.Item], Outline, Call]:
    """What is planned, the twin's plan, and the question to the model."""
    items = offline.items_of(material)
    twin = offline.outline(material, topic)
    messages = prompt(
        "outliner", material.language, topic=unfenced(topic or twin.title), material=quoted("material", _digest(items))
    )
    return items, twin, Call(role="outliner", purpose="outline", messages=messages)


def _as_planned(twin: Outline) -> PlannedOutline:
    return PlannedOutline(
        title=twin.title[:100], sections=[PlannedSection(title=part.title[:60]) for part in twin.sections]
    )


def _digest(items: list[offline.Item]) -> str:
    """A line an item: id, heading path, length, first words; shorter words when there are many items."""
    for lead in (_LEAD_CHARACTERS, 30, 0):
        lines = [
            f"{item.id} | {' > '.join(item.path)} | {len(item.text)} | {' '.join(item.text[:lead].split())}"
            for item in items
        ]
        text = "\n".join(lines)
        if estimate_tokens(text) <= _DIGEST_TOKENS:
            break
    return text
