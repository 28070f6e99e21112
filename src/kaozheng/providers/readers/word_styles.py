"""What the style of a Word paragraph makes of it: a heading, an item of a list, a line of the table of contents."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from kaozheng.providers.readers.zip_parts import Element, child, is_on, name_of, number, value

TITLE = 0
_HEADING = re.compile(r"(?:heading|标题)\s*([1-9])$", re.IGNORECASE)
_DEPTH = re.compile(r"^list (?:bullet|number) ([2-5])$", re.IGNORECASE)
_TITLES = frozenset({"title", "标题"})
_CONTENTS = re.compile(r"(?:toc|目录)\s*(?:[1-9]|heading)?$|table of figures$", re.IGNORECASE)
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Look:
    """`level`: None for text, TITLE for the document's own title, 1 to 9 for a heading. `list_id` is "" outside of
    lists; `depth` is the level in it from 0, `nested` how far the style's name says that it stands under another list.
    `contents`: a line of the table of contents."""

    level: int | None = None
    list_id: str = ""
    depth: int = 0
    nested: int = 0
    contents: bool = False
    hidden: bool = False


@dataclass(slots=True)
class Styles:
    """The styles of a file by their ids."""

    _elements: dict[str, Element] = field(default_factory=dict)
    _looks: dict[str, Look] = field(default_factory=dict)
    _default: str = ""

    @classmethod
    def of(cls, root: Element | None) -> Styles:
        """From styles.xml; without it every paragraph is text."""
        made = cls()
        for style in root if root is not None else ():
            if name_of(style) == "w:style":
                made._elements[value(style, "styleId")] = style
                if value(style, "type") == "paragraph" and value(style, "default") in ("1", "true"):
                    made._default = value(style, "styleId")
        return made

    def look(self, properties: Element | None) -> Look:
        """Of a paragraph with these properties; what it says itself goes before its style."""
        styled = self._of_style(value(child(properties, "w:pStyle"), otherwise=self._default))
        level = _outline(properties)
        own = child(properties, "w:numPr")
        list_id = value(child(own, "w:numId"), otherwise=styled.list_id)
        depth = number(child(own, "w:ilvl"), otherwise=styled.depth)
        level = styled.level if level is None else level
        return replace(styled, level=level, list_id="" if list_id == "0" else list_id, depth=depth)

    def _of_style(self, id: str, above: int = 0) -> Look:
        style = self._elements.get(id)
        if style is None or above > _DEEPEST:
            return Look()
        if id not in self._looks:
            base = self._of_style(value(child(style, "w:basedOn")), above + 1)
            self._looks[id] = _own(style, base)
        return self._looks[id]


def _own(style: Element, base: Look) -> Look:
    name = value(child(style, "w:name")).strip().lower()
    properties = child(style, "w:pPr")
    level = _outline(properties)
    if heading := _HEADING.match(name):
        level = int(heading[1])
    elif name in _TITLES:
        level = TITLE
    numbers = child(properties, "w:numPr")
    deeper = _DEPTH.match(name)
    return Look(
        base.level if level is None else level,
        value(child(numbers, "w:numId"), otherwise=base.list_id),
        number(child(numbers, "w:ilvl"), otherwise=base.depth),
        int(deeper[1]) - 1 if deeper else base.nested,
        bool(_CONTENTS.match(name)) or base.contents,
        is_on(child(style, "w:rPr", "w:vanish")) or base.hidden,
    )


def _outline(properties: Element | None) -> int | None:
    """The outline level from 1; 9 in the file means text."""
    level = child(properties, "w:outlineLvl")
    given = number(level, otherwise=9)
    return None if level is None or not 0 <= given < 9 else given + 1
