"""What the chapters are written from: which files are the product's own, who imports whom, where words stand."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kaozheng.documents.span import LineRange
from kaozheng.errors import SourceError
from kaozheng.roles.explorer.quoting import looks_like_place, words
from kaozheng.sources.code import CodeFile, CodeShelf, ImportEdge, Outline, Repository
from kaozheng.sources.code.claims import parse_place
from kaozheng.sources.code.symbol import place

_NO_PROGRAMS = frozenset({"", "html", "css"})
_SAMPLES = frozenset(
    {"example", "examples", "_examples", "bench", "benches", "benchmark", "benchmarks", "fixtures", "fuzz", "testdata"}
)
_SAMPLES_AT_TOP = frozenset({"sample", "samples", "demo", "demos", "tutorial", "tutorials"})  # below, a package's name
_TESTS = re.compile(r"_*(?:tests?|specs?|e2e|testing|__tests__)_*")
_SETTINGS = re.compile(r"\..*|.*\.config\.[cm]?[jt]s|setup\.py|conftest\.py|gulpfile\.js|gruntfile\.js", re.IGNORECASE)
_FIRST_NAMES = (
    "__init__.py", "lib.rs", "mod.rs", "main.rs", "doc.go", "package-info.java",
    "index.ts", "index.tsx", "index.js", "index.jsx", "index.mjs",
)  # fmt: skip
_LEGAL = re.compile(
    r"(?i)licen[cs]e|copyright|\(c\)|permission is hereby|all rights reserved|redistribution and use|spdx"
    r"|this file is part of|^@?author\b|^eslint|^vim:|-\*-|source code is governed by|governed by an? \S+.style"
)
_NO_WORDS = re.compile(
    r"(?i)^(?:(?:todo|fixme|xxx|hack|bug)\b|[@:>$]|[\w.]+(?:\([^)]*\))? ?[=(][^)]*[=({\[]|\w+ = |#|pylint|istanbul|ts-"
    r"|prettier|region\b|\+build|pragma|clang-format|test:)|[:：]$"
)  # notes of programmers to themselves and to tools, code, and what leads to a list
_MARKS = re.compile(r"^\s*(?:[rRuUbB]{0,2}\"{3}|[rRuUbB]{0,2}'{3}|[rRuUbB]?[\"']|/\*+!?|\*+/|\*|///?!?|#+!?|--|;+)?\s*")
_MOST_WORDS = 200  # characters; the reader cuts its sentences there
_FEWEST_LETTERS = 3  # `#8376` says nothing to a reader
_WINDOW = 12  # lines that one sentence may run over
_SEARCHED = 200  # lines at the head of a file


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder with the product's code that lies directly in it. `name` ends in `/`, that of the root is `./`. `first`
    is the file that speaks for it. `importers` counts files of other folders that import one of its files."""

    name: str
    files: tuple[CodeFile, ...]
    first: CodeFile
    importers: int = 0

    @property
    def lines(self) -> int:
        """Lines of its files, blank ones and comments too."""
        return sum(file.lines for file in self.files)

    @property
    def is_told_by_first(self) -> bool:
        """Whether the first file speaks for the whole folder: by its name, or because it is alone."""
        name = posixpath.basename(self.first.path)
        stem, folder = name.partition(".")[0].lower(), posixpath.basename(self.name.rstrip("/")).lower()
        return name in _FIRST_NAMES or len(self.files) == 1 or stem == folder


@dataclass(frozen=True)
class Terrain:
    """A repository as a surveyor sees it. `code` holds the product's own programs: no tests, examples, settings in
    code, generated or foreign files. `edges` are imports between them, `importers` the files that import one."""

    shelf: CodeShelf
    code: tuple[CodeFile, ...]
    samples: tuple[CodeFile, ...]
    settings: tuple[CodeFile, ...]
    edges: tuple[ImportEdge, ...]
    outgoing: dict[str, list[ImportEdge]]
    importers: dict[str, list[str]]
    folders: dict[str, Folder]
    by_path: dict[str, CodeFile]
    _lines: dict[str, list[str]] = field(default_factory=dict)

    @property
    def repository(self) -> Repository:
        """What the reader found."""
        return self.shelf.repository

    def outline(self, path: str) -> Outline | None:
        """The symbols of a file, or None for one without."""
        return self.repository.outlines.get(path)

    def language(self, file: CodeFile) -> str:
        """The language of a file; the outline knows better than the suffix where a header is C++."""
        outline = self.outline(file.path)
        return outline.language if outline else file.language

    def lines(self, path: str) -> list[str]:
        """The lines of a file as it is now; none when it cannot be read."""
        if path not in self._lines:
            try:
                self._lines[path] = self.shelf.text(path).removesuffix("\n").split("\n")
            except SourceError:
                self._lines[path] = []
        return self._lines[path]

    def whole(self, path: str) -> tuple[str, ...]:
        """The place of all lines of a file, in a tuple; empty when no place can name it."""
        file = self.by_path.get(path)
        return () if file is None or not file.readable else citable(path, LineRange(1, max(1, file.lines)))

    def doc(self, path: str) -> tuple[str, tuple[str, ...]]:
        """(the first sentence that a file says of itself, its place); ("", ()) when it says none that stands there."""
        outline = self.outline(path)
        said = sentence(outline.doc) if outline else ""
        found = located(self.lines(path)[:_SEARCHED], said) if said and outline else None
        places = citable(path, found) if found else ()
        return (said, places) if places else ("", ())


def terrain(shelf: CodeShelf) -> Terrain:
    """Sort the files and imports of a repository."""
    repository = shelf.repository
    programs = [file for file in repository.files if _is_program(file)]
    samples = tuple(file for file in programs if _is_sample(file.path))
    settings = tuple(file for file in programs if _SETTINGS.fullmatch(posixpath.basename(file.path)))
    left_out = {file.path for file in (*samples, *settings)}
    code = tuple(file for file in programs if file.path not in left_out)
    own = {file.path for file in code}
    edges = tuple(edge for edge in repository.edges if edge.inside and edge.source in own and edge.target in own)
    outgoing: dict[str, list[ImportEdge]] = defaultdict(list)
    importers: dict[str, dict[str, None]] = defaultdict(dict)
    for edge in edges:
        outgoing[edge.source].append(edge)
        importers[edge.target][edge.source] = None
    counted = {path: list(sources) for path, sources in importers.items()}
    by_path = {file.path: file for file in repository.files}
    folders = _folders(code, edges, counted)
    return Terrain(shelf, code, samples, settings, edges, dict(outgoing), counted, folders, by_path)


def folder_of(path: str) -> str:
    """`src/app/` of `src/app/main.py`, `./` of what lies in the root."""
    return f"{posixpath.dirname(path) or '.'}/"


def citable(path: str, lines: LineRange) -> tuple[str, ...]:
    """The place in a tuple, or none when its path is one that a place cannot name (blanks at its ends)."""
    named = place(path, lines)
    read = parse_place(named)
    return (named,) if read is not None and read.path == path else ()


def sentence(doc: str) -> str:
    """The first sentence of a doc as readers see it; "" for licence heads, notes of programmers to themselves, signs,
    and half a sentence that leads to a list."""
    said = words(doc)
    letters = sum(2 if sign > "\u2e80" else 1 for sign in said if sign.isalpha())
    return "" if _LEGAL.search(said) or _NO_WORDS.search(said) or letters < _FEWEST_LETTERS else said


def is_cut(doc: str) -> bool:
    """Whether the reader cut the sentence at its limit."""
    return len(doc) >= _MOST_WORDS


def located(lines: Sequence[str], said: str, start: int = 1) -> LineRange | None:
    """The lines, counted from `start`, in which a sentence stands, comment signs apart; None when it stands nowhere."""
    if not said:
        return None
    first = said.split()[0]
    for at, line in enumerate(lines):
        if first not in line:
            continue
        joined = ""
        for ahead, more in enumerate(lines[at : at + _WINDOW]):
            joined = words_of(f"{joined} {_MARKS.sub('', more)}")
            if said in joined:
                return LineRange(start + at, start + at + ahead)
    return None


def words_of(text: str) -> str:
    """Like `words`, for text that is only compared."""
    return words(text.replace("#L", "# L"))


def _is_program(file: CodeFile) -> bool:
    """A file whose name looks like a place in code could not be told from a reference."""
    return file.kind == "source" and file.language not in _NO_PROGRAMS and not looks_like_place(file.path)


def is_beside(path: str) -> bool:
    """Whether it lies in a folder of tests or examples: what is declared there is not for users of the project."""
    folders = path.lower().split("/")[:-1]
    return _is_sample(path) or any(_TESTS.fullmatch(folder) for folder in folders)


def _is_sample(path: str) -> bool:
    folders = path.lower().split("/")[:-1]
    return not _SAMPLES.isdisjoint(folders) or (bool(folders) and folders[0] in _SAMPLES_AT_TOP)


def _folders(
    code: Iterable[CodeFile], edges: Iterable[ImportEdge], importers: dict[str, list[str]]
) -> dict[str, Folder]:
    inside: dict[str, list[CodeFile]] = defaultdict(list)
    for file in code:
        inside[folder_of(file.path)].append(file)
    outside: dict[str, set[str]] = defaultdict(set)
    for edge in edges:
        if folder_of(edge.source) != folder_of(edge.target):
            outside[folder_of(edge.target)].add(edge.source)
    weight = Counter({path: len(sources) for path, sources in importers.items()})
    return {
        name: Folder(name, tuple(files), _first(files, weight), len(outside[name]))
        for name, files in sorted(inside.items())
    }


def _first(files: Sequence[CodeFile], weight: Counter[str]) -> CodeFile:
    """The one that speaks for the folder: by its name, else the most imported, else the longest."""

    def rank(file: CodeFile) -> tuple[int, int, int, str]:
        name = posixpath.basename(file.path)
        known = _FIRST_NAMES.index(name) if name in _FIRST_NAMES and file.lines else len(_FIRST_NAMES)
        return known, -weight[file.path], -file.lines, file.path

    return min(files, key=rank)
