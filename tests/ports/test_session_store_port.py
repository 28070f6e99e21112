"""What every SessionStore promises."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from kaozheng.errors import StorageError, UnknownSessionError
from kaozheng.providers.stores.sessions_sql import open_sessions
from kaozheng.sessions import Interaction, Memory, Session, Turn, remembered
from kaozheng.testing.memory_sessions import MemorySessions


@asynccontextmanager
async def _memory():
    yield MemorySessions()


def opened(kind, request):
    if kind == "memory":
        return _memory()
    if kind == "sqlite":
        return open_sessions(request.getfixturevalue("tmp_path") / "sessions.db")
    return open_sessions(request.getfixturevalue("postgres"))


@pytest.fixture(params=["sqlite", "postgres", "memory"])
async def store(request):
    async with opened(request.param, request) as store:
        yield store


AT = "2026-11-30T12:00:00.000+00:00"


def session(id="s_1", owner="甲", at=AT):
    return Session(id, owner, "标题", at, at)


def turn(number, at=AT):
    cited = ({"label": "E1", "quote": f"引文 {number}", "lines": [number, number]},)
    return Turn(f"问 {number}", f"答 {number}[E1]。", cited, f"i_{number}", at)


def interaction(id="i_1", owner="甲", session="s_1", **more):
    return Interaction(id, owner, AT, "answered", session, question="问", answer="答[E1]。", **more)


def keep(memory: Memory) -> Memory:
    return memory


async def test_a_session_comes_back_as_it_was(store):
    assert await store.create(session())
    assert await store.get("甲", "s_1") == session()
    assert not await store.create(replace(session(), owner="乙"))


async def test_every_turn_keeps_its_own_evidence(store):
    await store.create(session())
    for number in (1, 2, 3):
        await store.complete("甲", "s_1", turn(number), keep)
    assert list(await store.turns("甲", "s_1")) == [turn(1), turn(2), turn(3)]
    assert list(await store.turns("甲", "s_1", last=2)) == [turn(2), turn(3)]
    assert list(await store.turns("甲", "s_1", last=0)) == []


async def test_another_owners_session_does_not_exist(store):
    await store.create(session())
    await store.complete("甲", "s_1", turn(1), lambda memory: remembered(memory, "暗号是紫电77", ["紫电77"]))
    await store.save(interaction())
    for owner in ("乙", "", "%", "甲 "):
        for asked in (store.get(owner, "s_1"), store.turns(owner, "s_1"), store.complete(owner, "s_1", turn(2), keep)):
            with pytest.raises(UnknownSessionError):
                await asked
        assert list(await store.list(owner)) == []
        assert await store.interaction(owner, "i_1") is None
        assert not await store.delete(owner, "s_1")
        assert not await store.consolidate(owner, "s_1", Memory("乙的"), 1)
    assert len(await store.turns("甲", "s_1")) == 1
    assert (await store.get("甲", "s_1")).version == 1


async def test_an_unknown_session_is_said_to_be_unknown(store):
    with pytest.raises(UnknownSessionError, match="s_9"):
        await store.get("甲", "s_9")


async def test_sessions_are_listed_by_last_use(store):
    for number in (1, 2, 3):
        await store.create(session(f"s_{number}"))
    await store.complete("甲", "s_2", turn(1, at="2026-11-30T13:00:00.000+00:00"), keep)
    newest, *_ = await store.list("甲")
    assert newest.id == "s_2"
    assert len(await store.list("甲", limit=2)) == 2


async def test_turns_that_end_at_the_same_moment_all_stay_and_are_all_remembered(store):
    await store.create(session())

    async def one(number):
        return await store.complete(
            "甲", "s_1", turn(number), lambda memory: remembered(memory, f"问 {number}", [f"对象 {number}"])
        )

    await asyncio.gather(*map(one, range(5)))
    now = await store.get("甲", "s_1")
    assert (now.turns, now.version, now.memory.turns) == (5, 5, 5)
    assert len(now.memory.subjects) == 5
    assert {turn.question for turn in await store.turns("甲", "s_1")} == {f"问 {number}" for number in range(5)}


async def test_memory_is_consolidated_only_from_the_version_it_was_made_from(store):
    await store.create(session())
    before = await store.complete("甲", "s_1", turn(1), keep)
    await store.complete("甲", "s_1", turn(2), lambda memory: remembered(memory, "问 2", []))
    assert not await store.consolidate("甲", "s_1", Memory("旧的"), before.version)
    now = await store.get("甲", "s_1")
    assert now.memory.summary == ""
    assert await store.consolidate("甲", "s_1", Memory("新的", turns=2), now.version)
    assert (await store.get("甲", "s_1")).memory == Memory("新的", turns=2)
    assert not await store.consolidate("甲", "s_1", Memory("再来"), now.version)


async def test_nothing_is_left_of_a_deleted_session(store):
    await store.create(session())
    await store.complete("甲", "s_1", turn(1), keep)
    await store.save(interaction())
    await store.save(interaction("i_2", session=""))
    assert await store.delete("甲", "s_1")
    assert not await store.delete("甲", "s_1")
    assert await store.interaction("甲", "i_1") is None
    assert await store.interaction("甲", "i_2") is not None
    assert await store.create(session())
    assert list(await store.turns("甲", "s_1")) == []


async def test_an_interaction_comes_back_with_every_field_and_is_replaced(store):
    whole = interaction(
        code="model_output_limit", task={"kind": "qa", "targets": ["甲"]}, evidence={"items": [{"text": "原文"}]},
        citations=({"label": "E1"},), grounding={"codes": []}, by="model", error="x", usage={"calls": 3},
        timings={"total_s": 1.25},
    )  # fmt: skip
    await store.save(interaction())
    await store.save(whole)
    assert await store.interaction("甲", "i_1") == whole


async def test_an_interaction_of_another_owner_is_not_replaced(store):
    await store.save(interaction())
    with pytest.raises(StorageError):
        await store.save(interaction(owner="乙"))
    assert (await store.interaction("甲", "i_1")).owner == "甲"
