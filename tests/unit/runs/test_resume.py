"""Resuming a run: what runs again, what does not, and what is refused."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from kaozheng.artifacts import made_by
from kaozheng.errors import (
    DamagedError,
    InputError,
    ModelUnavailableError,
    RunHeldError,
    StoppedError,
    StorageError,
    UnknownRunError,
)
from kaozheng.journal import EventKind, Holder, RunRecord, RunStatus
from kaozheng.runs.plan import Reopening
from kaozheng.runs.record import list_runs, show_run
from kaozheng.runs.runner import resume, start
from kaozheng.testing.memory import MemoryRuns

ALL = ["first", "last", "part0", "part1", "part2"]


async def refuse(state, runtime):
    raise ModelUnavailableError("overloaded")


async def failed_run(desk, workflow):
    with pytest.raises(ModelUnavailableError):
        await start(desk, workflow, {"seed": 1}, "t")
    (record,) = await desk.journal.list()
    return record.id


async def test_only_what_was_not_done_runs_again(desk, scripted):
    run = await failed_run(desk, scripted(last=refuse))
    workflow = scripted()
    record = await resume(desk, run, lambda name: workflow)
    assert workflow.ran == ["last"]
    assert (record.status, record.resumes, record.error) == (RunStatus.DONE, 1, "")
    assert record.result == {"log": ALL}


async def test_finished_siblings_of_a_cancelled_step_do_not_run_again(desk, scripted):
    async def for_ever(state, runtime):
        await asyncio.Event().wait()

    task = asyncio.create_task(start(desk, scripted(part1=for_ever), {}, "t"))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(StoppedError):
        await task
    (stopped,) = await desk.journal.list()
    workflow = scripted()
    record = await resume(desk, stopped.id, lambda name: workflow)
    assert sorted(workflow.ran) == ["last", "part1"]
    assert record.result == {"log": ALL}


async def test_resume_that_is_cancelled_before_its_first_step_says_how_to_go_on(desk, scripted):
    run = await failed_run(desk, scripted(last=refuse))

    class SlowJournal(MemoryRuns):
        async def events(self, run_id, after=0):
            await asyncio.sleep(60)

    slow = SlowJournal()
    await slow.create(await desk.journal.get(run))
    task = asyncio.create_task(resume(replace(desk, journal=slow), run, lambda name: scripted()))
    await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(StoppedError, match="kaozheng runs resume"):
        await task
    assert desk.leases.holder(run) is None


async def test_events_go_on_counting(desk, scripted):
    run = await failed_run(desk, scripted(last=refuse))
    await resume(desk, run, lambda name: scripted())
    events = await desk.journal.events(run)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert EventKind.RUN_RESUMED in [event.kind for event in events]


async def test_run_without_a_checkpoint_starts_from_its_opening(desk, scripted):
    moment = "2026-11-30T12:00:00.000+00:00"
    record = RunRecord(
        "r1", "scripted", "t", str(desk.runs_folder / "r1"), moment, moment, version="1", request={"seed": 5}
    )
    await desk.journal.create(record)
    seeds = []

    async def look(state, runtime):
        seeds.append(state["seed"])

    workflow = scripted(first=look)
    done = await resume(desk, "r1", lambda name: workflow)
    assert (done.status, seeds) == (RunStatus.DONE, [5])
    assert sorted(workflow.ran) == ALL


async def test_run_whose_graph_ended_is_only_delivered_again(desk, scripted):
    done = await start(desk, scripted(), {}, "t")
    await desk.journal.update(replace(done, status=RunStatus.RUNNING, result=None, exit_code=None))
    workflow = scripted()
    record = await resume(desk, done.id, lambda name: workflow)
    assert (workflow.ran, workflow.delivered) == ([], 1)
    assert (record.status, record.result) == (RunStatus.DONE, {"log": ALL})


class Interrupted(InMemorySaver):
    """Keeps results of steps, but the checkpoint that would apply those of the step `at` is lost once."""

    at = 1
    lost = False

    async def aput(self, config, checkpoint, metadata, new_versions):
        if metadata["step"] == self.at and not self.lost:
            self.lost = True
            raise StorageError("the disk is full")
        return await super().aput(config, checkpoint, metadata, new_versions)


@pytest.mark.parametrize(("at", "missing"), [(1, ["last", "part0", "part1", "part2"]), (2, ["last"]), (3, [])])
async def test_run_stopped_between_result_and_checkpoint_has_not_ended(desk, scripted, at, missing):
    saver = Interrupted()
    saver.at = at

    @asynccontextmanager
    async def checkpoints(folder, secret):
        yield saver

    broken = replace(desk, checkpoints=checkpoints)
    workflow = scripted()
    with pytest.raises(StorageError):
        await start(broken, workflow, {}, "t")
    assert (saver.lost, workflow.delivered) == (True, 0)
    (stopped,) = await desk.journal.list()
    again = scripted()
    record = await resume(broken, stopped.id, lambda name: again)
    assert sorted(again.ran) == missing
    assert record.result == {"log": ALL}


async def test_complete_run_is_not_resumed(desk, scripted):
    done = await start(desk, scripted(), {}, "t")
    with pytest.raises(InputError, match="done and complete"):
        await resume(desk, done.id, lambda name: scripted())
    assert await desk.journal.get(done.id) == done


async def test_gaps_of_a_done_run_are_sent_out_again(desk, scripted):
    done = await start(desk, scripted(result={"gaps": [1]}, exit_code=1), {}, "t")
    workflow = scripted(result={"gaps": []})
    workflow.again = Reopening({"log": ["again"]}, as_node="first")
    record = await resume(desk, done.id, lambda name: workflow)
    assert sorted(workflow.ran) == ["last", "part0", "part1", "part2"]
    assert (record.status, record.exit_code, record.result, record.resumes) == (RunStatus.DONE, 0, {"gaps": []}, 1)


async def test_gaps_that_nobody_can_fill_leave_the_run_as_it_was(desk, scripted):
    done = await start(desk, scripted(result={"gaps": [1]}, exit_code=1), {}, "t")
    with pytest.raises(InputError, match="done and complete"):
        await resume(desk, done.id, lambda name: scripted())
    assert await desk.journal.get(done.id) == done


async def test_graph_of_another_version_is_refused_before_anything_changes(desk, scripted):
    run = await failed_run(desk, scripted(version="1", last=refuse))
    before = await desk.journal.get(run)
    with pytest.raises(InputError, match="started with scripted 1, this is 2"):
        await resume(desk, run, lambda name: scripted(version="2"))
    assert await desk.journal.get(run) == before


async def test_unknown_run_is_told_with_the_ids_near_it(desk, scripted):
    done = await start(desk, scripted(), {}, "t")
    with pytest.raises(UnknownRunError, match=done.id):
        await resume(desk, done.id[:-1] + "x", lambda name: scripted())


async def test_run_that_another_process_holds_is_refused_untouched(desk, scripted):
    run = await failed_run(desk, scripted(last=refuse))
    desk.leases.held[run] = Holder(123, "2026-11-30T11:00:00")
    before = await desk.journal.get(run)
    with pytest.raises(RunHeldError, match="process 123 since 2026-11-30T11:00:00"):
        await resume(desk, run, lambda name: scripted())
    assert await desk.journal.get(run) == before


async def test_workflow_is_looked_up_by_the_name_in_the_record(desk, scripted):
    run = await failed_run(desk, scripted(last=refuse))
    asked = []

    def workflow_of(name):
        asked.append(name)
        return scripted()

    await resume(desk, run, workflow_of)
    assert asked == ["scripted"]


async def test_usage_counts_the_calls_before_the_stop_too(desk, scripted):
    async def call(state, runtime):
        runtime.context.emit("call_finished", {"usage": {"calls": 1}})

    run = await failed_run(desk, scripted(first=call, last=refuse))
    assert (await resume(desk, run, lambda name: scripted(last=call))).usage == {"calls": 2}


async def test_what_a_killed_process_spent_is_known_to_the_ports_of_the_next(desk, scripted):
    async def call(state, runtime):
        runtime.context.emit("call_finished", {"usage": {"calls": 1}})

    run = await failed_run(desk, scripted(first=call, last=refuse))
    await desk.journal.update(replace(await desk.journal.get(run), usage={}))
    seen = []

    async def look(state, runtime):
        seen.append(runtime.context.record.usage)

    await resume(desk, run, lambda name: scripted(last=look))
    assert seen == [{"calls": 1}]


async def test_run_left_by_a_dead_process_is_shown_as_stopped(desk, scripted):
    done = await start(desk, scripted(), {}, "t")
    await desk.journal.update(replace(done, status=RunStatus.RUNNING))
    (listed,) = await list_runs(desk)
    view = await show_run(desk, done.id)
    assert (listed.status, listed.error) == (RunStatus.STOPPED, "its process ended before the run did")
    assert view.record == listed
    assert view.steps == {"first": 1, "part": 3, "last": 1}


async def test_run_is_shown_with_the_versions_of_its_artifacts(desk, scripted):
    async def put(state, runtime):
        store = desk.artifacts(Path(runtime.context.record.folder))
        with made_by("last"):
            await store.put("draft.md", "one")
            await store.put("draft.md", "two")

    done = await start(desk, scripted(last=put), {}, "t")
    view = await show_run(desk, done.id)
    assert {name: [one.step for one in versions] for name, versions in view.artifacts.items()} == {
        "draft.md": ["last", "last"]
    }


async def test_run_that_is_worked_on_is_shown_as_running(desk, scripted):
    seen = []

    async def look(state, runtime):
        seen.extend(await list_runs(desk))

    await start(desk, scripted(last=look), {}, "t")
    assert [record.status for record in seen] == [RunStatus.RUNNING]


@pytest.mark.parametrize(("refusal", "resumable"), [(StorageError, True), (DamagedError, False)])
async def test_only_what_can_be_resumed_is_told_to_be_resumed(desk, scripted, refusal, resumable):
    class Refusing(InMemorySaver):
        async def aput(self, config, checkpoint, metadata, new_versions):
            raise refusal("the checkpoint")

    @asynccontextmanager
    async def checkpoints(folder, secret):
        yield Refusing()

    with pytest.raises(StoppedError) as stopped:
        await start(replace(desk, checkpoints=checkpoints), scripted(), {}, "t")
    assert ("kaozheng runs resume" in str(stopped.value)) is resumable
