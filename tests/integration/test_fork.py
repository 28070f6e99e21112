"""Forks of real runs of `write`, on SQLite and in folders: what they take over, and what they ask again."""

import json
from pathlib import Path

import pytest

from kaozheng import api
from kaozheng.api.resuming import workflow_of
from kaozheng.artifacts import ref_of
from kaozheng.errors import InputError, RuleBookError
from kaozheng.providers.stores.artifacts_folder import FolderArtifacts
from kaozheng.settings import Settings
from kaozheng.testing.actor import act
from kaozheng.testing.server import ScriptedServer
from kaozheng.wiring import open_desk

TEXT = (Path(__file__).parents[2] / "examples" / "text" / "meeting.txt").read_text(encoding="utf-8")


@pytest.fixture
def settings(tmp_path, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "KAOZHENG_MODEL", "KAOZHENG_RULES", "KAOZHENG_EMBEDDER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return Settings(data=tmp_path / "data")


def after(run, step, settings):
    """The earliest checkpoint that stands after a step."""
    return next(one for one in reversed(api.checkpoints(run, settings)) if step in one.after)


@pytest.mark.parametrize("step", ["start", "plan", "write_section", "assemble", "review_content_style"])
def test_fork_from_anywhere_ends_in_the_same_document_in_a_folder_of_its_own(settings, step):
    old = api.write(text=TEXT, topic="会议", settings=settings)
    files = {path: path.read_bytes() for path in old.folder.rglob("*") if path.is_file()}
    at = after(old.run_id, step, settings)
    new = api.fork(old.run_id, at.short, settings=settings)
    assert (new.document, new.exit_code, new.report) == (old.document, old.exit_code, old.report)
    assert {path: path.read_bytes() for path in old.folder.rglob("*") if path.is_file()} == files
    for name in ("rules.md", "input.md"):
        assert (new.folder / name).read_bytes() == (old.folder / name).read_bytes()
    for one in api.checkpoints(new.run_id, settings):
        assert (one.values["cache_dir"], one.values["source_path"]) == (str(new.folder), str(new.folder / "input.md"))


async def test_artifacts_keep_time_and_maker_until_the_checkpoint_and_get_new_ones_after_it(settings):
    old = await api.awrite(text=TEXT, topic="会议", settings=settings)
    at = await _after(old.run_id, "assemble", settings)
    new = await api.afork(old.run_id, at.short, settings=settings)
    before, now = FolderArtifacts(old.folder), FolderArtifacts(new.folder)
    assert await now.versions("outline.json") == await before.versions("outline.json")
    drafts, others = await now.versions("draft_wip.md"), await before.versions("draft_wip.md")
    assert [one.step for one in drafts] == [one.step for one in others]
    assert (drafts[0], drafts[0].step) == (others[0], "assemble")
    assert all(one.at > other.at for one, other in zip(drafts[1:], others[1:], strict=True))
    (document,) = await now.versions("document.md")
    assert (document.step, document.ref) == ("deliver", ref_of(new.document))


async def _after(run, step, settings):
    async with open_desk(settings) as desk:
        workflow = workflow_of(await desk.journal.get(run))
        from kaozheng.runs.history import checkpoints

        known = await checkpoints(desk, run, lambda _: workflow)
    return next(one for one in reversed(known) if step in one.after)


async def test_only_what_comes_after_the_checkpoint_is_asked_and_paid(settings):
    async with ScriptedServer(act) as server:
        online = settings.model_copy(update={"openai_base_url": server.base_url})
        old = await api.awrite(text=TEXT, topic="会议", model="openai:scripted", settings=online)
        paid = [entry.purpose for entry in server.log]
        at = await _after(old.run_id, "write_section", online)
        new = await api.afork(old.run_id, at.short, settings=online)
        again = [entry.purpose for entry in server.log][len(paid) :]
    assert any(purpose.startswith("section") for purpose in paid)
    assert sorted(again) == sorted(purpose for purpose in paid if purpose.startswith(("review", "revise")))
    assert new.document == old.document
    assert new.usage["calls"] == len(again) < old.usage["calls"]
    async with open_desk(online) as desk:
        kept = await desk.journal.answers(new.run_id)
        assert len(kept) == len(await desk.journal.answers(old.run_id))
        assert sum(entry.at <= at.at for entry in kept) == len(paid) - len(again)


def test_fork_is_listed_resumed_and_refused_like_any_run(settings):
    old = api.write(text=TEXT, topic="会议", settings=settings)
    new = api.fork(old.run_id, after(old.run_id, "plan", settings).id, settings=settings)
    listed = api.list_runs(settings=settings)
    assert [one.id for one in listed] == [new.run_id, old.run_id]
    assert listed[0].request["forked_from"]["run"] == old.run_id
    assert json.loads((new.folder / "report.json").read_text(encoding="utf-8"))["gaps"] == []
    with pytest.raises(InputError, match="done and complete"):
        api.resume(new.run_id, settings=settings)


def test_run_without_its_rule_book_is_not_forked(settings):
    old = api.write(text=TEXT, topic="会议", settings=settings)
    at = after(old.run_id, "plan", settings)
    (old.folder / "rules.md").unlink()
    with pytest.raises(RuleBookError, match="copy of its rule book is gone"):
        api.fork(old.run_id, at.id, settings=settings)
    assert len(list(settings.runs_folder.iterdir())) == 1
