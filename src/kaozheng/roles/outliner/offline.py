"""The outliner's twin: sections from headings, folders or word statistics; and the rules that make any plan complete.

One source gives its headings; a few sources give a section each; many are grouped by folder, else by the words that
they share.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import PurePosixPath

from kaozheng.roles.outliner.clusters import clusters
from kaozheng.roles.outliner.phrases import name_of, titles_of
from kaozheng.roles.outliner.plan import Outline, SectionPlan
from kaozheng.roles.titles import clean_title
from kaozheng.sources.material import Material
from kaozheng.sources.passage import Unit
from kaozheng.sources.ranking import TfIdf, terms
from kaozheng.sources.source import Source

MOST_SECTIONS = 12
_FEW_ITEMS = 3
_FIRST = re.compile(
    r"概述|概览|背景|简介|介绍|引言|前言|总览|readme|overview|introduction|background|about|summary of", re.I
)
_LAST = re.compile(
    r"附录|参考|总结|结语|后续|下一步|计划|问题|待办|常见问题"
    r"|faq|appendix|references|conclusion|next steps|open (?:issues|questions)|todo",
    re.I,
)
_STEM_NUMBER = re.compile(r"^\d{1,3}[-_. ]+(?=\D)")
_STEM_JOINT = re.compile(r"(?<=[^\W\d])[-_]+(?=\w)|(?<=\w)[-_]+(?=[^\W\d])")
_NAMELESS = re.compile(
    r"(?:input|text|stdin|untitled|new|document|doc|file|notes?|index|readme|description|新建.*|无标题.*|-)?", re.I
)
_ADDRESS = re.compile(r"[a-z]+://", re.I)
_FRONT = re.compile(r"(?:readme|index|overview|home|_?sidebar|目录|概述|概览|总览)$", re.I)


@dataclass(frozen=True, slots=True)
class Item:
    """What the plan distributes: a unit, or a passage where the material has hardly any headings."""

    id: str
    source: str
    path: tuple[str, ...]
    text: str


@dataclass(slots=True)
class _Group:
    title: str
    items: list[Item]
    brief: str = ""


def items_of(material: Material) -> list[Item]:
    """Units, or passages when there are fewer than three units."""
    units = [unit for unit in material.units if unit.passages]
    if len(units) >= _FEW_ITEMS or sum(len(unit.passages) for unit in units) <= len(units):
        return [_item(unit) for unit in units]
    return [
        Item(passage.id, unit.source, tuple(unit.path), passage.text) for unit in units for passage in unit.passages
    ]


def outline(material: Material, topic: str = "") -> Outline:
    """A plan by headings, folders or shared words; `topic`, when given, is the title."""
    items = items_of(material)
    several = len(material.sources) > 1
    groups = _by_source(material, items) if several else _by_heading(items)
    groups = _fewer(_merged(groups, material.language))
    if several:  # the author of a single source has already chosen the order
        groups = _ordered(groups)
    sections = _planned(groups, items)
    return Outline(title=topic or _title(material, sections), sections=sections)


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
    groups = [_Group(part.title, [known[name] for name in part.material], part.brief) for part in sections]
    groups = _merged([group for group in groups if group.items], language)
    return Outline(title=plan.title, sections=_planned(groups, items))


def _item(unit: Unit) -> Item:
    return Item(unit.id, unit.source, tuple(unit.path), "\n".join(passage.text for passage in unit.passages))


def _by_heading(items: Sequence[Item]) -> list[_Group]:
    """Sections of one source: its first heading level with two titles or more; else runs of alike passages."""
    deepest = max((len(item.path) for item in items), default=0)
    for level in range(deepest):
        titles = {item.path[level] for item in items if len(item.path) > level}
        if len(titles) >= 2:
            return _grouped(items, partial(_heading_at, level))
    return _runs(items)


def _heading_at(level: int, item: Item) -> str:
    return item.path[min(level, len(item.path) - 1)] if item.path else ""


def _by_source(material: Material, items: Sequence[Item]) -> list[_Group]:
    titles = {source.id: _source_title(source, material.language) for source in material.sources}
    paths = {source.id: source.path for source in material.sources}
    used = {item.source for item in items}
    if len(used) < 4:
        return [
            group
            for source in sorted(used, key=list(titles).index)
            for group in _by_heading_or_title(items, source, titles)
        ]
    groups = _grouped(items, lambda item: item.source)
    for group in groups:
        group.title = titles[group.items[0].source]
    if len(groups) <= MOST_SECTIONS:
        return groups
    folder_of = _folders(paths)
    folders = _grouped(items, lambda item: folder_of[item.source])
    largest = max(len(group.items) for group in folders)
    if 4 <= len(folders) <= MOST_SECTIONS and largest <= 0.6 * len(items):
        return folders
    return _clusters(groups)


def _by_heading_or_title(items: Sequence[Item], source: str, titles: dict[str, str]) -> list[_Group]:
    groups = _by_heading([item for item in items if item.source == source])
    for group in groups:
        group.title = group.title or titles[source]
    return groups


def _grouped(items: Iterable[Item], key: Callable[[Item], str]) -> list[_Group]:
    groups: dict[str, _Group] = {}
    for item in items:
        name = key(item)
        groups.setdefault(name, _Group(name, [])).items.append(item)
    return list(groups.values())


def _folders(paths: Mapping[str, str]) -> dict[str, str]:
    """For each source the first folder below what all paths share, else the folder that it stands in."""
    parents = {source: PurePosixPath(path.replace("\\", "/")).parent.parts for source, path in paths.items()}
    shared = 0
    for names in zip(*parents.values(), strict=False):
        if len(set(names)) > 1:
            break
        shared += 1
    return {source: own[shared] if len(own) > shared else (own[-1] if own else "") for source, own in parents.items()}


def _runs(items: Sequence[Item]) -> list[_Group]:
    """Cut a text without headings where neighbouring passages share the fewest words."""
    if len(items) < 2 * _FEW_ITEMS:
        return [_Group("", list(items))]
    table = TfIdf([terms(item.text) for item in items])
    wanted = max(4, min(MOST_SECTIONS, round(len(items) ** 0.5)))
    joints = sorted(range(1, len(items)), key=lambda place: table.similarity(place - 1, place))
    borders: list[int] = []
    for place in joints:
        if len(borders) + 1 == wanted:
            break
        if all(abs(place - other) >= 2 for other in (0, len(items), *borders)):
            borders.append(place)
    edges = [0, *sorted(borders), len(items)]
    return [_Group("", list(items[start:end])) for start, end in pairwise(edges)]


def _clusters(groups: list[_Group]) -> list[_Group]:
    """Groups that share words become one, named by the most central of them."""
    texts = [terms("\n".join([group.title] * 3 + [item.text[:2_000] for item in group.items])) for group in groups]
    wanted = max(4, min(MOST_SECTIONS, round(1.4 * len(groups) ** 0.5)))
    return [
        _Group(groups[middle].title, [item for place in places for item in groups[place].items])
        for places, middle in clusters(texts, wanted)
    ]


def _merged(groups: list[_Group], language: str) -> list[_Group]:
    """Groups with the same clean title become one; groups without a title are named by their words."""
    merged: dict[str, _Group] = {}
    for group in _named(groups, language):
        key = unicodedata.normalize("NFKC", group.title).casefold()
        merged.setdefault(key, _Group(group.title, [], group.brief)).items.extend(group.items)
    return list(merged.values())


def _named(groups: list[_Group], language: str) -> list[_Group]:
    titles = [clean_title(group.title) for group in groups]
    if not all(titles):
        found = titles_of([[item.text for item in group.items] for group in groups], language)
        numbered = "第 {} 部分" if language == "zh" else "Part {}"
        titles = [
            title or clean_title(words) or numbered.format(place)
            for place, (title, words) in enumerate(zip(titles, found, strict=True), start=1)
        ]
    return [_Group(title, group.items, group.brief) for title, group in zip(titles, groups, strict=True)]


def _planned(groups: Sequence[_Group], items: Sequence[Item]) -> list[SectionPlan]:
    order = {item.id: place for place, item in enumerate(items)}
    return [
        SectionPlan(
            title=group.title,
            brief=group.brief,
            material=sorted((item.id for item in group.items), key=order.__getitem__),
        )
        for group in groups
    ]


def _fewer(groups: list[_Group]) -> list[_Group]:
    """At most twelve sections: neighbours with the least text join."""
    while len(groups) > MOST_SECTIONS:
        sizes = [sum(len(item.text) for item in group.items) for group in groups]
        place = min(range(len(groups) - 1), key=lambda i: sizes[i] + sizes[i + 1])
        first, second = groups[place], groups[place + 1]
        title = first.title if sizes[place] >= sizes[place + 1] else second.title
        groups[place : place + 2] = [_Group(title, first.items + second.items)]
    return groups


def _ordered(groups: list[_Group]) -> list[_Group]:
    return sorted(groups, key=lambda group: -1 if _FIRST.search(group.title) else 1 if _LAST.search(group.title) else 0)


def _title(material: Material, sections: Sequence[SectionPlan]) -> str:
    """That of the only source, or of the one that stands in front; else the first sections' names."""
    sources = material.sources
    front = sources if len(sources) == 1 else [one for one in sources if _FRONT.match(PurePosixPath(one.path).stem)]
    top = min(front, key=lambda one: one.path.count("/"), default=None)
    if top and (title := _source_title(top, material.language)):
        return title
    names = [part.title for part in sections[:2]]
    if material.language == "zh":
        return f"{'、'.join(names)}{'等' if len(sections) > 2 else ''}资料汇编"
    return f"Notes: {', '.join(names)}{' and more' if len(sections) > 2 else ''}"


def _source_title(source: Source, language: str) -> str:
    """Its title; a mere file name is only taken when the text does not name itself, and is made readable."""
    stem = PurePosixPath(source.path).stem
    if source.title != stem and not _ADDRESS.match(source.title):
        return clean_title(source.title)
    nameless = bool(_NAMELESS.fullmatch(stem)) or (language == "zh" and stem.isascii())
    if nameless and (name := clean_title(name_of(source.text))):
        return name
    words = _STEM_JOINT.sub(" ", _STEM_NUMBER.sub("", stem)) or stem
    return "" if _NAMELESS.fullmatch(stem) else clean_title(words[:1].upper() + words[1:])


def _join(sections: list[SectionPlan], forgotten: Sequence[Item], known: dict[str, Item]) -> None:
    texts = [
        terms(" ".join([part.title, part.brief, *(known[name].text for name in part.material)])) for part in sections
    ]
    table = TfIdf(texts + [terms(item.text) for item in forgotten])
    for place, item in enumerate(forgotten, start=len(sections)):
        nearest = max(range(len(sections)), key=lambda i: table.similarity(i, place))
        sections[nearest].material.append(item.id)
