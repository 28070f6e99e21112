"""The summary planner's twin: sections by the headings that the memories stand under, else where their words change;
and the rules that make a model's plan complete."""

from __future__ import annotations

from collections.abc import Sequence

from kaozheng.roles.outliner.grouping import PREFACE_TITLE, Item, by_heading, runs
from kaozheng.roles.summary_planner.parts import Part, fit, fitted, titled
from kaozheng.roles.summary_planner.tree import Planning, Subsection, Tree, TreeSection
from kaozheng.roles.titles import clean_title

_NO_TITLE = {"zh": "摘要", "en": "Summary"}
_BRIEF_CHARS = 400
_LONGEST_TITLE = 200
_MOST = 12


def plan(task: Planning) -> Tree:
    """A plan in the order of the source."""
    items, language = _items(task), _known(task.language)
    least, most = task.bounds
    whole = clean_title(task.title)
    groups = by_heading(items, whole, language) if any(item.headed for item in items) else runs(items, most)
    for place, group in enumerate(groups):
        if clean_title(group.title) in (whole, PREFACE_TITLE[language]):  # it stands under no chapter, or under several
            group.title = PREFACE_TITLE[language] if group.title and not place and len(groups) > 1 else ""
    parts = [Part([group.title] if group.title else [], group.items) for group in groups]
    return _tree(task, fitted(parts, least, most), "")


def complete(tree: Tree, task: Planning) -> Tree:
    """A model's plan with every memory in exactly one section, in the order of the source.

    Unknown ids go, an id stays where it is named first, one that is not named joins the section of its neighbour;
    sections without memories go. There are as many sections as asked for, and each has a title of its own that says no
    number which the memories do not have.
    """
    items = {item.id: item for item in _items(task)}
    home = _homes(tree, items)
    texts = [item.text for item in items.values()]
    parts: list[Part] = []
    for place, section in enumerate(tree.sections):
        title = fit(section.title, _known(task.language), texts)
        subsections = [
            (fit(one.title, _known(task.language), texts), [name for name in one.memories if home.get(name) == place])
            for one in section.subsections
        ]
        own = [item for name, item in items.items() if home[name] == place]
        if own:
            brief = " ".join(section.brief.split())[:_BRIEF_CHARS]
            parts.append(Part([title] if title else [], own, brief, subsections))
    least, most = task.bounds if task.sections is not None else (1, _MOST)
    return _tree(task, fitted(parts, least, most), fit(tree.title, _known(task.language), texts))


def named_ids(section: TreeSection) -> list[str]:
    """All ids that a section names, those of its subsections too."""
    return [*section.memories, *(name for one in section.subsections for name in one.memories)]


def _homes(tree: Tree, items: dict[str, Item]) -> dict[str, int]:
    """For each memory the place of its section."""
    home: dict[str, int] = {}
    for place, section in enumerate(tree.sections):
        for name in named_ids(section):
            if name in items:
                home.setdefault(name, place)
    last = next((home[name] for name in items if name in home), 0)
    for name in items:
        last = home.setdefault(name, last)
    return home


def _tree(task: Planning, parts: Sequence[Part], title: str) -> Tree:
    order = {name: place for place, (name, _, _) in enumerate(task.memories)}
    for part in parts:
        part.items.sort(key=lambda item: order[item.id])
    sections = [
        TreeSection(
            title=name, brief=part.brief, memories=[item.id for item in part.items], subsections=_subsections(part)
        )
        for name, part in zip(titled(parts, task.language), parts, strict=True)
    ]
    title = title or _whole_title(task.title) or _made_title(parts, [one.title for one in sections], task.language)
    return Tree(title=title, sections=sections)


def _subsections(part: Part) -> list[Subsection]:
    """Those of the model that have a title and memories of the section, none twice; one alone is part of nothing."""
    inside = [item.id for item in part.items]
    found: list[Subsection] = []
    for title, names in part.subsections:
        kept = [name for name in inside if name in names]
        inside = [name for name in inside if name not in names]
        if title and kept:
            found.append(Subsection(title=title, memories=kept))
    return found if len(found) > 1 else []


def _items(task: Planning) -> list[Item]:
    """The memories as what the outliner groups; where no heading stands above one, the title of the source does."""
    return [
        Item(name, "", path or (clean_title(task.title),), text, headed=bool(path))
        for name, path, text in task.memories
    ]


def _whole_title(title: str) -> str:
    """The title of the source, whole unless it is no title: cut short it would say something else."""
    clean = " ".join(title.split())
    return (
        clean
        if clean.rstrip("。.") and len(clean) <= _LONGEST_TITLE and not clean.startswith("#")
        else clean_title(title)
    )


def _made_title(parts: Sequence[Part], titles: Sequence[str], language: str) -> str:
    """By what the first sections are about, where they have names of their own."""
    known = _known(language)
    colon, between, more = ("：", "、", "等") if known == "zh" else (": ", ", ", " and more")
    names = [title for part, title in zip(parts, titles, strict=True) if part.titles][:2]
    rest = more if names and len(titles) > len(names) else ""
    return f"{_NO_TITLE[known]}{colon if names else ''}{between.join(names)}{rest}"


def _known(language: str) -> str:
    return "zh" if language == "zh" else "en"
