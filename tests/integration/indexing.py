"""A process of its own that writes to or reads from a knowledge base: `indexing.py write|read ADDRESS NAME COUNT`.

`write` prints a line for each document that was acknowledged, `read` what it saw when told to stop by a closed input.
"""

import asyncio
import hashlib
import sys

import numpy as np

from kaozheng.documents.span import LineRange, Span
from kaozheng.providers.indexes.opening import open_bases
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.index import Embedded, Entry, Question, Within

CHUNKS = 5


def document(name, count=CHUNKS):
    texts = [f"{name} 的第 {place} 段，讲县图书馆与川发改〔2023〕{place}号。" for place in range(1, count + 1)]
    chunks = [
        Chunk(chunk_id(name, (), n, text), name, (), n, Span(0, len(text)), LineRange(n, n), text)
        for n, text in enumerate(texts, start=1)
    ]
    seed = int(hashlib.sha256(name.encode()).hexdigest()[:8], 16)
    vectors = np.random.default_rng(seed).normal(size=(count, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Entry("kb", name, hashlib.sha256(name.encode()).hexdigest()), chunks, Embedded("e", vectors)


async def write(address, name, count):
    async with open_bases(address) as index:
        for number in range(count):
            await index.put(*document(f"{name}{number}"))
            print(f"{name}{number}", flush=True)


async def read(address, name, count):
    seen = 0
    asked = Embedded("e", document(name)[2].vectors[:1])
    async with open_bases(address) as index:
        while seen < count:
            found = await index.search(Question("县图书馆", Within(("kb",)), asked, limit=50))
            assert not found.refused, found.refused
            names = {hit.entry.name for hit in found.hits}
            for one in list(names)[:3]:
                assert len(await index.chunks("kb", one)) == CHUNKS, one
            seen = (await index.bases())[0].documents
    print(f"read {seen}", flush=True)


if __name__ == "__main__":
    what, address, who, how_many = sys.argv[1:]
    asyncio.run({"write": write, "read": read}[what](address, who, int(how_many)))
