"""The checkpoints of a run: what each line says, and how one is found."""

import pytest

from kaozheng.errors import InputError, ModelUnavailableError, UnknownRunError
from kaozheng.runs.history import Checkpoint, checkpoints, found
from kaozheng.runs.plan import Reopening
from kaozheng.runs.runner import resume, start

PARTS = ("part", "part", "part")


async def told(desk, run, workflow):
    return [(one.after, one.next) for one in await checkpoints(desk, run, lambda name: workflow)]


async def test_checkpoints_of_a_done_run_are_all_there_newest_first(desk, scripted):
    done = await start(desk, scripted(), {}, "t")
    assert await told(desk, done.id, scripted()) == [
        (("last",), ()),
        (PARTS, ("last",)),
        (("first",), PARTS),
        (("start",), ("first",)),
    ]
    known = await checkpoints(desk, done.id, lambda name: scripted())
    assert [one.at for one in known] == sorted((one.at for one in known), reverse=True)
    assert len({one.short for one in known}) == 4


async def test_checkpoint_says_what_changed_and_holds_the_values(desk, scripted):
    async def part(state, runtime):
        return {"parts": {state["number"]: "done"}}

    done = await start(desk, scripted(part=part), {"seed": 3}, "t")
    last, parts, first, opening = await checkpoints(desk, done.id, lambda name: scripted())
    assert (opening.values["seed"], "seed" in opening.changed) == (3, True)
    assert (first.changed, parts.changed, last.changed) == (("log",), ("parts",), ("log",))
    assert parts.values["parts"] == {0: "done", 1: "done", 2: "done"}


async def test_steps_whose_results_are_kept_but_not_applied_still_come_next(desk, scripted):
    async def refuse(state, runtime):
        raise ModelUnavailableError("overloaded")

    with pytest.raises(ModelUnavailableError):
        await start(desk, scripted(part=refuse), {}, "t")
    (record,) = await desk.journal.list()
    assert await told(desk, record.id, scripted()) == [(("first",), PARTS), (("start",), ("first",))]


async def test_done_run_that_was_put_back_before_its_gaps_says_so(desk, scripted):
    done = await start(desk, scripted(result={"gaps": [1]}), {}, "t")
    workflow = scripted(result={"gaps": []})
    workflow.again = Reopening({"log": ["again"]}, as_node="first")
    await resume(desk, done.id, lambda name: workflow)
    assert await told(desk, done.id, scripted()) == [
        (("last",), ()),
        (PARTS, ("last",)),
        (("reopen",), PARTS),
        (("last",), ()),
        (PARTS, ("last",)),
        (("first",), PARTS),
        (("start",), ("first",)),
    ]


async def test_looking_at_a_run_that_is_worked_on_changes_nothing(desk, scripted):
    seen = []

    async def look(state, runtime):
        seen.extend(await told(desk, runtime.context.record.id, scripted()))

    done = await start(desk, scripted(last=look), {}, "t")
    assert seen[0] == (PARTS, ("last",))
    assert done.result == {"log": ["first", "last", "part0", "part1", "part2"]}


async def test_unknown_run_and_another_version_are_refused(desk, scripted):
    done = await start(desk, scripted(version="1"), {}, "t")
    with pytest.raises(UnknownRunError):
        await checkpoints(desk, "nothing", lambda name: scripted())
    with pytest.raises(InputError, match="started with scripted 1, this is 2"):
        await checkpoints(desk, done.id, lambda name: scripted(version="2"))


def kept(*ids):
    return [Checkpoint(one, "", (), ()) for one in ids]


def test_checkpoint_is_found_by_its_id_or_how_that_ends():
    known = kept("1f1ecc0b-19d5-626b-8010-f529a9856acd", "1f1ecc0b-192b-6c15-800f-6a44a38e87c5")
    assert known[0].short == "a9856acd"
    for wanted in ("a9856acd", "A9856ACD", "6acd", known[0].id):
        assert found(known, wanted, "r1") is known[0]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [("", "no checkpoint"), ("zz", "'zz'"), ("cd", "2 checkpoints"), ("1f1e", "runs checkpoints r1")],
)
def test_checkpoint_that_is_not_known_or_not_the_only_one_is_refused(wanted, said):
    with pytest.raises(InputError, match=said):
        found(kept("1f1e-abcd", "1f1e-00cd"), wanted, "r1")
