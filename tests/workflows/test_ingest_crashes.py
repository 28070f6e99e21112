"""Whatever becomes of files between two ingests, and wherever one of them breaks off: in the end the base says what the
folder says."""

import asyncio
from collections import Counter
from pathlib import Path

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings

from kaozheng.errors import StorageError
from kaozheng.sources.chunks import chunks_of
from kaozheng.sources.source import Source
from kaozheng.sources.twins import documents_of
from kaozheng.testing.memory_files import MemoryFiles
from kaozheng.testing.memory_index import MemoryIndex
from kaozheng.testing.memory_vectors import HashedEmbedder, MemoryVectors
from kaozheng.testing.scripted_fetcher import ScriptedFetcher
from kaozheng.workflows.ingest.holdings import open_holdings
from kaozheng.workflows.ingest.ingest import IngestPorts, ingest
from kaozheng.workflows.ingest.request import IngestRequest

NAMES = [f"/notes/{name}.md" for name in "abcd"]
TEXTS = ["", "# 甲\n\n水稻。\n\n## 二\n\n小麦。\n", "# 乙\n\n图书馆。\n", "# 丙\n\n公路。\n"]
changes = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from([None, *TEXTS])), min_size=1, max_size=4)
rounds = st.tuples(
    changes, st.integers(0, 12), st.booleans(), st.sampled_from(["", "县级", "省级"]), st.sampled_from(NAMES)
)


class Breaking(MemoryIndex):
    """Fails at a write, before or after it was done, and at all that follow."""

    def __init__(self):
        super().__init__()
        self.left = None
        self.after = False

    async def put(self, entry, chunks, embedded=None):
        return await self._written(super().put(entry, chunks, embedded))

    async def delete(self, base, name):
        return await self._written(super().delete(base, name))

    async def _written(self, write):
        if self.left is not None:
            self.left -= 1
        if self.left is not None and self.left < 0:
            if self.left == -1 and self.after:
                await write
            else:
                write.close()
            raise StorageError("the disk is full")
        return await write


async def brought_up_to_date(index, files, embedder, paths=("/notes",), level=""):
    if not files.texts:
        for name in (await open_holdings(index, "kb")).names:
            await (await open_holdings(index, "kb")).remove(name)
        return
    request = IngestRequest("kb", tuple(map(Path, paths)), prune=True, labels={"level": level} if level else {})
    await ingest(request, IngestPorts(index, files, ScriptedFetcher({}), MemoryVectors(), embedder))


async def require_agreement(index, texts):
    """Every text of the folder is in the base once, under the name of one of its files, and nothing else is."""
    wanted = {name: text for name, text in texts.items() if text.strip()}
    entries = await index.entries("kb") if await index.bases() else []
    known = {one.entry.name: one.duplicate_of for one in documents_of(entries)}
    labels = {entry.name: entry.labels for entry in entries}
    assert known.keys() == wanted.keys()
    for name, of in known.items():
        kept = [chunk.text for chunk in await index.chunks("kb", name)]
        assert kept == ([] if of else [chunk.text for chunk in chunks_of(Source.of(wanted[name], name))])
        assert not of or (wanted[of] == wanted[name] and labels[of] == labels[name] and not known[of])
    firsts = Counter((wanted[name], labels[name]) for name, of in known.items() if not of)
    assert set(firsts.values()) <= {1}


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(rounds, min_size=1, max_size=5), st.booleans())
def test_base_says_what_the_folder_says_wherever_an_ingest_broke_off(lived, by_vectors):
    async def lived_through():
        index, files = Breaking(), MemoryFiles({})
        embedder = HashedEmbedder() if by_vectors else None
        for changed, writes, after, level, by_name in lived:
            files.texts = {**files.texts, **dict(changed)}
            files.texts = {name: text for name, text in files.texts.items() if text is not None}
            index.left, index.after = writes, after
            try:
                if by_name in files.texts and level:  # one document alone gets another label
                    await brought_up_to_date(index, files, embedder, paths=(by_name,), level=level)
                await brought_up_to_date(index, files, embedder)
            except StorageError:
                pass
            else:
                await require_agreement(index, files.texts)
        index.left = None
        await brought_up_to_date(index, files, embedder)
        await require_agreement(index, files.texts)
        reads = files.reads
        await brought_up_to_date(index, files, embedder)
        assert files.reads - reads <= sum(not text.strip() for text in files.texts.values())

    asyncio.run(lived_through())


async def test_no_text_is_lost_while_a_twin_inherits():
    """Wherever the removal of a document breaks off, what its twin says is found."""
    for writes in range(6):
        index, files = Breaking(), MemoryFiles({name: TEXTS[1] for name in NAMES[:3]})
        await brought_up_to_date(index, files, None)
        index.left = writes
        try:
            await (await open_holdings(index, "kb")).remove(NAMES[0])
        except StorageError:
            kept = [chunk for name in NAMES for chunk in await index.chunks("kb", name)]
            assert {chunk.text for chunk in kept} == {chunk.text for chunk in chunks_of(Source.of(TEXTS[1], "x.md"))}
        else:
            assert writes == 4  # the heir's text, the removal, the heir's hash, the other twin
            break
