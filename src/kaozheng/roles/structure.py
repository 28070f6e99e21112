"""What belongs to the form of a source and not to what it says: its table of contents, its title line, its names for
parts that the finished document has itself."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby

from kaozheng.roles.titles import clean_title
from kaozheng.sources.material import Material
from kaozheng.sources.passage import Passage
from kaozheng.sources.source import Source

_CONTENTS = frozenset({"目录", "目次", "contents", "table of contents"})
_REFERENCES = frozenset({"参考资料", "参考文献", "references"})
_LISTINGS = _CONTENTS | {"本文目录", "文章目录", "toc"}
_OURS = {"zh": ("内容说明", "延伸阅读"), "en": ("What it covers", "Further reading")}
_CONTENTS_MARK = r"[ \t]*(?:@?\[\[?_?toc_?\]?\](?:\([^)\n]*\))?|\{:[ ]?toc\}|\$\{toc\})[ \t]*"
_ONLY_MARK = re.compile(_CONTENTS_MARK, re.IGNORECASE)
_MARK_LINE = re.compile(rf"^{_CONTENTS_MARK}(?:\n|\Z)", re.IGNORECASE | re.MULTILINE)
_LINK = re.compile(
    r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\](?:\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])|\[\[[^\]]*\]\]|<?https?://\S+"
    r"|<a\b[^>]*>.*?</a>",
    re.DOTALL | re.IGNORECASE,
)
_LIST_MARK = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s", re.MULTILINE)
_NO_TITLE = re.compile(r"[-*+>|#`~!<•●]|\d+[.)、]|https?://")
_END_MARKS = "。！？；：，、.!?;:,…"
_TITLE_COLUMNS = 60  # 30 Han characters
_CONTINUED = re.compile(r"（续(?: \d+)?）$| \(continued(?: \d+)?\)$")
_SECTION_A_SOURCE = 12


def own_title(title: str, language: str) -> str:
    """`title` made clean; a source's 目录 or References gets a name that the document's own parts do not have."""
    clean = clean_title(title)
    contents, references = _OURS["zh" if language == "zh" else "en"]
    plain = same(clean)
    return contents if plain in _CONTENTS else references if plain in _REFERENCES else clean


def continued(title: str, times: int, language: str) -> str:
    """`title` as it stands for the `times`th time: "安装", "安装（续）", "安装（续 3）"."""
    if times < 2:
        return title
    again = "" if times == 2 else f" {times}"
    return f"{title}（续{again}）" if language == "zh" else f"{title} (continued{again})"


def without_continued(title: str) -> str:
    """Back from `continued`."""
    return _CONTINUED.sub("", title)


def below(title: str, part: str, language: str) -> str:
    """The title of a section that is one `part` of what `title` names."""
    return f"{title}：{part}" if language == "zh" else f"{title}: {part}"


def same(title: str) -> str:
    """What two titles that a reader takes for the same have in common."""
    return unicodedata.normalize("NFKC", title).casefold()


def without_contents_marks(text: str) -> str:
    """Prose without lines that only ask for a table of contents (`[TOC]`)."""
    return _MARK_LINE.sub("", text).rstrip() if "toc" in text.lower() else text


def structural(material: Material) -> frozenset[str]:
    """The ids of passages that no section is written from: tables of contents, and the title line of a text."""
    found = {name for unit in material.units for name in _contents(unit.passages)}
    firsts = {passage.source: passage for passage in reversed(material.passages)}
    for source in material.sources:
        # With more sources than sections a title may stand nowhere else.
        line = title_line(source)
        if line and (line == source.title or len(material.sources) <= _SECTION_A_SOURCE):
            found.update(_first_of(firsts.get(source.id), line))
    return frozenset(found)


def title_line(source: Source) -> str:
    """The first line of a text that is no Markdown file, when it stands alone like a title; else ""."""
    if source.suffix not in {".txt", ".text", ""}:
        return ""
    first, _, rest = source.text.lstrip("\n \t\u3000").partition("\n")
    line = first.strip().strip("【】")
    if not rest.startswith("\n") or not rest.strip() or not len(line) > 1 or line[-1] in _END_MARKS:
        return ""
    wide = sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in line)
    return "" if wide > _TITLE_COLUMNS or _NO_TITLE.match(line) else line


def _contents(passages: Sequence[Passage]) -> Iterator[str]:
    for path, run in groupby(passages, key=lambda passage: passage.path):
        under = list(run)
        marks = {passage.id for passage in under if _ONLY_MARK.fullmatch(passage.text)}
        listing = bool(path) and same(clean_title(path[-1])) in _LISTINGS
        if listing and all(passage.id in marks or _only_links(passage.text) for passage in under):
            yield from (passage.id for passage in under)
        else:
            yield from marks


def _only_links(text: str) -> bool:
    rest, links = _LINK.subn("", without_contents_marks(text))
    return bool(links) and not re.search(r"\w", _LIST_MARK.sub("", rest))


def _first_of(first: Passage | None, line: str) -> Iterator[str]:
    if first and not first.path and first.text.strip().strip("【】") == line:
        yield first.id
