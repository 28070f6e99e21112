"""Writes that share a transaction: nobody returns before its own is written, nobody misses an error."""

from __future__ import annotations

import asyncio

import pytest

from kaozheng.providers.stores.together import Together


class Disk:
    """Writes down the batches that it got; refuses those that hold a row of `refused`."""

    def __init__(self, refused: tuple[int, ...] = ()) -> None:
        self.batches: list[list[int]] = []
        self.writing = False
        self._refused = refused

    async def write(self, rows):
        assert not self.writing
        self.writing = True
        await asyncio.sleep(0.001)
        self.writing = False
        if set(rows) & set(self._refused):
            raise OSError("full")
        self.batches.append(list(rows))


async def test_rows_that_come_at_once_are_written_in_few_batches_and_in_order():
    disk = Disk()
    together = Together(disk.write)

    async def put(number):
        await together.put(number)
        assert any(number in batch for batch in disk.batches)

    await asyncio.gather(*map(put, range(32)))
    assert [number for batch in disk.batches for number in batch] == list(range(32))
    assert len(disk.batches) <= 3
    await put(99)
    assert disk.batches[-1] == [99]


async def test_an_error_reaches_all_that_it_concerns_and_no_others():
    disk = Disk(refused=(5,))
    together = Together(disk.write)
    first = asyncio.create_task(together.put(0))
    await asyncio.sleep(0)
    outcomes = await asyncio.gather(*map(together.put, range(1, 8)), return_exceptions=True)
    await first
    assert [type(outcome) for outcome in outcomes] == [OSError] * 7
    assert disk.batches == [[0]]
    await together.put(9)
    assert disk.batches == [[0], [9]]


async def test_the_row_of_a_caller_who_left_while_waiting_is_written_with_the_next():
    disk = Disk()
    together = Together(disk.write)
    first, leaves = asyncio.create_task(together.put(0)), asyncio.create_task(together.put(1))
    await asyncio.sleep(0)
    leaves.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaves
    await first
    await together.put(2)
    assert [number for batch in disk.batches for number in batch] == [0, 1, 2]
