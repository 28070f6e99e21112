"""The main text of an HTML page, read in one pass whose time grows with the page's length and with nothing else.

Not on `html.parser`: 60 kB of `<a <a <a …` keep it busy for most of a minute, and pages come from strangers. Here, as
in a browser, whatever is not closed reaches to the end of the page, so nothing is read twice.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_ENOUGH = 200  # characters; a <main> or <article> with less is hardly the main text
_SEARCHED = 2_000  # characters of a tag, for what hides it
_MARK = re.compile(r"<(?=[a-zA-Z/!?])")
_NAME = re.compile(r"/?([a-zA-Z][^\s/>]*)")
_IN_TAG = re.compile(r"=\s*([\"'])|>")
_SPACE = re.compile(r"[ \t\r\n\f\u00a0]+")
_INVISIBLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\U000e0000-\U000e007f]")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_HIDDEN = re.compile(r"\shidden(?=[\s=/]|$)", re.IGNORECASE)
_HIDDEN_BY = re.compile(
    r"aria-hidden\s*=\s*[\"']?true"
    r"|\sstyle\s*=\s*[\"'][^\"']*(?:display\s*:\s*none|visibility\s*:\s*hidden)",
    re.IGNORECASE,
)
_RAW = frozenset({"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"})
_RAW_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _RAW}
_DROPPED = frozenset({
    "nav", "footer", "aside", "button", "select", "svg", "template", "noscript", "object", "canvas", "dialog", "menu",
})  # fmt: skip
_VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
})  # fmt: skip
_ENDS_ITSELF = frozenset({"p", "li", "td", "th", "tr", "dt", "dd", "option"})  # by the next one of its name
_WHOLE = frozenset({"html", "body"})  # hidden until a script has run, on some pages
_INLINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "label",
    "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var",
    "img", "wbr", "input",
})  # fmt: skip
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}


@dataclass(frozen=True, slots=True)
class _Tag:
    name: str
    closes: bool
    attributes: str


@dataclass(slots=True)
class _Reader:
    """Blocks of text in the order of the page, with the regions that each lies in."""

    dropped: frozenset[str]
    title: str = ""
    blocks: list[tuple[str, bool, bool]] = field(default_factory=list)  # text, in <main>, in <article>
    skipping: str = ""
    _depth: int = 0
    _pieces: list[str] = field(default_factory=list)
    _mark: str = ""
    _main: int = 0
    _article: int = 0
    _pre: int = 0

    def text(self, text: str) -> None:
        if not self.skipping:
            self._pieces.append(text)

    def tag(self, tag: _Tag) -> None:
        if self.skipping and not self._skips_on(tag):
            return
        if not tag.closes and self._is_left_out(tag):
            self.skipping, self._depth = tag.name, 1
            return
        if tag.name == "br":
            self._pieces.append("\n" if self._pre else "\r")
        elif tag.name in ("td", "th"):
            self._pieces.append(" " if tag.closes else " | " if self._pieces else "")
        elif tag.name not in _INLINE:
            self.end_block()
            self._enter(tag)

    def end_block(self) -> None:
        raw, self._pieces = "".join(self._pieces), []
        if self._pre:
            body = unescaped(raw).strip("\n")
            text = f"```\n{body}\n```" if body.strip() else ""
        else:
            lines = (_SPACE.sub(" ", unescaped(line)).strip() for line in raw.split("\r"))
            text = "\n".join(line for line in lines if line)
        if text:
            self.blocks.append((self._mark + text, self._main > 0, self._article > 0))
            self._mark = ""

    def _enter(self, tag: _Tag) -> None:
        step = -1 if tag.closes else 1
        if tag.name == "main":
            self._main = max(0, self._main + step)
        elif tag.name == "article":
            self._article = max(0, self._article + step)
        elif tag.name == "pre":
            self._pre = max(0, self._pre + step)
        elif tag.name in _HEADINGS or tag.name == "li":
            self._mark = "" if tag.closes else _HEADINGS.get(tag.name, "- ")

    def _is_left_out(self, tag: _Tag) -> bool:
        if tag.name in _VOID or tag.name in _WHOLE:
            return False
        return tag.name in self.dropped or _is_hidden(tag.attributes[:_SEARCHED])

    def _skips_on(self, tag: _Tag) -> bool:
        """Counts what is nested in the element that is left out; True when the tag itself is to be read again."""
        if tag.name != self.skipping:
            return False
        if not tag.closes and tag.name in _ENDS_ITSELF:
            self.skipping = ""
            return True
        self._depth += -1 if tag.closes else 1
        if self._depth == 0:
            self.skipping = ""
        return False


def main_text(page: str) -> tuple[str, str]:
    """(title, text): paragraphs apart by an empty line, with Markdown's marks for headings, items and code. Without
    scripts, navigation, footers and what the page hides. What lies in <main>, else in <article>, is taken alone where
    it is long enough."""
    reader = _read(page, _DROPPED)
    if reader.skipping:  # never closed: half of the page would be missing
        reader = _read(page, _DROPPED - {reader.skipping})
    whole = [text for text, _, _ in reader.blocks]
    main = [text for text, in_main, _ in reader.blocks if in_main]
    article = [text for text, _, in_article in reader.blocks if in_article]
    chosen = next((part for part in (main, article) if sum(map(len, part)) >= _ENOUGH), whole)
    heading = next((text.lstrip("# ") for text in whole if text.startswith("# ")), "")
    return reader.title or heading.split("\n")[0], visible("\n\n".join(chosen))


def visible(text: str) -> str:
    """Without control characters and Unicode's tag characters, which nobody sees but a terminal or a model."""
    return _INVISIBLE.sub("", text)


def unescaped(text: str) -> str:
    """`&amp;` and the like resolved; as it stands where a number has more digits than Python takes."""
    try:
        return html.unescape(text)
    except ValueError:
        return text


def _is_hidden(attributes: str) -> bool:
    """By the attribute of that name, which is no word inside of another's value, or by a style."""
    return bool(_HIDDEN.search(_QUOTED.sub("", attributes)) or _HIDDEN_BY.search(attributes))


def _read(page: str, dropped: frozenset[str]) -> _Reader:
    reader = _Reader(dropped)
    for token in _tokens(page):
        if isinstance(token, str):
            reader.text(token)
        elif token.name == "title" and token.attributes:
            found = _SPACE.sub(" ", unescaped(token.attributes)).strip()
            reader.title = reader.title or ("" if reader.skipping else visible(found))
        else:
            reader.tag(token)
    reader.end_block()
    return reader


def _tokens(page: str) -> Iterator[str | _Tag]:
    """Texts and tags. A <title> comes as a tag whose attributes are its text; other raw elements do not come."""
    at = 0
    while found := _MARK.search(page, at):
        start = found.start()
        if start > at:
            yield page[at:start]
        if page.startswith("<!--", start):
            at = _after(page, "-->", start + 4)
            continue
        name = _NAME.match(page, start + 1)
        if name is None:
            at = _after(page, ">", start + 1)
            continue
        end = _end_of_tag(page, name.end())
        if end < 0:
            return
        tag = _Tag(name[1].lower(), page[start + 1] == "/", page[name.end() : end - 1])
        at = end
        if tag.name not in _RAW:
            yield tag
        elif not tag.closes:
            closing = _RAW_END[tag.name].search(page, end)
            if tag.name == "title":
                yield _Tag("title", False, page[end : closing.start() if closing else len(page)])
            at = _after(page, ">", closing.end()) if closing else len(page)
    yield page[at:]


def _after(page: str, mark: str, at: int) -> int:
    found = page.find(mark, at)
    return len(page) if found < 0 else found + len(mark)


def _end_of_tag(page: str, at: int) -> int:
    """The place behind the tag's `>`, which a quoted attribute does not end; -1 when the page ends before."""
    while found := _IN_TAG.search(page, at):
        if not found[1]:
            return found.end()
        closing = page.find(found[1], found.end())
        if closing < 0:
            return -1
        at = closing + 1
    return -1
