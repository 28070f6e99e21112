"""The model's statements and the facts of the survey in one overview."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kaozheng.roles.explorer.overview import CHAPTERS, Overview, Remark
from kaozheng.roles.explorer.quoting import code
from kaozheng.roles.explorer.statements import Held


def merged(survey: Overview, said: Sequence[Held]) -> Overview:
    """Nothing of the survey is lost. In each chapter the model's paragraphs come first, since they explain what the
    tables then list; what it says of a folder stands under that folder's heading."""
    remarks: list[Remark] = []
    for chapter in CHAPTERS:
        facts = [remark for remark in survey.remarks if remark.chapter == chapter]
        own = [one for one in said if one.remark.chapter == chapter]
        headings = {remark.heading for remark in facts if remark.heading}
        placed = [replace(one.remark, heading=_heading(one, headings)) for one in own]
        remarks.extend(remark for remark in placed if not remark.heading)
        remarks.extend(_under_headings(facts, [remark for remark in placed if remark.heading]))
    return replace(survey, remarks=tuple(remarks))


def _heading(one: Held, headings: set[str]) -> str:
    heading = code(one.folder)
    return heading if heading in headings else ""


def _under_headings(facts: Sequence[Remark], own: Sequence[Remark]) -> Iterator[Remark]:
    """The facts, and before the first one of a heading what is said about it."""
    begun: set[str] = set()
    for fact in facts:
        if fact.heading and fact.heading not in begun:
            begun.add(fact.heading)
            yield from (remark for remark in own if remark.heading == fact.heading)
        yield fact
