"""What every RunStore promises."""

from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from kaozheng.errors import StorageError, UnknownRunError
from kaozheng.journal import Event, EventKind, LedgerEntry, RunRecord, RunStatus
from kaozheng.providers.stores.runs_sql import open_runs
from kaozheng.testing.memory import MemoryRuns


@asynccontextmanager
async def _memory():
    yield MemoryRuns()


@pytest.fixture(params=["sqlite", "memory"])
async def store(request, tmp_path):
    async with open_runs(tmp_path / "runs.db") if request.param == "sqlite" else _memory() as store:
        yield store


def record(name="20261130_120000_x", at="2026-11-30T12:00:00.000+00:00", **more):
    return RunRecord(
        name, "write", "考证", "/data/runs/x", at, at, version="1", request={"文": [1, None, {"a": 1.5}]}, **more
    )


def event(seq, kind=EventKind.NOTE, **data):
    return Event("r1", seq, "2026-11-30T12:00:00.000+00:00", kind, data)


async def test_record_comes_back_as_it_was(store):
    assert await store.create(record())
    assert await store.get(record().id) == record()


async def test_second_record_with_an_id_is_not_written(store):
    await store.create(record())
    assert not await store.create(record(topic_of := "20261130_120000_x", at="2027-01-01T00:00:00.000+00:00"))
    assert (await store.get(topic_of)).created_at.startswith("2026")


async def test_update_writes_every_field(store):
    await store.create(record())
    new = replace(
        record(), status=RunStatus.DONE, exit_code=1, result={"gaps": [3]}, usage={"calls": 2}, resumes=4, error="e",
        updated_at="2026-12-01T00:00:00.000+00:00",
    )  # fmt: skip
    await store.update(new)
    assert await store.get(new.id) == new


async def test_unknown_run_names_the_ids_near_it(store):
    await store.create(record())
    with pytest.raises(UnknownRunError, match="20261130_120000_x"):
        await store.get("20261130_120000_y")


async def test_update_of_an_unknown_run_is_refused(store):
    with pytest.raises(UnknownRunError):
        await store.update(record())


async def test_list_begins_with_the_newest_and_keeps_to_the_limit(store):
    for day in (2, 3, 1):
        await store.create(record(f"r{day}", f"2026-11-0{day}T00:00:00.000+00:00"))
    assert [found.id for found in await store.list()] == ["r3", "r2", "r1"]
    assert [found.id for found in await store.list(limit=2)] == ["r3", "r2"]


async def test_events_come_back_in_order_and_after_a_seq(store):
    await store.add_event(event(1, EventKind.RUN_STARTED), event(2, about="节", n=1))
    await store.add_event(event(3))
    assert await store.events("r1") == [event(1, EventKind.RUN_STARTED), event(2, about="节", n=1), event(3)]
    assert [found.seq for found in await store.events("r1", after=1)] == [2, 3]
    assert list(await store.events("other")) == []


async def test_adding_no_event_is_nothing(store):
    await store.add_event()
    assert list(await store.events("r1")) == []


async def test_event_that_is_already_there_is_refused(store):
    await store.add_event(event(1))
    with pytest.raises(StorageError):
        await store.add_event(event(1, about="again"))


async def test_answers_belong_to_their_run(store):
    entry = LedgerEntry("f1", "section/3", {"text": "答", "usage": {"input_tokens": 3}}, "2026-11-30T12:00:00+00:00")
    await store.put_answer("r1", entry)
    assert await store.get_answer("r1", "f1") == entry
    assert await store.get_answer("r2", "f1") is None
    assert await store.get_answer("r1", "f2") is None


async def test_newer_answer_takes_the_place_of_the_old(store):
    await store.put_answer("r1", LedgerEntry("f1", "p", {"text": "old"}, "t1"))
    await store.put_answer("r1", LedgerEntry("f1", "p", {"text": "new"}, "t2"))
    found = await store.get_answer("r1", "f1")
    assert (found.completion, found.at) == ({"text": "new"}, "t2")


async def test_all_answers_of_a_run_come_oldest_first(store):
    for number, at in ((1, "2026-11-30T12:00:02"), (2, "2026-11-30T12:00:01"), (3, "2026-11-30T12:00:03")):
        await store.put_answer("r1", LedgerEntry(f"f{number}", "p", {"text": "答"}, at))
    await store.put_answer("r2", LedgerEntry("f9", "p", {}, "2026-11-30T12:00:00"))
    assert [entry.fingerprint for entry in await store.answers("r1")] == ["f2", "f1", "f3"]
    assert (await store.answers("r1"))[0] == await store.get_answer("r1", "f2")
    assert list(await store.answers("other")) == []
    assert await store.answered("r1") == {"f1", "f2", "f3"}
    assert await store.answered("other") == set()


async def test_half_a_surrogate_pair_of_a_cut_answer_is_kept(store):
    await store.put_answer("r1", LedgerEntry("f1", "p", {"text": "a\ud83d"}, "t"))
    assert (await store.get_answer("r1", "f1")).completion == {"text": "a\ud83d"}


async def test_what_was_handed_out_can_be_changed_without_changing_the_store(store):
    await store.create(record())
    (await store.get(record().id)).request["文"].append("mine")
    assert await store.get(record().id) == record()
