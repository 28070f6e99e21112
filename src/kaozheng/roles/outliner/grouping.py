"""Ways to divide material into sections: by headings, sources, folders, or where its words change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import PurePosixPath

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.roles.outliner.clusters import clusters
from kaozheng.roles.outliner.phrases import titles_of
from kaozheng.roles.structure import below, continued, own_title, same, structural
from kaozheng.sources.material import Material
from kaozheng.sources.passage import Passage, Unit
from kaozheng.sources.ranking import TfIdf, terms

MOST_SECTIONS = 12
PLAIN_TITLE = {"zh": "正文", "en": "Content"}
PREFACE_TITLE = {"zh": "引言", "en": "Introduction"}
_FEW_ITEMS = 3
_LARGE_TOKENS = 5_000  # as much as the section writer's twin keeps; a larger section would lose passages


@dataclass(frozen=True, slots=True)
class Item:
    """What the plan distributes: a unit, or a passage where the material has hardly any headings. `headed` tells
    whether a heading stands above it; without one `path` holds the source's title."""

    id: str
    source: str
    path: tuple[str, ...]
    text: str
    headed: bool = True


@dataclass(slots=True)
class Group:
    """A section in the making."""

    title: str
    items: list[Item]
    brief: str = ""


def items_of(material: Material) -> list[Item]:
    """Units, or passages when there are fewer than three units; what belongs to the form of a source is left out."""
    left_out = structural(material)
    kept = [(unit, [one for one in unit.passages if one.id not in left_out]) for unit in material.units]
    kept = [(unit, passages) for unit, passages in kept if passages] or [
        (unit, unit.passages) for unit in material.units if unit.passages
    ]
    whole = len(kept) >= _FEW_ITEMS or sum(len(passages) for _, passages in kept) <= len(kept)
    return [
        item
        for unit, passages in kept
        for item in (
            [_of_unit(unit)] if whole and len(passages) == len(unit.passages) else _of_passages(unit, passages)
        )
    ]


def _of_unit(unit: Unit) -> Item:
    return Item(unit.id, unit.source, tuple(unit.path), unit.text, bool(unit.passages[0].path))


def _of_passages(unit: Unit, passages: Iterable[Passage]) -> list[Item]:
    return [Item(one.id, unit.source, tuple(unit.path), one.text, bool(one.path)) for one in passages]


def by_heading(items: Sequence[Item], title: str, language: str) -> list[Group]:
    """Sections of one source in its order: the headings below its `title`, or its outermost ones when it has several.

    A text without headings is cut where its words change.
    """
    tops = dict.fromkeys(item.path[0] for item in items if item.headed)
    if not tops:
        return _runs(items, PLAIN_TITLE[language])
    root = next(iter(tops))
    if len(tops) > 1 or own_title(root, language) != own_title(title, language):
        return _in_order(items, lambda item: item.path[0] if item.headed else PREFACE_TITLE[language])
    groups = _in_order(items, lambda item: _below_root(item, root, language))
    chapters = [group for group in groups if len(group.items[0].path) > 1]
    if not chapters and len(groups) == 1:
        return _runs(items, root)
    if len(chapters) == 1 and _is_large(chapters[0]):
        place = groups.index(chapters[0])
        groups[place : place + 1] = _parts(chapters[0], _in_order(chapters[0].items, _third), language)
    return groups


def _below_root(item: Item, root: str, language: str) -> str:
    if not item.headed and item.path[0] != root:
        return PREFACE_TITLE[language]
    return item.path[min(1, len(item.path) - 1)]


def _third(item: Item) -> str:
    return item.path[min(2, len(item.path) - 1)]


def by_source(items: Sequence[Item], titles: Mapping[str, str], paths: Mapping[str, str]) -> list[Group]:
    """A section a source; of many sources a section a folder, else those that share words together."""
    groups = _collected(items, lambda item: item.source)
    for group in groups:
        group.title = titles[group.items[0].source]
    if len(groups) <= MOST_SECTIONS:
        return groups
    folder_of = _folders(paths)
    folders = _collected(items, lambda item: folder_of[item.source])
    largest = max(len(group.items) for group in folders)
    if 4 <= len(folders) <= MOST_SECTIONS and largest <= 0.6 * len(items):
        return folders
    return _clusters(groups)


def divided(groups: Iterable[Group], language: str) -> list[Group]:
    """Sources too large for one section as several, named by the source and by the heading."""
    return [
        part
        for group in groups
        for part in (
            _parts(group, by_heading(group.items, group.title, language), language) if _is_large(group) else [group]
        )
    ]


def _is_large(group: Group) -> bool:
    return sum(estimate_tokens(item.text) for item in group.items) > _LARGE_TOKENS


def _parts(whole: Group, parts: list[Group], language: str) -> list[Group]:
    if len(parts) == 1:
        parts = _runs(whole.items, "")
    if len(parts) == 1:
        return [whole]
    title = own_title(whole.title, language)
    return [
        Group(title if part.title == title else below(title, part.title, language), part.items)
        for part in named(parts, language)
    ]


def named(groups: Sequence[Group], language: str) -> list[Group]:
    """Clean titles for all; groups without one are named by their words."""
    titles = [own_title(group.title, language) for group in groups]
    if not all(titles):
        found = titles_of([[item.text for item in group.items] for group in groups], language)
        numbered = "第 {} 部分" if language == "zh" else "Part {}"
        titles = [
            title or own_title(words, language) or numbered.format(place)
            for place, (title, words) in enumerate(zip(titles, found, strict=True), start=1)
        ]
    return [Group(title, group.items, group.brief) for title, group in zip(titles, groups, strict=True)]


def merged(groups: Iterable[Group]) -> list[Group]:
    """Groups with the same title become one, where the first of them stood."""
    found: dict[str, Group] = {}
    for group in groups:
        found.setdefault(same(group.title), Group(group.title, [], group.brief)).items.extend(group.items)
    return list(found.values())


def in_author_s_order(groups: Iterable[Group], language: str) -> list[Group]:
    """At most twelve; those of one title become one where they are neighbours, else the later one is "continued"."""
    neighbours: list[Group] = []
    for group in groups:
        if neighbours and same(neighbours[-1].title) == same(group.title):
            neighbours[-1].items.extend(group.items)
        else:
            neighbours.append(Group(group.title, list(group.items), group.brief))
    taken: set[str] = set()
    for group in fewer(neighbours):
        title, times = group.title, 1
        while same(group.title) in taken:
            times += 1
            group.title = continued(title, times, language)
        taken.add(same(group.title))
    return neighbours


def fewer(groups: list[Group]) -> list[Group]:
    """At most twelve sections: neighbours with the least text join. Changes `groups`."""
    while len(groups) > MOST_SECTIONS:
        sizes = [sum(len(item.text) for item in group.items) for group in groups]
        place = min(range(len(groups) - 1), key=lambda i: sizes[i] + sizes[i + 1])
        first, second = groups[place], groups[place + 1]
        title = first.title if sizes[place] >= sizes[place + 1] else second.title
        groups[place : place + 2] = [Group(title, first.items + second.items)]
    return groups


def _in_order(items: Iterable[Item], key: Callable[[Item], str]) -> list[Group]:
    return [Group(name, list(run)) for name, run in groupby(items, key)]


def _collected(items: Iterable[Item], key: Callable[[Item], str]) -> list[Group]:
    groups: dict[str, Group] = {}
    for item in items:
        name = key(item)
        groups.setdefault(name, Group(name, [])).items.append(item)
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


def _runs(items: Sequence[Item], title: str) -> list[Group]:
    """Cut where the words change; a few passages stay together under `title`."""
    if len(items) < 2 * _FEW_ITEMS:
        return [Group(title, list(items))]
    return runs(items, max(4, min(MOST_SECTIONS, round(len(items) ** 0.5))), shortest=2)


def runs(items: Sequence[Item], wanted: int, shortest: int = 1) -> list[Group]:
    """At most `wanted` nameless groups of neighbours, cut where these share the fewest words; none has fewer items than
    `shortest`."""
    table = TfIdf([terms(item.text) for item in items])
    joints = sorted(range(1, len(items)), key=lambda place: table.similarity(place - 1, place))
    borders: list[int] = []
    for place in joints:
        if len(borders) + 1 == wanted:
            break
        if all(abs(place - other) >= shortest for other in (0, len(items), *borders)):
            borders.append(place)
    edges = [0, *sorted(borders), len(items)]
    return [Group("", list(items[start:end])) for start, end in pairwise(edges)]


def _clusters(groups: list[Group]) -> list[Group]:
    """Groups that share words become one, named by the most central of them."""
    texts = [terms("\n".join([group.title] * 3 + [item.text[:2_000] for item in group.items])) for group in groups]
    wanted = max(4, min(MOST_SECTIONS, round(1.4 * len(groups) ** 0.5)))
    return [
        Group(groups[middle].title, [item for place in places for item in groups[place].items])
        for places, middle in clusters(texts, wanted)
    ]
