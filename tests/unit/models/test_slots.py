"""A limit that counts across event loops and threads."""

from __future__ import annotations

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import pytest

from kaozheng.models.limits import Slots


class Gauge:
    """How many are inside at once, at most."""

    def __init__(self) -> None:
        self.inside = self.most = 0
        self._lock = Lock()

    def __enter__(self) -> None:
        with self._lock:
            self.inside += 1
            self.most = max(self.most, self.inside)

    def __exit__(self, *exc: object) -> None:
        with self._lock:
            self.inside -= 1


def test_the_limit_holds_across_loops_in_threads():
    slots, gauge, done = Slots(3), Gauge(), []

    async def work(number):
        async with slots:
            with gauge:
                await asyncio.sleep(0.001)
        done.append(number)

    async def loop_of(thread):
        await asyncio.gather(*(work((thread, n)) for n in range(25)))

    with ThreadPoolExecutor(4) as threads:
        for one in [threads.submit(asyncio.run, loop_of(thread)) for thread in range(4)]:
            one.result(timeout=20)
    assert len(set(done)) == 100
    assert gauge.most == 3


async def test_who_waits_longest_comes_first():
    slots, order = Slots(1), []

    async def work(number):
        async with slots:
            order.append(number)

    async with slots:
        tasks = [asyncio.create_task(work(n)) for n in range(5)]
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert order == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("seed", range(20))
async def test_places_survive_cancellation_at_any_moment(seed):
    draw, slots, gauge = random.Random(seed), Slots(2), Gauge()

    async def work():
        async with slots:
            with gauge:
                for _ in range(draw.randint(0, 3)):
                    await asyncio.sleep(0)

    tasks = [asyncio.create_task(work()) for _ in range(12)]
    for _ in range(15):
        await asyncio.sleep(0)
        draw.choice(tasks).cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert gauge.most <= 2
    async with asyncio.timeout(1), slots, slots:  # both places are there again
        pass


def test_a_waiter_whose_loop_is_closed_is_passed_over():
    slots = Slots(1)

    async def hold():
        await slots.__aenter__()

    async def wait():
        async with slots:
            pass

    asyncio.run(hold())
    dead = asyncio.new_event_loop()
    waiting = dead.create_task(wait())
    dead.run_until_complete(asyncio.sleep(0))
    dead.close()

    async def go_on():
        await slots.__aexit__()
        async with asyncio.timeout(1), slots:
            return True

    assert asyncio.run(go_on())
    waiting._log_destroy_pending = False


def test_a_limit_is_at_least_one():
    with pytest.raises(ValueError, match="at least 1"):
        Slots(0)
