"""Looking around in a repository: search, tree, outline and slices with line numbers, as text for a reader."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kaozheng.errors import InputError, SourceError
from kaozheng.sources.code.code_file import CodeFile
from kaozheng.sources.code.pattern_cost import searched_width
from kaozheng.sources.code.repository import CodeShelf, Repository

_KINDS_LAST = ("vendored", "generated")
_SHOWN_CHARS = 200
_MOST_LINES = 400
_TREE_ENTRIES = 400


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that fits: `place` is `path#L7`, `text` the line, cut at 200 characters."""

    path: str
    line: int
    text: str

    @property
    def place(self) -> str:
        """`path#L7`."""
        return f"{self.path}#L{self.line}"

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


@dataclass(frozen=True, slots=True)
class SearchResult:
    """`complete` is False when the limit or the time ended the search; `files` counts those searched."""

    hits: tuple[Hit, ...]
    files: int
    complete: bool


def search_keyword(
    shelf: CodeShelf,
    query: str,
    *,
    regex: bool = False,
    limit: int = 50,
    seconds: float = 5.0,
    now: Callable[[], float] = time.monotonic,
) -> SearchResult:
    """Lines that hold the word (any case) or fit the regular expression; sources first, vendored and generated files
    last. A line is searched as far as `searched_width` of the pattern. InputError: the query is empty, no regular
    expression, or one that could take for ever."""
    fits, width = _matcher(query, regex)
    until = now() + seconds
    hits: list[Hit] = []
    files = sorted(
        shelf.repository.files, key=lambda file: (file.kind in _KINDS_LAST, file.kind not in ("source", "test"))
    )
    searched = 0
    for file in files:
        if not file.readable:
            continue
        try:
            text = shelf.text(file.path)
        except SourceError:  # gone or changed since the reading; what is left can still be searched
            continue
        searched += 1
        for number, line in _candidates(text, query, regex):
            if now() > until:
                return SearchResult(tuple(hits), searched, False)
            if fits(line[:width]):
                if len(hits) == limit:
                    return SearchResult(tuple(hits), searched, False)
                hits.append(Hit(file.path, number, line.strip()[:_SHOWN_CHARS]))
    return SearchResult(tuple(hits), searched, True)


def _matcher(query: str, regex: bool) -> tuple[Callable[[str], object], int]:
    if not query.strip() or len(query) > 500:
        raise InputError("search for 1 to 500 characters")
    if not regex:
        folded = query.casefold()
        return (lambda line: folded in line.casefold()), 1_000_000
    try:
        pattern = re.compile(query)
    except (re.error, OverflowError, RecursionError) as error:
        raise InputError(f"{query!r} is no regular expression: {error}") from error
    return pattern.search, searched_width(query)


def _candidates(text: str, query: str, regex: bool) -> Iterator[tuple[int, str]]:
    if not regex and query.casefold() not in text.casefold():
        return iter(())
    return enumerate(text.split("\n"), start=1)


def list_tree(repository: Repository, under: str = "", depth: int = 2) -> str:
    """Folders and files as an indented list, `depth` levels down; a folder below that shows how many files it holds.
    SourceError: no file lies there."""
    under = under.strip("/").removeprefix("./").removesuffix(".")
    prefix = f"{under}/" if under else ""
    inner = [file for file in repository.files if file.path.startswith(prefix)]
    if not inner:
        raise SourceError(f"{under or repository.name}: no such folder in the repository")
    lines = [f"{under or repository.name}/"]
    lines.extend(_branches(inner, len(prefix), max(1, depth), "  "))
    if len(lines) > _TREE_ENTRIES:
        lines[_TREE_ENTRIES:] = [f"… {len(lines) - _TREE_ENTRIES} more entries: look into one folder"]
    if repository.uncounted and not under:
        lines.append(f"… and {repository.uncounted} files beyond the limit, not read")
    return "\n".join(lines)


def _branches(files: list[CodeFile], cut: int, depth: int, indent: str) -> Iterator[str]:
    folders: dict[str, list[CodeFile]] = defaultdict(list)
    here: list[CodeFile] = []
    for file in files:
        first, slash, _ = file.path[cut:].partition("/")
        folders[first].append(file) if slash else here.append(file)
    for name, inner in sorted(folders.items()):
        yield f"{indent}{name}/" + (f" ({len(inner)} files)" if depth == 1 else "")
        if depth > 1:
            yield from _branches(inner, cut + len(name) + 1, depth - 1, indent + "  ")
    for file in here:
        what = file.language or file.kind
        mark = "" if file.kind in ("source", "doc", "config") else f", {file.kind}"
        yield f"{indent}{file.path[cut:]} ({what}{mark}, {_size(file)})"


def _size(file: CodeFile) -> str:
    return f"{file.lines} lines" if file.readable else f"{file.size_bytes} bytes"


def outline_text(repository: Repository, path: str) -> str:
    """The symbols of one file with their lines, methods indented. SourceError: no such file, or one without outline."""
    file = repository.file(path.removeprefix("./"))
    if file is None:
        raise SourceError(f"{path}: no such file in the repository")
    outline = repository.outlines.get(file.path)
    if outline is None:
        raise SourceError(f"{path}: no outline ({file.kind}, {file.language or 'no code'})")
    head = f"{file.path} ({outline.language}, {file.lines} lines)"
    lines = [head, *([outline.doc] if outline.doc else [])]
    for one in outline.symbols:
        doc = f"  — {one.doc}" if one.doc else ""
        indent = "  " if one.owner else ""
        lines.append(f"{indent}L{one.lines.start}-L{one.lines.end} {one.kind} {one.signature or one.name}{doc}")
    return "\n".join(lines)


def read_lines(shelf: CodeShelf, path: str, start: int = 1, end: int | None = None) -> str:
    """Lines start to end (inclusive, 400 at most) with their numbers: `0042: text`. What lies beyond the last line is
    left away. SourceError: no such text file, or it ends before `start`."""
    text = shelf.text(path.removeprefix("./"))
    lines = text.removesuffix("\n").split("\n")
    if start < 1 or start > len(lines) or (end is not None and end < start):
        raise SourceError(f"{path} has lines 1 to {len(lines)}, not {start} to {end or 'the end'}")
    last = min(len(lines), start + _MOST_LINES - 1, end or len(lines))
    shown = [f"{number:04d}: {lines[number - 1][:2_000]}" for number in range(start, last + 1)]
    wanted = min(end or len(lines), len(lines))
    return "\n".join([*shown, f"… {wanted - last} more lines, from {last + 1}"] if last < wanted else shown)
