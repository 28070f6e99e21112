"""Work beside an answer: waited for at the end, stopped when it takes too long."""

import asyncio

from kaozheng.runs.background import Background


async def test_what_is_under_way_is_waited_for():
    background, done = Background(), []

    async def work():
        await asyncio.sleep(0.01)
        done.append(1)

    background.begin(work())
    background.begin(work())
    await background.settle()
    assert done == [1, 1]
    await background.settle()


async def test_what_takes_too_long_is_stopped():
    background, ended = Background(), []

    async def work():
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("stopped")

    background.begin(work())
    await asyncio.sleep(0)
    await background.settle(patience_s=0.01)
    assert ended == ["stopped"]
