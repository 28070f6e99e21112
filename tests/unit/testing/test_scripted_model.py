from __future__ import annotations

import pytest

from kaozheng.errors import StorageError
from kaozheng.models import Call, Completion, Finish, Message, Usage
from kaozheng.testing.memory import FrozenClock, MemoryArtifacts
from kaozheng.testing.scripted_model import ScriptedModel, fill

CALL = Call("r", "p", (Message("user", "hi"),))


async def test_lines_come_in_order_and_exceptions_are_raised():
    model = ScriptedModel(["one", KeyError("two"), Completion("three", Finish.LENGTH, Usage(), "m")])
    assert (await model.complete(CALL)).finish is Finish.STOP
    with pytest.raises(KeyError):
        await model.complete(CALL)
    assert (await model.complete(CALL)).finish is Finish.LENGTH
    assert model.calls == [CALL] * 3


async def test_asking_more_often_than_planned_fails_the_test():
    with pytest.raises(AssertionError, match="call 1"):
        await ScriptedModel([]).complete(CALL)


async def test_a_function_answers_by_the_call():
    model = ScriptedModel(lambda call: f"for {call.purpose}")
    assert (await model.complete(CALL)).text == "for p"


async def test_deltas_make_up_the_text():
    heard = []
    await ScriptedModel(["长" * 100]).complete(CALL, heard.append)
    assert len(heard) > 1
    assert "".join(delta.text for delta in heard) == "长" * 100


def test_fill_is_at_hand_beside_the_model():
    assert fill({"const": 1}) == 1


async def test_artifacts_are_addressed_by_content_and_missing_ones_said():
    store = MemoryArtifacts()
    first = await store.put("a.md", "x")
    assert await store.put("b.md", "x") == first
    assert await store.names() == {"a.md": first, "b.md": first}
    assert await store.get(first) == "x"
    with pytest.raises(StorageError):
        await store.get("sha256:" + "0" * 64)


async def test_the_frozen_clock_moves_only_when_told():
    clock = FrozenClock()
    before = clock.now()
    assert clock.now() == before
    await clock.sleep(90)
    assert (clock(), (clock.now() - before).total_seconds()) == (90, 90)
