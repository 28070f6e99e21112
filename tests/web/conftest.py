"""A served app over real HTTP on loopback, with a scripted answerer behind it."""

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import asdict

import httpx2
import pytest

from kaozheng.access import Key, digest_of
from kaozheng.sources.asking import question_of
from kaozheng.sources.index import Within
from kaozheng.testing.memory_index import MemoryIndex
from kaozheng.testing.memory_keys import MemoryKeys
from kaozheng.testing.memory_sessions import MemorySessions
from kaozheng.testing.scripted_answers import ScriptedAnswers
from kaozheng.web.service import Limits, Service
from kaozheng.web.serving import address_of, bound, serve

TOKENS = {name: f"kz_token-of-{name}" for name in ("ann", "bob", "root")}
AT = "2026-11-30T08:00:00+00:00"


class Shelf:
    """A Library that keeps what it was given, and searches the index."""

    def __init__(self, index):
        self.index = index
        self.added = []

    async def add(self, base, uploads, urls, labels):
        self.added.append((base, uploads, urls, labels))
        return {"base": base, "documents": [{"name": name, "status": "added"} for name, _ in uploads]}

    async def remove(self, base, name):
        return await self.index.delete(base, name)

    async def search(self, within: Within, text, limit):
        found = await self.index.search(await question_of(text, within, None, limit))
        return [{"base": hit.entry.base, "document": hit.entry.name, "text": hit.chunk.text} for hit in found.hits]


def keys():
    return MemoryKeys(*(Key(name, digest_of(token), name == "root", AT) for name, token in TOKENS.items()))


def service(answer=None, **changes):
    index = changes.pop("index", None) or MemoryIndex()
    limits = Limits(**{"heartbeat_s": 0.05, "grace_s": 0.1, "kept_s": 5.0, **changes.pop("limits", {})})
    answer = answer or ScriptedAnswers(lambda request: ["甲 [E1]。", "乙。"])
    known = {"keys": keys(), "sessions": MemorySessions(), "library": Shelf(index), **changes}
    return Service(answer, index=index, limits=limits, **known)


@asynccontextmanager
async def serving(behind):
    """The address of the running server."""
    listener, up, stop = bound("127.0.0.1", 0), asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(serve(behind, listener, up.set, stop))
    ready = asyncio.create_task(up.wait())
    await asyncio.wait((task, ready), return_when=asyncio.FIRST_COMPLETED)
    try:
        if task.done():
            await task
        yield address_of(listener)
    finally:
        ready.cancel()
        stop.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        stop.set()
        await task
        listener.close()


@asynccontextmanager
async def visiting(behind, who="ann"):
    """A client with the key of `who` ("" for none), at a server over `behind`."""
    headers = {"Authorization": f"Bearer {TOKENS[who]}"} if who else {}
    async with serving(behind) as url, httpx2.AsyncClient(base_url=url, headers=headers, timeout=10) as client:
        yield client


async def events_of(response, most=None):
    """The events of a stream as (id, kind, data), up to `most` of them."""
    seen = []
    async for event in each(response):
        seen.append(event)
        if most is not None and len(seen) >= most:
            break
    return seen


async def each(response):
    fields = {}
    async for line in response.aiter_lines():
        name, _, value = line.partition(": ")
        if not line and "data" in fields:
            yield fields.get("id", ""), fields.get("event", ""), json.loads(fields["data"])
            fields = {}
        elif name in ("id", "event", "data"):
            fields[name] = value


@pytest.fixture
def tools():
    """What tests of the door are made with."""
    return Tools()


class Tools:
    service = staticmethod(service)
    serving = staticmethod(serving)
    visiting = staticmethod(visiting)
    events_of = staticmethod(events_of)
    each = staticmethod(each)
    tokens = TOKENS
    as_dict = staticmethod(asdict)
