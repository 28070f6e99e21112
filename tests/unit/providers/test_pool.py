"""What is shared by whom, and that nothing is left open."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from kaozheng.providers.pool import Pool


class Maker:
    """Makes numbered things and writes down which of them were closed."""

    def __init__(self) -> None:
        self.made = 0
        self.closed: list[int] = []

    def __call__(self, stack):
        self.made += 1
        number = self.made
        stack.callback(self.closed.append, number)
        return number


async def test_a_key_is_made_once_and_closed_when_its_last_user_leaves():
    pool, make = Pool(), Maker()
    async with pool.visit() as first:
        async with pool.visit() as second:
            assert [first.take("a", make), second.take("a", make), second.take("a", make)] == [1, 1, 1]
            assert second.take("b", make) == 2
        assert make.closed == [2]
        assert first.take("a", make) == 1
    assert make.closed == [2, 1]
    async with pool.visit() as third:
        assert third.take("a", make) == 3
    assert make.closed == [2, 1, 3]


async def test_what_a_thing_took_itself_goes_with_it():
    pool, make = Pool(), Maker()

    def outer(stack):
        inner = pool.take("inner", make, stack)
        stack.push_async_callback(pool.leave, stack)
        return ["outer", inner]

    async with pool.visit() as other:
        async with pool.visit() as visit:
            assert visit.take("x", outer) == ["outer", 1]
            assert other.take("inner", make) == 1
        assert make.closed == []
    assert make.closed == [1]


async def test_all_are_closed_although_one_fails_to():
    pool, make = Pool(), Maker()

    def breaks(stack):
        stack.push_async_callback(pool.leave, "nobody")
        stack.callback(int, "no number")

    visit = pool.visit()
    for key, maker in (("a", make), ("b", breaks), ("c", make)):
        visit.take(key, maker)
    with pytest.raises(ValueError, match="no number"):
        await pool.leave(visit)
    assert sorted(make.closed) == [1, 2]


def test_what_nobody_gave_back_is_closed_when_the_loop_ends():
    pool, make = Pool(), Maker()

    async def host():
        assert pool.resident.take("a", make) == pool.resident.take("a", make)
        assert "1 event loops" in repr(pool)

    for turn in (1, 2):
        asyncio.run(host())
        assert make.closed == list(range(1, turn + 1))
    assert "0 event loops" in repr(pool)


def test_another_event_loop_gets_things_of_its_own():
    pool, make = Pool(), Maker()

    async def run():
        async with pool.visit() as visit:
            number = visit.take("a", make)
            await asyncio.sleep(0.02)
            return number

    with ThreadPoolExecutor(2) as threads:
        numbers = [one.result() for one in [threads.submit(asyncio.run, run()) for _ in range(2)]]
    assert sorted(numbers) == sorted(make.closed) == [1, 2]


def test_a_loop_that_was_closed_without_a_word_is_swept_out():
    pool, make = Pool(), Maker()

    async def take():
        return pool.resident.take("a", make)

    for _ in range(3):
        loop = asyncio.new_event_loop()
        loop.run_until_complete(take())
        loop.close()
    assert "1 event loops" in repr(pool)


def test_outside_of_a_loop_nothing_is_taken():
    with pytest.raises(RuntimeError, match="event loop"):
        Pool().resident.take("a", Maker())


def test_slots_of_a_key_are_the_same_for_all_and_forgotten_when_idle():
    pool = Pool()
    slots = pool.slots(("openai", "k"), 2)
    assert pool.visit().slots(("openai", "k"), 2) is slots
    assert pool.slots(("openai", "other"), 2) is not slots
    del slots
    assert len(pool._slots) == 0
