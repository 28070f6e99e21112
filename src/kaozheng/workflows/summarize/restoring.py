"""What the loss check found lost goes back into one section."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.documents.reading import as_read
from kaozheng.documents.sentences import stopped
from kaozheng.documents.span import Span
from kaozheng.evidence.covering import Covering
from kaozheng.evidence.denying_headings import with_denial
from kaozheng.evidence.repetition import repeated
from kaozheng.evidence.row_told import row_told
from kaozheng.evidence.sentence import Sentence
from kaozheng.evidence.support import Supporter
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.labels import own_words
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
    lost = [_lost(one, material) for one in sent]
    task = Restoring(
        purpose=state["purpose"],
        title=section.title,
        sentences=tuple(Sentence(one.text, tuple(at.passage for at in one.places)) for one in section.sentences),
        lost=tuple(one.sentence for one in lost),
        language=state["language"],
    )
    answer = await restore(model, task)
    made, count = await aside(_restored, section, answer.value, lost, material)
    emit("note", {"restored": count, "section": index + 1, "round": number, "by": answer.by, "reason": answer.reason})
    done: dict[str, Any] = {"by": answer.by, "reason": answer.reason, "count": count}
    done |= {"out_of_budget": answer.out_of_budget, "failed": answer.by == "fallback"}
    ref = await artifacts.put(section_name(index), made.to_json())
    return {
        "sections": {str(index): {**state["section"], "ref": ref}},
        "restored": {f"{number}/{index}": done},
    }


@dataclass(frozen=True, slots=True)
class _Lost:
    """A statement as it can be said in a summary, and where it stands."""

    sentence: Sentence
    places: tuple[Place, ...]


def _lost(one: Mapping[str, Any], material: Material) -> _Lost:
    """The statement itself, closed by a stop; a row of a table with the names of its columns."""
    passage, span = material.passage(one["passage"]), Span(*one["span"])
    if told := row_told(passage, span, material.language):
        places = (told.row, told.head)
        return _Lost(
            Sentence(told.text, (passage.id,)), tuple(Place(passage.id, at.start, at.end, 1.0) for at in places)
        )
    place = Place(passage.id, span.start, span.end, 1.0)
    said = with_denial(stopped(as_read(own_words(one["text"]))), passage, material.language)
    return _Lost(Sentence(said, (passage.id,)), (place,))


def _restored(
    section: SectionText, insertions: Sequence[Insertion], lost: Sequence[_Lost], material: Material
) -> tuple[SectionText, int]:
    """The section with the insertions that have evidence, and how many these are. What the text itself says stands
    where it stands; what a model says is looked up."""
    covering = Covering(Supporter([material.passage(id) for id in _passages(section, insertions)]))
    own = {one.sentence.text: one.places for one in lost}
    known = [one.text for one in section.sentences]
    again = repeated([*known, *(one.sentence.text for one in insertions)])
    # It goes back once, and what is near to it may have said it.
    new = [one for place, one in enumerate(insertions, start=len(known)) if place not in again]
    count = 0
    # From the end on: places before stay what they are.
    for one in sorted(reversed(new), key=lambda one: -one.after):
        said = one.sentence
        places = own.get(said.text) or tuple(Place.of(each, material) for each in covering.of(said.text, said.passages))
        if places:
            section = section.inserted(one.after, [Cited(said.text, places, restored=True)])
            count += 1
    return section, count


def _passages(section: SectionText, insertions: Sequence[Insertion]) -> list[str]:
    named = (id for one in insertions for id in one.sentence.passages)
    return list(dict.fromkeys((*section.passages, *named)))
