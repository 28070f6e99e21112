"""What a README says of the project, and the commands that it gives, each with its lines."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from kaozheng.documents.document import Document
from kaozheng.documents.nodes import Inline
from kaozheng.documents.placeholders import HTML, MARK, NOTE
from kaozheng.documents.prose import Prose
from kaozheng.documents.sentences import split
from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.terrain import Terrain
from kaozheng.roles.explorer.quoting import words
from kaozheng.sources.code import CodeFile

_NAME = re.compile(r"(?i)readme(?:[._-][\w-]+)*(?:\.\w+)?")
_CHINESE = re.compile(r"(?i)readme[._-](?:zh|cn)(?:[._-](?:cn|hans))?(?:\.\w+)?")
_READ_CHARS = 60_000
_MOST_CHARS = 420  # characters of a quotation
_MOST_SENTENCES = 2
_FEWEST_SIGNS = 24
_SHELLS = frozenset({"", "bash", "sh", "shell", "console", "zsh", "shell-session", "shellsession", "cmd", "powershell"})
_COMMAND = re.compile(
    r"^(?:\$ |> |# )?((?:sudo |python3? -m |\./)?(?:pip3?|pipx|uv|uvx|poetry|conda|npm|npx|pnpm|yarn|bun|cargo|go|make"
    r"|cmake|ctest|brew|apt|apt-get|docker|docker-compose|mvn|gradle|gradlew|mvnw|git|pytest|tox|nox|python3?|node|deno"
    r"|autoreconf|configure|bash|sh|meson|ninja|rustup|dotnet|composer|gem|bundle)\b(?: .{0,200})?)$"
)
_GONE = re.compile(r"^(?:\$ )?cd ([\w./-]+)$")
_COMMENT = re.compile(r"\s+#\s.*$")
_UNREAD = MARK + NOTE + HTML
_MOST_PARAGRAPHS = 20
_MOST_TITLE = 120  # characters
_BESIDE = re.compile(
    r"(?i)licen[cs]ed? under|\blicen[cs]es?\b.*\bMIT\b|sponsor|donat|backers|\bcontribut|changelog"
    r"|\brelease[sd]?\b|^please\b|^see\b|^note\b|许可证|赞助|捐赠|贡献|更新日志|发布"
)
_ABOUT = re.compile(
    r"(?i)\b(?:about|introduction|overview|what is|description|summary)\b|简介|介绍|关于|概述|概要|是什么"
)
_FEWEST_UNLINKED = 12  # letters outside of links; a row of links has hardly any
_RST_SIGN = re.compile(r"^\s*(?:\.\.|:\w+:|\||[-=~^\"'`*+#]{3,}\s*$)")
_IS = re.compile(r"\b(?:is|are|provides?|offers?|implements?|lets?|helps?)\b|是|为|用于|提供|一款|一个", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a README and their lines. `is_lead`: they stand where a README says what it is about."""

    text: str
    lines: LineRange
    is_lead: bool = True


@dataclass(frozen=True, slots=True)
class Given:
    """A command as a README gives it, under the heading that stands above it ("" for none). `folder`: where the lines
    above it in the same fence have gone to, "" for the root or a folder that is not in the repository."""

    command: str
    heading: str
    lines: LineRange
    folder: str = ""


def readme_of(land: Terrain, language: str) -> CodeFile | None:
    """The README of the root, in Chinese where that is the language and there is one; without one there, that of the
    folder which bears the repository's name. None when there is none."""
    found = [file for file in land.repository.files if _is_readme(file) and file.lines]
    names = {_plain(part) for part in re.split(r"[+/]", land.repository.name)} - {""}
    beside = [file for file in found if "/" in file.path and _plain(file.path.split("/")[0]) in names]
    at_top = [file for file in found if "/" not in file.path]

    def rank(file: CodeFile) -> tuple[bool, int, str]:
        name = posixpath.basename(file.path)
        return not (language == "zh" and _CHINESE.fullmatch(name)), _rank(name), file.path

    return min(at_top or beside, key=rank, default=None)


def what_it_says(land: Terrain, file: CodeFile, names: tuple[str, ...]) -> Passage | None:
    """The paragraph that says what the project is: the first that begins with one of its `names` and a verb like "is",
    else the first before the second heading or under one like "About". Badges, quotes, lists, HTML and code are none,
    nor is what speaks of licences, sponsors and releases. None when there is no such paragraph."""
    found = [one for one in islice(_paragraphs(land, file), _MOST_PARAGRAPHS) if not _BESIDE.search(one.text)]
    wanted = [_plain(name) for name in names if len(_plain(name)) > 1]
    for one in found:
        head = _plain(one.text[:80])
        if any(head.startswith((name, f"the{name}")) for name in wanted) and _IS.search(one.text[:160]):
            return one
    return next((one for one in found if one.is_lead), None)


def title_of(land: Terrain, file: CodeFile) -> Passage | None:
    """The first heading of a README in Markdown, without its pictures; None when it has none."""
    document = _document(land, file)
    for prose in document.prose[:20]:
        if prose.block.kind == "heading" and prose.block.level == 1:
            title = words(_shown(prose, _links(document), linked=True))
            return Passage(title[:_MOST_TITLE], document.lines_of(prose.span)) if title else None
    return None


def commands(land: Terrain, file: CodeFile) -> list[Given]:
    """The commands in the shell fences of a README, in its order; output and comments are none."""
    document = _document(land, file)
    found: list[Given] = []
    starts = [heading.lines.start for heading in document.headings]
    for block in document.blocks:
        if block.kind != "code" or not block.fenced or block.info.split(" ")[0].lower() not in _SHELLS:
            continue
        above = bisect_left(starts, block.lines.start)
        heading = words(document.headings[above - 1].text) if above else ""
        folder = ""
        for number in range(block.lines.start, block.lines.end + 1):
            if gone := _GONE.match(document.lines[number - 1].strip()):
                folder = _gone_to(land, folder, gone[1])
            if command := _COMMAND.match(document.lines[number - 1].strip()):
                found.append(Given(words(_COMMENT.sub("", command[1])), heading, LineRange(number, number), folder))
    return [one for one in found if one.command]


def _gone_to(land: Terrain, folder: str, target: str) -> str:
    path = posixpath.normpath(posixpath.join(folder, target))
    return path if any(file.path.startswith(f"{path}/") for file in land.repository.files) else ""


def _is_readme(file: CodeFile) -> bool:
    name = posixpath.basename(file.path)
    return file.readable and file.kind == "doc" and file.path.count("/") < 2 and _NAME.fullmatch(name) is not None


def _rank(path: str) -> int:
    order = ("readme.md", "readme.markdown", "readme.rst", "readme.txt", "readme", "readme.adoc", "readme.org")
    return order.index(path.lower()) if path.lower() in order else len(order)


def _paragraphs(land: Terrain, file: CodeFile) -> Iterator[Passage]:
    document = _document(land, file)
    is_markdown = not file.path.lower().endswith((".rst", ".txt", ".adoc", ".org"))
    passages = _markdown(document) if is_markdown else _by_lines(document.text)
    for one in passages:
        said = words(one.text)
        if _letters(said) >= _FEWEST_SIGNS:
            yield Passage(_shortened(said), one.lines, one.is_lead)


def _letters(text: str) -> int:
    """Letters and digits; a Han character says as much as three."""
    return sum(3 if sign > "\u2e80" else 1 for sign in text if sign.isalnum())


def _document(land: Terrain, file: CodeFile) -> Document:
    return Document("\n".join(land.lines(file.path))[:_READ_CHARS])


def _links(document: Document) -> list[Inline]:
    """Links and pictures in the order of their beginnings."""
    return sorted((node for node in document.inlines if node.kind in ("link", "image")), key=_begin)


def _begin(node: Inline) -> int:
    return node.span.start


def _markdown(document: Document) -> Iterator[Passage]:
    starts = [heading.lines.start for heading in document.headings]
    links = _links(document)
    for prose in document.prose:
        if prose.block.kind != "paragraph" or prose.block.depth:
            continue
        if _letters(_shown(prose, links, linked=False)) >= _FEWEST_UNLINKED:
            lines = document.lines_of(prose.span)
            above = bisect_left(starts, lines.start)
            is_lead = above < 2 or _ABOUT.search(document.headings[above - 1].text) is not None
            yield Passage(_shown(prose, links, linked=True), lines, is_lead)


def _shown(prose: Prose, links: list[Inline], *, linked: bool) -> str:
    """The words of a paragraph without markup and pictures; `linked` says whether those of links count."""
    hidden: set[int] = set()
    first, last = (bisect_left(links, at, key=_begin) for at in (prose.span.start, prose.span.end))
    for node in links[first:last]:
        whole = node.kind == "image" or not linked
        hidden.update(range(node.span.start, node.span.end if whole else node.text_span.start))
        hidden.update(range(node.text_span.end, node.span.end))
    signs = zip(prose.source, prose.masked, strict=True)
    return "".join(
        sign for at, (sign, mask) in enumerate(signs) if mask not in _UNREAD and prose.offset(at) not in hidden
    )


def _by_lines(text: str) -> Iterator[Passage]:
    lines = text.split("\n")
    start = 0
    for number in range(len(lines) + 1):
        if number < len(lines) and lines[number].strip():
            continue
        block = lines[start:number]
        if block and not any(_RST_SIGN.match(line) or line.startswith((" ", "\t")) for line in block):
            yield Passage(" ".join(block), LineRange(start + 1, number))
        start = number + 1


def _shortened(text: str) -> str:
    """One sentence or two, the second only where it fits."""
    kept = 0
    for span in split(text)[:_MOST_SENTENCES]:
        if kept and span.end > _MOST_CHARS:
            break
        kept = span.end
    return text[:kept]


def _plain(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())
