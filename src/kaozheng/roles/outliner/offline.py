"""The outliner's twin: sections from headings, folders or word statistics; and the rules that make any plan complete.

One source gives its headings; several give a section each; many are grouped by folder, else by the words that they
share.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from kaozheng.roles.outliner.grouping import (
    MOST_SECTIONS,
    PLAIN_TITLE,
    Group,
    Item,
    by_heading,
    by_source,
    divided,
    in_author_s_order,
    items_of,
    merged,
    named,
)
from kaozheng.roles.outliner.phrases import name_of
from kaozheng.roles.outliner.plan import Outline, SectionPlan
from kaozheng.roles.structure import own_title, title_line
from kaozheng.sources.material import Material
from kaozheng.sources.ranking import TfIdf, terms
from kaozheng.sources.source import Source

__all__ = ["MOST_SECTIONS", "Item", "complete", "items_of", "outline"]

_MANY_SOURCES = 4
_FIRST = re.compile(
    r"概述|概览|背景|简介|介绍|引言|前言|总览|readme|overview|introduction|background|about|summary of", re.I
)
_LAST = re.compile(
    r"附录|参考|延伸阅读|总结|结语|后续|下一步|计划|问题|待办|常见问题"
    r"|faq|appendix|references|further reading|conclusion|next steps|open (?:issues|questions)|todo",
    re.I,
)
_STEM_NUMBER = re.compile(r"^\d{1,3}[-_. ]+(?=\D)")
_STEM_JOINT = re.compile(r"(?<=[^\W\d])[-_]+(?=\w)|(?<=\w)[-_]+(?=[^\W\d])")
_NAMELESS = re.compile(
    r"(?:input|text|stdin|untitled|new|document|doc|file|notes?|index|readme|description|新建.*|无标题.*|-)?", re.I
)
_ADDRESS = re.compile(r"[a-z]+://", re.I)
_FRONT = re.compile(r"(?:readme|index|overview|home|_?sidebar|目录|概述|概览|总览)$", re.I)


def outline(material: Material, topic: str = "") -> Outline:
    """A plan by headings, folders or shared words; `topic`, when given, is the title."""
    items = items_of(material)
    language = "zh" if material.language == "zh" else "en"
    if len(material.sources) == 1:  # its author has already chosen the order
        groups = named(by_heading(items, material.sources[0].title, language), language)
    else:
        titles = {source.id: _source_title(source, language) for source in material.sources}
        paths = {source.id: source.path for source in material.sources}
        groups = _ordered(merged(named(by_source(items, titles, paths), language)))
    groups = in_author_s_order(groups, language)
    title = topic or _title(material, [group.title for group in groups])
    if 1 < len(material.sources) < _MANY_SOURCES:
        groups = in_author_s_order(divided(groups, language), language)
    return Outline(title=title, sections=_planned(groups, items))


def complete(plan: Outline, items: Sequence[Item], language: str) -> Outline:
    """`plan` with every item in exactly one section, and a title of its own for each section.

    Unknown and repeated ids are dropped, forgotten items join the section that they resemble most, sections without
    material go and sections of one name become one.
    """
    known = {item.id: item for item in items}
    seen: set[str] = set()
    sections: list[SectionPlan] = []
    for part in plan.sections:
        kept = [name for name in dict.fromkeys(part.material) if name in known and name not in seen]
        seen.update(kept)
        sections.append(part.model_copy(update={"material": kept}))
    forgotten = [item for item in items if item.id not in seen]
    if forgotten:
        _join(sections, forgotten, known)
    groups = [Group(part.title, [known[name] for name in part.material], part.brief) for part in sections]
    groups = merged(named([group for group in groups if group.items], language))
    return Outline(title=plan.title, sections=_planned(groups, items))


def _planned(groups: Sequence[Group], items: Sequence[Item]) -> list[SectionPlan]:
    order = {item.id: place for place, item in enumerate(items)}
    return [
        SectionPlan(
            title=group.title,
            brief=group.brief,
            material=sorted((item.id for item in group.items), key=order.__getitem__),
        )
        for group in groups
    ]


def _ordered(groups: list[Group]) -> list[Group]:
    return sorted(groups, key=lambda group: -1 if _FIRST.search(group.title) else 1 if _LAST.search(group.title) else 0)


def _title(material: Material, titles: Sequence[str]) -> str:
    """That of the only source, or of the one that stands in front; else the first of the sections' `titles`."""
    sources = material.sources
    front = sources if len(sources) == 1 else [one for one in sources if _FRONT.match(PurePosixPath(one.path).stem)]
    top = min(front, key=lambda one: one.path.count("/"), default=None)
    if top and (title := _source_title(top, material.language)):
        return title
    names = [title for title in titles[:2] if title not in PLAIN_TITLE.values()]
    if material.language == "zh":
        return f"{'、'.join(names)}{'等' if len(titles) > 2 else ''}资料汇编"
    if not names:
        return "Notes"
    return f"Notes: {', '.join(names)}{' and more' if len(titles) > 2 else ''}"


def _source_title(source: Source, language: str) -> str:
    """Its title; a mere file name is only taken when the text does not name itself, and is made readable."""
    stem = PurePosixPath(source.path).stem
    if line := own_title(title_line(source), language):
        return line
    if source.title != stem and not _ADDRESS.match(source.title):
        return own_title(source.title, language)
    nameless = bool(_NAMELESS.fullmatch(stem)) or (language == "zh" and stem.isascii())
    if nameless and (name := own_title(name_of(source.text), language)):
        return name
    words = _STEM_JOINT.sub(" ", _STEM_NUMBER.sub("", stem)) or stem
    return "" if _NAMELESS.fullmatch(stem) else own_title(words[:1].upper() + words[1:], language)


def _join(sections: list[SectionPlan], forgotten: Sequence[Item], known: dict[str, Item]) -> None:
    texts = [
        terms(" ".join([part.title, part.brief, *(known[name].text for name in part.material)])) for part in sections
    ]
    table = TfIdf(texts + [terms(item.text) for item in forgotten])
    for place, item in enumerate(forgotten, start=len(sections)):
        nearest = max(range(len(sections)), key=lambda i: table.similarity(i, place))
        sections[nearest].material.append(item.id)
