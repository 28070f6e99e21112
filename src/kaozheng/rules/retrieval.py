"""The rule store: a rule book cut into pieces, and the pieces that belong to a module found again.

The pieces go into the prompt of the model that reviews the module. They are kept on a shelf under a key that names
the book's hash, the way of cutting and the embedder, so a changed book is noticed by its key and built anew.
"""

from __future__ import annotations

import asyncio
import logging
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from kaozheng.errors import ModelError, ModelRefusedError, ShapeError
from kaozheng.rules.rule import Module, RuleBook
from kaozheng.sources.cutting import cut
from kaozheng.sources.ranking import Bm25, terms
from kaozheng.sources.vectors import Embedder, StoredVectors, VectorShelf

SIZE = 500
OVERLAP = 50
CANDIDATES = 50
FALLBACK = 3
_CUTTING = 1  # raise when pieces of the same book come out differently
_HEADING = re.compile(r" {0,3}(#{1,3})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_KEY = re.compile(r"\s*\{#[^}]*\}\s*$")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})[ \t]*([^`\s]*)")
_QUERY = {
    "zh": "这是关于【{title}】模块的排版规范与审查规则",
    "en": "These are the style and review rules of the module [{title}]",
}
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RuleChunk:
    """A piece of the book below its headings. `numbers` are the rules that it tells of, wholly or partly."""

    text: str
    module: str
    section: str
    numbers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The pieces for one module, best first; `numbers` in the order of the book. With `fallback` no piece names the
    module and these are only the nearest. `ranked_by` is the embedder's name or "words"."""

    chunks: tuple[RuleChunk, ...]
    numbers: tuple[str, ...]
    fallback: bool
    ranked_by: str = "words"

    @property
    def text(self) -> str:
        """The pieces as one list for a prompt."""
        return "\n".join(f"- {chunk.text}" for chunk in self.chunks)


@dataclass(frozen=True, slots=True)
class Built:
    """What building did: how many pieces, whether they were there already, and where they are kept."""

    chunks: int
    reused: bool
    path: str


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    headings: tuple[str, str]  # module, section


def chunks(book: RuleBook) -> list[RuleChunk]:
    """Cut by `##` and `###`, then to 500 characters with 50 overlap; the headings put in front do not count.

    Fences that bind a check are left out: they are settings for code, not words for a reader.
    """
    starts = sorted((rule.line, rule.number) for rule in book.rules)
    found: list[RuleChunk] = []
    for (module, section), group in groupby(_body(book.text), key=lambda line: line.headings):
        lines = list(group)
        text = "\n".join(line.text for line in lines)
        offsets = [0]
        for line in lines:
            offsets.append(offsets[-1] + len(line.text) + 1)
        prefix = f"【所属章节：{' > '.join(filter(None, (module, section)))}】\n" if module or section else ""
        for span in cut(text, SIZE, OVERLAP):
            first, last = (bisect_right(offsets, place) - 1 for place in (span.start, span.end - 1))
            numbers = _numbers(starts, lines[0].number, lines[first].number, lines[last].number)
            found.append(RuleChunk(prefix + text[span.start : span.end], module, section, numbers))
    return found


class RuleStore:
    """The pieces of one book. Nothing is cut, embedded or read from the shelf before the first question.

    Without an embedder pieces are ranked by their words (BM25); with one that does not answer they are too, and the
    log says so. Safe for several tasks of one event loop.
    """

    def __init__(self, book: RuleBook, vectors: VectorShelf, embedder: Embedder | None = None) -> None:
        self.book = book
        self._shelf = vectors
        self._embedder = embedder
        self._stored: StoredVectors | None = None
        self._building = asyncio.Lock()

    @property
    def key(self) -> str:
        """Names everything that the kept pieces depend on."""
        by = self._embedder.name if self._embedder else "words"
        return f"rules {self.book.name} {self.book.sha256} {_CUTTING}-{SIZE}-{OVERLAP} {by}"

    async def build(self, force: bool = False) -> Built:
        """Make sure that the pieces are on the shelf; with `force` make them anew. Raises ModelError, StorageError."""
        async with self._building:
            _, built = await self._build(force)
        return built

    async def retrieve(self, module: Module) -> Retrieved:
        """Of the 50 nearest pieces all that name the module; only when none does, the 3 nearest. Raises
        ModelRefusedError when the embedder's key or model is wrong, StorageError."""
        scores, ranked_by = await self._scores(_query(self.book, module))
        ranked = sorted(zip(self._chunks, scores, strict=True), key=lambda pair: -pair[1])
        candidates = [piece for piece, _ in ranked[:CANDIDATES]]
        named = [piece for piece in candidates if module.title in piece.text]
        kept = named or candidates[:FALLBACK]
        if not named:
            _log.warning("no rule names the module %s: taking the %d nearest", module.title, len(kept))
        told = {number for piece in kept for number in piece.numbers}
        numbers = tuple(rule.number for rule in self.book.rules if rule.number in told)
        return Retrieved(tuple(kept), numbers, not named, ranked_by)

    @cached_property
    def _chunks(self) -> list[RuleChunk]:
        return chunks(self.book)

    @cached_property
    def _words(self) -> Bm25:
        return Bm25([terms(piece.text) for piece in self._chunks])

    async def _build(self, force: bool) -> tuple[StoredVectors, Built]:
        texts = [piece.text for piece in self._chunks]
        stored = None if force else self._stored or await self._shelf.load(self.key)
        # The key settles it all, except a file that somebody edited by hand.
        reused = stored is not None and stored.texts == texts and (stored.vectors is None) == (self._embedder is None)
        if stored is None or not reused:
            stored = StoredVectors(texts, await self._embedder.embed(texts, "passage") if self._embedder else None)
            await self._shelf.save(self.key, stored)
        self._stored = stored
        return stored, Built(len(texts), reused, self._shelf.where(self.key))

    async def _scores(self, query: str) -> tuple[list[float], str]:
        if self._embedder is not None:
            try:
                return await self._nearness(self._embedder, query), self._embedder.name
            except ModelRefusedError:
                raise
            except ModelError as error:
                _log.warning("rules are ranked by their words: %s", error)
        else:
            async with self._building:
                await self._build(force=False)
        return self._words.scores(terms(query)), "words"

    async def _nearness(self, embedder: Embedder, query: str) -> list[float]:
        async with self._building:
            stored, _ = await self._build(force=False)
        asked = (await embedder.embed([query], "query"))[0]
        if stored.vectors is None or stored.vectors.shape[1:] != asked.shape:
            raise ShapeError(f"{embedder.name} gives vectors of another length than before: run `kaozheng rules build`")
        scores: list[float] = (stored.vectors @ asked).tolist()
        return scores


def _query(book: RuleBook, module: Module) -> str:
    return _QUERY.get(book.language, _QUERY["zh"]).format(title=module.title)


def _body(text: str) -> Iterator[_Line]:
    """The lines that a reader of a rule reads, each with the headings above it."""
    module = section = ""
    for number, line, fenced in _visible(text.split("\n")):
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            yield _Line(number, line, (module, section))
            continue
        title = _KEY.sub("", heading[2]).strip()
        if len(heading[1]) == 3:
            section = title
        else:
            module, section = (title if len(heading[1]) == 2 else ""), ""


def _visible(lines: list[str]) -> Iterator[tuple[int, str, bool]]:
    """(line number, line, whether it belongs to a fence) without front matter, comments and check fences."""
    until = "---" if lines[0].rstrip() == "---" else ""
    shown = not until
    for number, line in enumerate(lines, start=1):
        if not until:
            until, shown = _opened(line)
            if shown:
                yield number, line, bool(until)
        elif number > 1:
            if shown:
                yield number, line, True
            if _closes(line, until):
                until = ""


def _opened(line: str) -> tuple[str, bool]:
    """What closes the fence or comment that this line opens ("" when nothing stays open), and whether it is shown."""
    if fence := _FENCE.match(line):
        return fence[1], fence[2] != "check"
    if line.lstrip().startswith("<!--"):
        return "" if "-->" in line else "-->", False
    return "", True


def _closes(line: str, until: str) -> bool:
    if until == "-->":
        return until in line
    return line.strip().startswith(until) and not line.strip().strip(until[0])


def _numbers(starts: list[tuple[int, str]], section: int, first: int, last: int) -> tuple[str, ...]:
    """The rules that stand on the lines first..last; the one that began before `first` too, if in the same section
    (whose heading, which may be a rule itself, stands on the line above `section`)."""
    begun = bisect_right(starts, (first, "\uffff")) - 1
    begin = begun if begun >= 0 and starts[begun][0] >= section - 1 else begun + 1
    end = bisect_right(starts, (last, "\uffff"))
    return tuple(number for _, number in starts[begin:end])
