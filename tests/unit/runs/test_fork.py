"""Forking a run: where the new one begins, what it takes over, and that the old one stays as it was."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from langgraph.types import Send, interrupt

from kaozheng.artifacts import made_by
from kaozheng.errors import InputError, ModelUnavailableError, StoppedError, StorageError, UnknownRunError
from kaozheng.journal import Holder, LedgerEntry, RunStatus
from kaozheng.runs.fork import _moved, fork
from kaozheng.runs.history import checkpoints
from kaozheng.runs.runner import resume, start

ALL = ["first", "last", "part0", "part1", "part2"]


async def points(desk, run, scripted):
    """The checkpoints of a run by the step that they stand after."""
    return {one.after[0]: one for one in await checkpoints(desk, run, lambda name: scripted())}


async def forked(desk, run, checkpoint, workflow, **more):
    return await fork(desk, run, checkpoint, lambda name: workflow, **more)


@pytest.mark.parametrize(
    ("after", "runs"), [("start", ALL), ("first", ALL[1:]), ("part", ["last"]), ("last", [])]
)  # fmt: skip
async def test_fork_goes_on_from_the_checkpoint_to_the_end(desk, scripted, after, runs):
    old = await start(desk, scripted(), {"seed": 1}, "t")
    at = (await points(desk, old.id, scripted))[after]
    workflow = scripted()
    new = await forked(desk, old.id, at.short, workflow)
    assert sorted(workflow.ran) == runs
    assert (new.status, new.result, new.exit_code) == (RunStatus.DONE, {"log": ALL}, 0)


async def test_fork_is_a_run_of_its_own_that_says_where_it_comes_from(desk, scripted):
    old = await start(desk, scripted(), {"seed": 1}, "t")
    at = (await points(desk, old.id, scripted))["part"]
    new = await forked(desk, old.id, at.id, scripted())
    assert new.request == {"seed": 1, "forked_from": {"run": old.id, "checkpoint": at.id}}
    assert (new.id, new.topic, new.workflow, new.version) == (f"{old.id}_2", "t", "scripted", "1")
    assert Path(new.folder).is_dir()
    assert new.folder != old.folder
    assert await desk.journal.get(new.id) == new


async def test_old_run_stays_as_it_was(desk, scripted):
    old = await start(desk, scripted(), {"seed": 1}, "t")
    before = await checkpoints(desk, old.id, lambda name: scripted())
    events = await desk.journal.events(old.id)
    await forked(desk, old.id, before[1].id, scripted())
    assert await desk.journal.get(old.id) == old
    assert await checkpoints(desk, old.id, lambda name: scripted()) == before
    assert await desk.journal.events(old.id) == events


async def test_run_that_another_process_works_on_can_be_forked(desk, scripted):
    old = await start(desk, scripted(), {"seed": 1}, "t")
    desk.leases.held[old.id] = Holder(123, "2026-11-30T11:00:00")
    at = (await points(desk, old.id, scripted))["part"]
    assert (await forked(desk, old.id, at.id, scripted())).status is RunStatus.DONE


async def test_results_that_were_kept_after_the_checkpoint_are_made_anew(desk, scripted):
    async def refuse(state, runtime):
        await asyncio.sleep(0.02)
        raise ModelUnavailableError("overloaded")

    with pytest.raises(ModelUnavailableError):
        await start(desk, scripted(part2=refuse), {"seed": 1}, "t")
    (old,) = await desk.journal.list()
    at = (await points(desk, old.id, scripted))["first"]
    workflow = scripted()
    await forked(desk, old.id, at.id, workflow)
    assert sorted(workflow.ran) == ALL[1:]


async def test_fork_that_stopped_is_resumed_from_where_it_stood(desk, scripted):
    async def refuse(state, runtime):
        raise ModelUnavailableError("overloaded")

    old = await start(desk, scripted(), {"seed": 1}, "t")
    at = (await points(desk, old.id, scripted))["first"]
    with pytest.raises(ModelUnavailableError):
        await forked(desk, old.id, at.id, scripted(last=refuse))
    new = next(one for one in await desk.journal.list() if one.id != old.id)
    workflow = scripted()
    record = await resume(desk, new.id, lambda name: workflow)
    assert (workflow.ran, record.result) == (["last"], {"log": ALL})


async def test_fork_of_a_fork(desk, scripted):
    old = await start(desk, scripted(), {"seed": 1}, "t")
    new = await forked(desk, old.id, (await points(desk, old.id, scripted))["first"].id, scripted())
    known = await points(desk, new.id, scripted)
    assert list(known) == ["last", "part", "fork"]
    again = await forked(desk, new.id, known["fork"].id, scripted())
    assert again.request["forked_from"]["run"] == new.id
    assert again.result == {"log": ALL}


async def test_question_that_was_open_is_asked_again(desk, scripted):
    async def ask(state, runtime):
        interrupt("which?")

    old = await start(desk, scripted(last=ask), {}, "t")
    at = (await points(desk, old.id, scripted))["part"]
    new = await forked(desk, old.id, at.id, scripted(last=ask))
    assert (new.status, list(new.result["questions"].values())) == (RunStatus.WAITING, ["which?"])


async def test_paths_into_the_old_folder_lead_into_the_new_one(desk, scripted):
    async def first(state, runtime):
        folder = runtime.context.record.folder
        return {"parts": {"cache": folder, "input": f"{folder}/input.md", "beside": f"{folder}_2/x", "else": "/tmp"}}

    old = await start(desk, scripted(first=first), {}, "t")
    seen = {}

    async def look(state, runtime):
        seen.update(state["parts"])

    new = await forked(desk, old.id, (await points(desk, old.id, scripted))["first"].id, scripted(last=look))
    beside = f"{old.folder}_2/x"
    assert seen == {"cache": new.folder, "input": f"{new.folder}/input.md", "beside": beside, "else": "/tmp"}


def test_paths_are_found_in_tasks_that_wait_too():
    (moved,) = _moved([Send("part", {"folder": "/old", "n": [1, None, "/old/a"]})], "/old", "/new")
    assert moved == Send("part", {"folder": "/new", "n": [1, None, "/new/a"]})


def beside(at, seconds):
    return (datetime.fromisoformat(at) + timedelta(seconds=seconds)).isoformat()


async def test_artifacts_are_those_of_the_checkpoints_time_with_their_makers(desk, scripted):
    old = await start(desk, scripted(), {}, "t")
    at = (await points(desk, old.id, scripted))["part"]
    store = desk.artifacts(Path(old.folder))
    for name, text, step, when in (
        ("draft.md", "one", "assemble", beside(at.at, -2)),
        ("draft.md", "two", "revise", at.at),
        ("draft.md", "three", "revise", beside(at.at, 0.000001)),
        ("document.md", "end", "deliver", beside(at.at, 5)),
        ("ancient.md", "text", "", ""),
    ):
        with made_by(step, when):
            await store.put(name, text)
    new = await forked(desk, old.id, at.id, scripted())
    copied = desk.artifacts(Path(new.folder))
    assert list(await copied.names()) == ["ancient.md", "draft.md"]
    assert await copied.versions("draft.md") == (await store.versions("draft.md"))[:2]
    assert await copied.get((await copied.names())["draft.md"]) == "two"


async def test_answers_that_were_given_by_then_are_not_paid_again_and_later_ones_are(desk, scripted):
    old = await start(desk, scripted(), {}, "t")
    at = (await points(desk, old.id, scripted))["part"]
    for name, seconds in (("before", -1), ("then", 0), ("after", 0.000001)):
        await desk.journal.put_answer(old.id, LedgerEntry(name, "p", {"text": name}, beside(at.at, seconds)))
    new = await forked(desk, old.id, at.id, scripted())
    assert [entry.fingerprint for entry in await desk.journal.answers(new.id)] == ["before", "then"]
    assert len(await desk.journal.answers(old.id)) == 3


async def test_folder_is_prepared_before_the_first_step(desk, scripted):
    async def look(state, runtime):
        assert (Path(runtime.context.record.folder) / "rules.md").read_text() == "1.1 …"

    old = await start(desk, scripted(), {}, "t")
    at = (await points(desk, old.id, scripted))["part"]
    workflow = scripted(last=look)
    await forked(desk, old.id, at.id, workflow, prepare=lambda folder: (folder / "rules.md").write_text("1.1 …"))
    assert workflow.ran == ["last"]


async def test_what_cannot_be_forked_leaves_nothing_behind(desk, scripted):
    old = await start(desk, scripted(version="1"), {}, "t")
    at = (await points(desk, old.id, scripted))["part"]
    with pytest.raises(InputError, match=f"run {old.id}: no checkpoint has the id 'zz'"):
        await forked(desk, old.id, "zz", scripted())
    with pytest.raises(InputError, match="this is 2"):
        await forked(desk, old.id, at.id, scripted(version="2"))
    with pytest.raises(UnknownRunError):
        await forked(desk, "nothing", at.id, scripted())
    assert [one.id for one in await desk.journal.list()] == [old.id]
    assert [folder.name for folder in desk.runs_folder.iterdir()] == [old.id]


async def test_lost_text_of_the_old_run_is_told_and_no_fork_is_left(desk, scripted):
    class Lost:
        async def names(self):
            raise StorageError("a text of this run is missing")

    old = await start(desk, scripted(), {}, "t")
    at = (await points(desk, old.id, scripted))["part"]
    with pytest.raises(StorageError, match="missing"):
        await forked(replace(desk, artifacts=lambda folder: Lost()), old.id, at.id, scripted())
    assert [one.id for one in await desk.journal.list()] == [old.id]
    assert [folder.name for folder in desk.runs_folder.iterdir()] == [old.id]


async def test_fork_that_is_cancelled_in_a_step_says_how_to_go_on(desk, scripted):
    async def for_ever(state, runtime):
        await asyncio.Event().wait()

    old = await start(desk, scripted(), {}, "t")
    at = (await points(desk, old.id, scripted))["part"]
    task = asyncio.create_task(forked(desk, old.id, at.id, scripted(last=for_ever)))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(StoppedError, match=f"kaozheng runs resume {old.id}_2"):
        await task
