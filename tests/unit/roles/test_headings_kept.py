"""Whatever the headings of the notes, offline no passage stands under a foreign heading and no heading is lost."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.documents.document import Document
from kaozheng.roles.outliner import offline as outliner
from kaozheng.roles.section_writer import Assignment
from kaozheng.roles.section_writer import offline as writer
from kaozheng.roles.structure import without_continued
from kaozheng.sources.material import Material, build_material
from kaozheng.sources.source import Reading, Source

NAMES = st.sampled_from(["甲", "乙", "丙", "丁"])
parts = st.tuples(st.integers(1, 3), NAMES, st.integers(0, 2))
notes = st.tuples(st.booleans(), st.lists(parts, min_size=1, max_size=9))
folders = st.lists(notes, min_size=1, max_size=5)


def note(number: int, shape: tuple[bool, list[tuple[int, str, int]]]) -> str:
    preface, headings = shape
    lines = [f"第{number}份的开头。"] if preface else []
    for place, (level, name, count) in enumerate(headings):
        lines.append(f"{'#' * level} {name}")
        lines.extend(f"第{number}份第{place}处第{n}段。" for n in range(count))
    return "\n\n".join(lines) + "\n"


def material_of(shapes: list[tuple[bool, list[tuple[int, str, int]]]]) -> Material:
    sources = [Source.of(note(n, shape), f"笔记{n}.md", f"S{n}") for n, shape in enumerate(shapes, start=1)]
    return build_material(Reading(sources, []), "zh")


def written(material: Material) -> str:
    plan = outliner.outline(material)
    titles = {source.id: source.title for source in material.sources}
    twice = {title for title in titles.values() if list(titles.values()).count(title) > 1}
    shown = {id: f"笔记 {id} {title}" if title in twice else title for id, title in titles.items()}
    parts = [f"# {plan.title}"]
    for index, section in enumerate(plan.sections):
        passages = [
            passage
            for name in section.material
            for passage in (material.unit(name).passages if "#" in name else [material.passage(name)])
        ]
        task = Assignment(index, section.title, "", plan.title, (), tuple(passages), "zh", shown)
        parts += [f"## {section.title}", re.sub(r"\[E\d+\]", "", writer.write(task))]
    return "\n\n".join(parts) + "\n"


@settings(max_examples=100, deadline=None)
@given(folders)
def test_each_passage_stands_under_its_own_headings(shapes: list[tuple[bool, list[tuple[int, str, int]]]]) -> None:
    material = material_of(shapes)
    if not any(passage.path for passage in material.passages):
        return
    text = written(material)
    document = Document(text)
    for passage in material.passages:
        if not passage.path or "#" in passage.text:  # a text of headings alone is one passage
            continue
        at = text.index(passage.text)
        above: list[tuple[int, str]] = []
        for heading in document.headings:
            if heading.span.start < at:
                above = [one for one in above if one[0] < heading.level]
                above.append((heading.level, without_continued(heading.text)))
        names = [name for _, title in above for name in re.split("[：、 ]", title)]
        by_words = len(above) == 2 and "第" in above[-1][1]  # one heading over many passages: cut by their words
        assert by_words or above[-1][1].split(" ")[-1].split("：")[-1] == passage.path[-1], (
            passage.text,
            above,
            passage.path,
        )
        assert set(passage.path) <= set(names), (passage.text, above, passage.path)
