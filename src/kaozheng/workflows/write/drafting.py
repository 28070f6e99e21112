"""Planning and writing: one outline, then a section a branch, each kept as it is finished."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import ceil
from pathlib import PurePosixPath
from typing import Any

from langgraph.types import Send

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.documents.document import Document
from kaozheng.documents.edits import TextEdit, apply_edits
from kaozheng.documents.headings import heading_text
from kaozheng.documents.span import Span
from kaozheng.errors import ModelError, ModelRefusedError, ShapeError
from kaozheng.evidence.support import Supporter
from kaozheng.models.answer import Answer
from kaozheng.models.limits import Lanes
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.outliner import Outline, outline
from kaozheng.roles.section_writer import Assignment, offline, write_section
from kaozheng.roles.titles import clean_title
from kaozheng.sources.material import Material, Passage
from kaozheng.workflows.step import Changes, purpose_of
from kaozheng.workflows.write.citing import cited, labelled
from kaozheng.workflows.write.exhibits import divided
from kaozheng.workflows.write.placing import closed, placed
from kaozheng.workflows.write.state import DocState, SectionTask

_SECTIONS_A_WORKER = 3
_TOP_LEVEL = 3


async def plan(state: DocState, artifacts: ArtifactStore, model: Model | None, emit: Emit) -> Changes:
    """Outline first: sections that do not overlap and together cover the material."""
    inputs = await aside(_inputs, await artifacts.get(state["context"]))
    answer = await outline(model, inputs.material, state.get("topic", ""))
    kept = await artifacts.put("outline.json", answer.value.model_dump_json(indent=1))
    emit("note", {"outline": [part.title for part in answer.value.sections], "by": answer.by, "reason": answer.reason})
    return {
        "outline": kept,
        "planned": {"by": answer.by, "reason": answer.reason, "out_of_budget": answer.out_of_budget},
        "topic": answer.value.title,
        "section_count": len(answer.value.sections),
        "sections": {},
    }


def fan_out(state: DocState) -> list[Send] | str:
    """A branch for each section that is not written yet, or that is tried again: on resume the gaps and what a model
    was asked for in vain go out anew."""
    again = set(state.get("again", ()))
    written = {
        index
        for index, section in state.get("sections", {}).items()
        if section["status"] == "written" and f"section/{index}" not in again
    }
    tasks = [
        SectionTask(
            index=index,
            section_count=state["section_count"],
            outline=state["outline"],
            context=state["context"],
            strict=state.get("strict", False),
            purpose=purpose_of(state, f"section/{index}"),
        )
        for index in range(state["section_count"])
        if str(index) not in written
    ]
    return [Send("write_section", task) for task in tasks] or "assemble"


async def section(
    state: SectionTask, artifacts: ArtifactStore, model: Model | None, lanes: Lanes, emit: Emit
) -> Changes:
    """Write one section and keep it.

    The role falls back to its twin; only when that fails too is there a gap, which resume sends out again. Raising
    would cancel the siblings.
    """
    index = state["index"]
    async with lanes.of("sections", max(1, ceil(state["section_count"] / _SECTIONS_A_WORKER))):
        planned, material = await artifacts.get(state["outline"]), await artifacts.get(state["context"])
        task = await aside(_assignment, planned, index, material)
        task = replace(task, purpose=state.get("purpose", ""))
        done: dict[str, Any] = {"title": task.title}
        try:
            answer = await _written(model, task)
            done["failed"] = answer.by == "fallback"
            body = await aside(_body, answer, task, state["strict"])
            if not body.strip() and answer.by == "model":
                answer = replace(await write_section(None, task), by="fallback", reason="no sentence had evidence")
                body = await aside(_body, answer, task, state["strict"])
            if not body.strip():
                raise ShapeError("the section came out empty")
        except ModelError as error:
            if isinstance(error, ModelRefusedError):
                raise
            emit("note", {"section": index + 1, "of": state["section_count"], "title": task.title, "gap": str(error)})
            return {"sections": {str(index): done | {"status": "gap", "reason": str(error)}}}
        kept = await artifacts.put(f"section_{index + 1:02d}.md", f"## {heading_text(task.title)}\n\n{body}\n")
    emit(
        "note",
        {
            "section": index + 1,
            "of": state["section_count"],
            "title": task.title,
            "by": answer.by,
            "reason": answer.reason,
        },
    )
    done |= {
        "status": "written",
        "ref": kept,
        "by": answer.by,
        "reason": answer.reason,
        "out_of_budget": answer.out_of_budget,
    }
    return {"sections": {str(index): done}}


async def _written(model: Model | None, task: Assignment) -> Answer[str]:
    """The section's text; of what code has made ready the model gets only what has to be told in words."""
    if model is None or not task.made_by_code:
        return await write_section(model, task)
    told, _ = divided(task)
    if not told.passages:
        return await write_section(None, task)
    answer = await write_section(model, told)
    return answer if answer.by == "model" else answer.carrying((await write_section(None, task)).value)


def _body(answer: Answer[str], task: Assignment, strict: bool) -> str:
    if answer.by != "model":
        return labelled(_tidied(answer.value), task.passages, task.language)
    told, shown = divided(task) if task.made_by_code else (task, None)
    body = cited(labelled(_tidied(answer.value), told.passages, task.language), Supporter(told.passages), strict)
    if shown is None or not shown.passages:
        return body
    exhibits = labelled(_tidied(offline.write(shown)), shown.passages, task.language)
    return f"{body}\n\n{exhibits}" if body.strip() else exhibits


def _assignment(planned: str, index: int, kept: str) -> Assignment:
    """One section of the outline with its passages; both as they are kept."""
    plan, inputs = Outline.model_validate_json(planned), _inputs(kept)
    part, material = plan.sections[index], inputs.material
    passages = [placed(passage, material) for name in part.material for passage in _passages(material, name)]
    return Assignment(
        index=index,
        title=part.title,
        brief=part.brief,
        document_title=plan.title,
        all_titles=tuple(one.title for one in plan.sections),
        passages=tuple(passages),
        language=material.language,
        source_titles=inputs.titles,
        made_by_code=material.about_code,
    )


@dataclass(frozen=True)
class _Inputs:
    """The material, and a title for each source."""

    material: Material

    @cached_property
    def titles(self) -> dict[str, str]:
        """Of sources with the same title each gets its file's name as well."""
        sources = self.material.sources
        titles = {source.id: clean_title(source.title) for source in sources}
        often = Counter(titles.values())
        return {
            one.id: titles[one.id]
            if often[titles[one.id]] == 1
            else f"{clean_title(PurePosixPath(one.path).stem)} {titles[one.id]}".strip()
            for one in sources
        }


@lru_cache(maxsize=1)
def _inputs(kept: str) -> _Inputs:
    """All sections of a run begin with the same material: a large one is read once and not once a section."""
    return _Inputs(Material.from_json(kept))


def _passages(material: Material, name: str) -> list[Passage]:
    return list(material.unit(name).passages) if "#" in name else [material.passage(name)]


def _tidied(body: str) -> str:
    """Headings no higher than level 3 and every fence closed: a section cannot break the document around it."""
    text = closed(body.strip())
    edits = [
        TextEdit(Span(heading.span.start, heading.span.start + heading.level), "###")
        for heading in Document(text).headings
        if heading.level < _TOP_LEVEL and text.startswith("#", heading.span.start)
    ]
    return apply_edits(text, edits)
