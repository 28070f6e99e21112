"""What the loss check found lost goes back into one section."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.evidence.covering import Covering
from kaozheng.evidence.sentence import Sentence
from kaozheng.evidence.support import Supporter
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.restorer import Insertion, Restoring, restore
from kaozheng.sources.material import Material
from kaozheng.workflows.step import Changes
from kaozheng.workflows.summarize.cited import Cited, Place, SectionText
from kaozheng.workflows.summarize.parsed import parsed
from kaozheng.workflows.summarize.state import RestoreTask
from kaozheng.workflows.summarize.writing import section_name


async def restore_section(state: RestoreTask, artifacts: ArtifactStore, model: Model | None, emit: Emit) -> Changes:
    """Put the lost statements back, each behind the sentence that it belongs to."""
    index, number = state["index"], state["round"]
    material = await parsed(artifacts, state["context"], Material.from_json)
    section = SectionText.from_json(await artifacts.get(state["section"]["ref"]))
    sent = json.loads(await artifacts.get(state["losses"]))["sent"][str(index)]
    task = Restoring(
        purpose=state["purpose"],
        title=section.title,
        sentences=tuple(Sentence(one.text, tuple(at.passage for at in one.places)) for one in section.sentences),
        lost=tuple(Sentence(one["text"], (one["passage"],)) for one in sent),
        language=state["language"],
    )
    answer = await restore(model, task)
    made, count = await aside(_restored, section, answer.value, material)
    emit("note", {"restored": count, "section": index + 1, "round": number, "by": answer.by, "reason": answer.reason})
    done: dict[str, Any] = {"by": answer.by, "reason": answer.reason, "count": count}
    done |= {"out_of_budget": answer.out_of_budget, "failed": answer.by == "fallback"}
    ref = await artifacts.put(section_name(index), made.to_json())
    return {
        "sections": {str(index): {**state["section"], "ref": ref}},
        "restored": {f"{number}/{index}": done},
    }


def _restored(section: SectionText, insertions: Sequence[Insertion], material: Material) -> tuple[SectionText, int]:
    """The section with the insertions that have evidence, and how many these are."""
    covering = Covering(Supporter([material.passage(id) for id in _passages(section, insertions)]))
    count = 0
    # From the end on: places before stay what they are.
    for one in sorted(reversed(insertions), key=lambda one: -one.after):
        if found := covering.of(one.sentence.text, one.sentence.passages):
            places = tuple(Place.of(each, material) for each in found)
            section = section.inserted(one.after, [Cited(one.sentence.text, places, restored=True)])
            count += 1
    return section, count


def _passages(section: SectionText, insertions: Sequence[Insertion]) -> list[str]:
    named = (id for one in insertions for id in one.sentence.passages)
    return list(dict.fromkeys((*section.passages, *named)))
