"""Writes that come at the same moment share a transaction: 32 answers that arrive together cost two or three."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Row = TypeVar("Row")


@dataclass(slots=True, eq=False)
class _Waiting(Generic[Row]):
    row: Row
    written: bool = False
    error: BaseException | None = None


class Together(Generic[Row]):
    """`write` is called by one caller at a time with all rows that have come meanwhile, in their order. One object a
    store, in one event loop; callers that are cancelled need `to_its_end`, since they may be writing for others."""

    def __init__(self, write: Callable[[list[Row]], Awaitable[None]]) -> None:
        self._write = write
        self._waiting: list[_Waiting[Row]] = []
        self._turn = asyncio.Lock()

    async def put(self, row: Row) -> None:
        """Returns when the row is written. Raises what `write` raised for the rows that it was among."""
        mine = _Waiting(row)
        self._waiting.append(mine)
        async with self._turn:
            if not mine.written:
                await self._write_all()
        if mine.error is not None:
            raise mine.error

    async def _write_all(self) -> None:
        batch, self._waiting = self._waiting, []
        error: BaseException | None = None
        try:
            await self._write([one.row for one in batch])
        except BaseException as caught:
            error = caught
            raise
        finally:
            for one in batch:
                one.written, one.error = True, error
