"""Starting a run: what is written down, when, and how each end looks."""

import asyncio
import json
from dataclasses import replace

import pytest
from langgraph.types import interrupt

from kaozheng.errors import InputError, ModelRefusedError, StoppedError, StorageError
from kaozheng.journal import EventKind, RunStatus
from kaozheng.runs.runner import resume, start
from kaozheng.testing.memory import MemoryRuns


async def only_record(desk):
    (record,) = await desk.journal.list()
    return record


async def kinds(desk, record):
    return [event.kind for event in await desk.journal.events(record.id)]


async def test_run_is_done_with_what_the_workflow_delivered(desk, scripted):
    record = await start(desk, scripted(exit_code=1), {"seed": 3}, "考证")
    assert (record.status, record.exit_code, record.topic) == (RunStatus.DONE, 1, "考证")
    assert record.result == {"log": ["first", "last", "part0", "part1", "part2"]}
    assert await desk.journal.get(record.id) == record


async def test_record_folder_and_lease_are_there_before_the_first_step(desk, scripted):
    seen = {}

    async def look(state, runtime):
        record = await only_record(desk)
        seen.update(status=record.status, folder=record.folder, request=record.request, seed=state["seed"])
        seen["held"] = desk.leases.holder(record.id)

    record = await start(desk, scripted(first=look), {"seed": 3}, "t")
    assert seen.pop("held") is not None
    assert seen == {"status": RunStatus.RUNNING, "folder": record.folder, "request": {"seed": 3}, "seed": 3}
    assert desk.leases.holder(record.id) is None


async def test_steps_are_in_the_journal_before_the_run_ends(desk, scripted):
    seen = []

    async def look(state, runtime):
        await asyncio.sleep(0.01)
        seen.extend((e.kind, e.data.get("step")) for e in await desk.journal.events((await only_record(desk)).id))

    await start(desk, scripted(last=look), {}, "t")
    assert (EventKind.STEP_FINISHED, "first") in seen
    assert (EventKind.STEP_STARTED, "last") in seen


async def test_events_are_numbered_without_gaps_and_shown_as_they_are_kept(desk, scripted):
    shown = []
    record = await start(desk, scripted(), {}, "t", on_event=shown.append)
    kept = await desk.journal.events(record.id)
    assert kept == shown
    assert [event.seq for event in kept] == list(range(1, len(kept) + 1))
    assert (kept[0].kind, kept[-1].kind) == (EventKind.RUN_STARTED, EventKind.RUN_FINISHED)
    assert kept[-1].data == {"exit_code": 0, "summary": "said"}


async def test_what_a_step_says_becomes_a_note_from_any_thread(desk, scripted):
    async def say(state, runtime):
        await asyncio.to_thread(runtime.context.emit, "note", {"about": "thread"})
        runtime.context.emit("section_ready", {"n": 1})
        runtime.stream_writer({"about": "stream"})

    record = await start(desk, scripted(first=say), {}, "t")
    notes = [event.data for event in await desk.journal.events(record.id) if event.kind is EventKind.NOTE]
    assert notes == [{"about": "thread"}, {"about": "section_ready", "n": 1}, {"about": "stream"}]


async def test_data_is_kept_as_it_was_when_it_was_said(desk, scripted):
    async def say(state, runtime):
        data = {"list": [1], "path": desk.runs_folder}
        runtime.context.emit("note", data)
        data["list"].append(2)

    record = await start(desk, scripted(first=say), {}, "t")
    (note,) = [event for event in await desk.journal.events(record.id) if event.kind is EventKind.NOTE]
    assert note.data == {"list": [1], "path": str(desk.runs_folder)}
    json.dumps(note.data)


async def test_listener_that_fails_ends_the_showing_not_the_run(desk, scripted):
    calls = []

    def broken(event):
        calls.append(event)
        raise BrokenPipeError

    record = await start(desk, scripted(), {}, "t", on_event=broken)
    assert record.status is RunStatus.DONE
    assert len(calls) == 1
    assert "BrokenPipeError" in repr(await desk.journal.events(record.id))


async def test_who_listens_to_all_runs_hears_on_when_the_caller_fails(desk, scripted):
    heard = []

    def broken(event):
        raise BrokenPipeError

    record = await start(replace(desk, listeners=(heard.append,)), scripted(), {}, "t", on_event=broken)
    assert heard[-1].kind is EventKind.RUN_FINISHED
    assert sorted(event.seq for event in heard) == [event.seq for event in await desk.journal.events(record.id)]


async def test_a_secret_run_withholds_words_from_everybody_and_names_only_the_kind_of_a_fault(desk, scripted):
    async def say(state, runtime):
        runtime.context.emit("note", {"title": "canary", "section": 1})
        raise KeyError("canary")

    heard = []
    with pytest.raises(KeyError):
        await start(desk, scripted(first=say), {"sensitivity": "secret"}, "t", on_event=heard.append)
    record = await only_record(desk)
    assert (record.status, record.error) == (RunStatus.FAILED, "KeyError")
    assert {"title": "…", "section": 1} in [event.data for event in heard]
    assert "canary" not in repr(heard) + repr(await desk.journal.events(record.id))


async def test_two_runs_of_one_second_get_two_folders(desk, scripted):
    records = await asyncio.gather(*(start(desk, scripted(), {}, "t") for _ in range(4)))
    assert len({record.id for record in records}) == 4
    assert sorted(record.id for record in records)[1].endswith("_t_2")
    assert all(record.status is RunStatus.DONE for record in records)


async def test_id_known_to_the_journal_is_not_taken_though_its_folder_is_gone(desk, scripted):
    first = await start(desk, scripted(), {}, "t")
    (desk.runs_folder / first.id).rmdir()
    assert (await start(desk, scripted(), {}, "t")).id == f"{first.id}_2"


async def test_prepare_fills_the_folder_before_the_record_exists(desk, scripted):
    def prepare(folder):
        (folder / "rules.md").write_text("1.1 …")
        assert not desk.journal._records

    record = await start(desk, scripted(), {}, "t", prepare=prepare)
    assert (desk.runs_folder / record.id / "rules.md").exists()


async def test_nothing_is_left_when_prepare_refuses(desk, scripted):
    def prepare(folder):
        raise InputError("no such book")

    with pytest.raises(InputError, match="no such book"):
        await start(desk, scripted(), {}, "t", prepare=prepare)
    assert list(desk.runs_folder.iterdir()) == []
    assert await desk.journal.list() == []


async def test_no_place_for_the_folder_is_a_storage_error(desk, scripted, tmp_path):
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(StorageError, match="cannot be made"):
        await start(desk, scripted(), {}, "t")


async def test_foreseen_error_of_a_step_fails_the_run(desk, scripted):
    async def refuse(state, runtime):
        raise ModelRefusedError("model x is unknown")

    with pytest.raises(ModelRefusedError):
        await start(desk, scripted(last=refuse), {}, "t")
    record = await only_record(desk)
    assert (record.status, record.error) == (RunStatus.FAILED, "model x is unknown")
    assert (await kinds(desk, record))[-1] is EventKind.RUN_FAILED


async def test_bug_in_a_step_fails_the_run_and_is_raised_as_it_is(desk, scripted):
    async def bug(state, runtime):
        raise ZeroDivisionError("oops")

    with pytest.raises(ZeroDivisionError):
        await start(desk, scripted(last=bug), {}, "t")
    assert (await only_record(desk)).error == "ZeroDivisionError: oops"


async def test_full_disk_stops_the_run_and_says_how_to_go_on(desk, scripted):
    async def full(state, runtime):
        raise StorageError("the disk is full")

    with pytest.raises(StorageError, match=r"kaozheng runs resume 2026\d+_\d+_t"):
        await start(desk, scripted(last=full), {}, "t")
    assert (await only_record(desk)).status is RunStatus.STOPPED


class RefusingJournal(MemoryRuns):
    """Takes three events, then the disk is full."""

    async def add_event(self, *events):
        if sum(map(len, self._events.values())) > 3:
            raise StorageError("journal: the disk is full")
        await super().add_event(*events)


async def test_run_does_not_go_on_unrecorded(desk, scripted):
    unrecorded = replace(desk, journal=RefusingJournal())

    async def wait(state, runtime):
        await asyncio.sleep(0.02)

    workflow = scripted(part=wait)
    with pytest.raises(StorageError, match="journal: the disk is full"):
        await start(unrecorded, workflow, {}, "t")
    assert "last" not in workflow.ran
    assert workflow.delivered == 0


async def test_cancelled_run_is_stopped_and_says_how_to_go_on(desk, scripted):
    async def for_ever(state, runtime):
        await asyncio.Event().wait()

    task = asyncio.create_task(start(desk, scripted(part1=for_ever), {}, "t"))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(StoppedError, match="kaozheng runs resume"):
        await task
    record = await only_record(desk)
    assert (record.status, record.error) == (RunStatus.STOPPED, "stopped by the user")
    assert (await kinds(desk, record))[-1] is EventKind.RUN_STOPPED
    assert desk.leases.holder(record.id) is None


class SlowJournal(MemoryRuns):
    """Writes a record down and then takes its time."""

    async def create(self, record):
        await super().create(record)
        await asyncio.sleep(60)


async def test_run_that_is_cancelled_while_it_is_written_down_can_be_resumed(desk, scripted):
    slow = replace(desk, journal=SlowJournal())
    task = asyncio.create_task(start(slow, scripted(), {}, "t"))
    await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(StoppedError, match="kaozheng runs resume"):
        await task
    workflow = scripted()
    record = await resume(slow, (await only_record(slow)).id, lambda name: workflow)
    assert (record.status, len(workflow.ran)) == (RunStatus.DONE, 5)


async def test_graph_that_asks_leaves_a_waiting_run(desk, scripted):
    async def ask(state, runtime):
        interrupt({"question": "which?"})

    workflow = scripted(last=ask)
    record = await start(desk, workflow, {}, "t")
    assert record.status is RunStatus.WAITING
    assert list(record.result["questions"].values()) == [{"question": "which?"}]
    assert workflow.delivered == 0


async def test_usage_is_the_sum_of_the_calls_that_were_paid(desk, scripted):
    async def call(state, runtime):
        usage = {"input_tokens": 10, "output_tokens": 2, "calls": 1, "estimated": False}
        runtime.context.emit("call_finished", {"usage": usage})
        runtime.context.emit("call_finished", {"usage": usage, "replayed": True})

    record = await start(desk, scripted(part=call), {}, "t")
    assert record.usage == {"input_tokens": 30, "output_tokens": 6, "calls": 3}


async def test_topic_with_broken_characters_does_no_harm(desk, scripted):
    record = await start(desk, scripted(), {}, "a\udce4b")
    assert record.topic == "a?b"


async def test_loop_without_an_end_is_ended(desk, scripted, monkeypatch):
    monkeypatch.setattr("kaozheng.runs.passage.STEPS_AT_MOST", 2)
    with pytest.raises(RecursionError):
        await start(desk, scripted(), {}, "t")
    assert (await only_record(desk)).status is RunStatus.FAILED
