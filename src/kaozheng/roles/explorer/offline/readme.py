"""What a README says of the project, and the commands that it gives, each with its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kaozheng.documents.document import Document
from kaozheng.documents.sentences import split
from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.terrain import Terrain
from kaozheng.roles.explorer.quoting import words
from kaozheng.sources.code import CodeFile

_NAME = re.compile(r"(?i)readme(?:[._-][\w-]+)*(?:\.\w+)?")
_CHINESE = re.compile(r"(?i)readme[._-](?:zh|cn)(?:[._-](?:cn|hans))?(?:\.\w+)?")
_READ_CHARS = 60_000
_MOST_CHARS = 420  # characters of a quotation
_FEWEST_SIGNS = 24
_SHELLS = frozenset({"", "bash", "sh", "shell", "console", "zsh", "shell-session", "shellsession", "cmd", "powershell"})
_COMMAND = re.compile(
    r"^(?:\$ |> |# )?((?:sudo |python3? -m |\./)?(?:pip3?|pipx|uv|uvx|poetry|conda|npm|npx|pnpm|yarn|bun|cargo|go|make"
    r"|cmake|ctest|brew|apt|apt-get|docker|docker-compose|mvn|gradle|gradlew|mvnw|git|pytest|tox|nox|python3?|node|deno"
    r"|autoreconf|configure|bash|sh|meson|ninja|rustup|dotnet|composer|gem|bundle)\b(?: .{0,200})?)$"
)
_COMMENT = re.compile(r"\s+#\s.*$")
_FEWEST_UNLINKED = 12  # letters outside of links; a row of links has hardly any
_RST_SIGN = re.compile(r"^\s*(?:\.\.|:\w+:|\||[-=~^\"'`*+#]{3,}\s*$)")
_IS = re.compile(r"\b(?:is|are|provides?|offers?|implements?|lets?|helps?)\b|是|为|用于|提供|一款|一个", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a README and their lines."""

    text: str
    lines: LineRange


@dataclass(frozen=True, slots=True)
class Given:
    """A command as a README gives it, under the heading that stands above it ("" for none)."""

    command: str
    heading: str
    lines: LineRange


def readme_of(land: Terrain, language: str) -> CodeFile | None:
    """The README of the root, in Chinese where that is the language and there is one. None when there is none."""
    found = [file for file in land.repository.files if _is_readme(file) and file.lines]

    def rank(file: CodeFile) -> tuple[bool, int, str]:
        fits = language == "zh" and _CHINESE.fullmatch(file.path) is not None
        return not fits, _rank(file.path), file.path

    return min(found, key=rank, default=None)


def what_it_says(land: Terrain, file: CodeFile, names: tuple[str, ...]) -> Passage | None:
    """The paragraph that says what the project is: the first that begins with one of its `names` and a verb like "is",
    else the first. Badges, headings, quotes, lists, HTML and code are none. None when there is no paragraph."""
    found = list(_paragraphs(land, file))
    wanted = [_plain(name) for name in names if len(_plain(name)) > 1]
    for one in found[:12]:
        head = _plain(one.text[:80])
        if any(head.startswith((name, f"the{name}")) for name in wanted) and _IS.search(one.text[:160]):
            return one
    return found[0] if found else None


def commands(land: Terrain, file: CodeFile) -> list[Given]:
    """The commands in the shell fences of a README, in its order; output and comments are none."""
    document = Document("\n".join(land.lines(file.path))[:_READ_CHARS])
    found: list[Given] = []
    for block in document.blocks:
        if block.kind != "code" or not block.fenced or block.info.split(" ")[0].lower() not in _SHELLS:
            continue
        above = [heading for heading in document.headings if heading.lines.start < block.lines.start]
        heading = words(above[-1].text) if above else ""
        for number in range(block.lines.start, block.lines.end + 1):
            if command := _COMMAND.match(document.lines[number - 1].strip()):
                found.append(Given(words(_COMMENT.sub("", command[1])), heading, LineRange(number, number)))
    return [one for one in found if one.command]


def _is_readme(file: CodeFile) -> bool:
    return file.readable and file.kind == "doc" and _NAME.fullmatch(file.path) is not None


def _rank(path: str) -> int:
    order = ("readme.md", "readme.markdown", "readme.rst", "readme.txt", "readme", "readme.adoc", "readme.org")
    return order.index(path.lower()) if path.lower() in order else len(order)


def _paragraphs(land: Terrain, file: CodeFile) -> Iterator[Passage]:
    text = "\n".join(land.lines(file.path))[:_READ_CHARS]
    passages = _by_lines(text) if file.path.lower().endswith((".rst", ".txt", ".adoc", ".org")) else _markdown(text)
    for one in passages:
        said = words(one.text)
        if _letters(said) >= _FEWEST_SIGNS:
            yield Passage(_shortened(said), one.lines)


def _letters(text: str) -> int:
    """Letters and digits; a Han character says as much as three."""
    return sum(3 if sign > "\u2e80" else 1 for sign in text if sign.isalnum())


def _markdown(text: str) -> Iterator[Passage]:
    document = Document(text)
    links = [node for node in document.inlines if node.kind in ("link", "image")]
    for prose in document.prose:
        if prose.block.kind != "paragraph" or prose.block.depth:
            continue
        hidden = prose.readable
        for node in links:
            if prose.span.contains(node.span):
                hidden = hidden.replace(document.quote(node.text_span), " ")
        if _letters(hidden) >= _FEWEST_UNLINKED:
            yield Passage(prose.readable, document.lines_of(prose.span))


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
    """Whole sentences as long as they fit; the first in any case."""
    if len(text) <= _MOST_CHARS:
        return text
    kept = 0
    for span in split(text):
        if kept and span.end > _MOST_CHARS:
            break
        kept = span.end
    return text[:kept]


def _plain(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())
