"""One document looked at: whether it has changed, and if so, what it says."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import Final

from kaozheng.aside import aside
from kaozheng.errors import SourceError
from kaozheng.sources.chunk import Chunk
from kaozheng.sources.chunks import chunks_of
from kaozheng.sources.fetching import Fetcher, Page
from kaozheng.sources.files import Files
from kaozheng.sources.index import Entry
from kaozheng.sources.source import Reading, Source
from kaozheng.workflows.ingest.holdings import Holdings
from kaozheng.workflows.ingest.labelling import labels_of
from kaozheng.workflows.ingest.report import Outcome
from kaozheng.workflows.ingest.request import IngestRequest, Item

# No reader sees them, and PostgreSQL takes no NUL; a blank keeps every offset true.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
MOST_CHARACTERS: Final = 6_000_000
"""Of one document: six long novels. Each line of a text costs some 500 bytes of memory while it is cut."""
_HTML = frozenset({"text/html", "application/xhtml+xml"})


@dataclass(frozen=True, slots=True)
class Readied:
    """A document that is ready to be embedded and stored."""

    entry: Entry
    chunks: list[Chunk]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Examiner:
    """Looks at documents, several at once."""

    request: IngestRequest
    holdings: Holdings
    files: Files
    fetcher: Fetcher

    async def look(self, item: Item) -> Outcome | Readied:
        """What there is to store, or what became of it."""
        if item.why:
            return Outcome(item.name, "skipped", reason=item.why)
        try:
            read = await self._read(item)
        except SourceError as error:
            return self._failed(item.name, str(error))
        if isinstance(read, Outcome):
            return read
        if not read.sources:
            why = read.skipped[0].why if read.skipped else "empty"
            return Outcome(item.name, "empty", reason=why) if why.startswith("empty") else self._failed(item.name, why)
        source = read.sources[0]
        if (length := len(source.text)) > MOST_CHARACTERS:
            most = f"at most {MOST_CHARACTERS:,} go into a base; split it"
            return self._failed(item.name, f"it has {length:,} characters, {most}")
        chunks = await aside(chunks_of, source)
        if not chunks:
            return Outcome(item.name, "empty", reason="it holds no words")
        labels = labels_of(self.request.labels, source, self.holdings.labels(item.name))
        entry = Entry(self.request.base, item.name, source.sha256, source.title, labels)
        return Readied(entry, chunks, tuple(f"{part.path}: {part.why}" for part in read.skipped))

    async def _read(self, item: Item) -> Reading | Outcome:
        if item.url:
            page = await self.fetcher.fetch(item.url)
            source = _source_of(page, item.name)
            return self._settled(item.name, source.sha256) or Reading([source], [])
        loaded = item.loaded
        if loaded is None:
            if item.file is None:
                raise SourceError("nothing was given")
            loaded = await self.files.load(item.file)
        if settled := self._settled(item.name, loaded.sha256):
            return settled
        read = await self.files.read(item.name, loaded)
        return Reading([replace(one, text=_CONTROL.sub(" ", one.text)) for one in read.sources], read.skipped)

    def _settled(self, name: str, sha256: str) -> Outcome | None:
        return None if self.request.force else self.holdings.settled(name, sha256, self.request.labels)

    def _failed(self, name: str, why: str) -> Outcome:
        stays = "; its earlier version stays" if name in self.holdings else ""
        return Outcome(name, "failed", reason=f"{why}{stays}")


def _source_of(page: Page, name: str) -> Source:
    """The page as a source. Its bytes are gone by now: the hash is that of the main text, which is what counts. What
    names a page often stands outside of its main text, and is put above it."""
    made_from = "html" if page.media_type in _HTML else ""
    title = " ".join(page.title.split()) if made_from else ""
    text = page.text if not title or page.text.lstrip().startswith("# ") else f"# {title}\n\n{page.text}"
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    text = _CONTROL.sub(" ", text)
    return Source("S1", name, text, "utf-8", digest, len(text), page.fetched_at.isoformat(), made_from=made_from)
