"""Many texts in few requests: order, places, retries, failures."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from kaozheng.errors import ModelRefusedError, ModelUnavailableError, ShapeError
from kaozheng.models.limits import Slots
from kaozheng.models.retrying import Patience
from kaozheng.providers.embeddings.batched import Batched


async def no_wait(seconds: float) -> None:
    await asyncio.sleep(0)


class Numbers:
    """An embedder of texts that are numbers; `faults` are raised by batch, each once. Later batches answer first."""

    name = "numbers"

    def __init__(self, faults=(), width=lambda text: 1) -> None:
        self.batches: list[list[str]] = []
        self.together = self.most = 0
        self._faults = dict(faults)
        self._width = width

    async def embed(self, texts, kind):
        self.batches.append(list(texts))
        self.together += 1
        self.most = max(self.most, self.together)
        try:
            for _ in range(20 - int(texts[0])):
                await asyncio.sleep(0)
            if fault := self._faults.pop(texts[0], None):
                raise fault
        finally:
            self.together -= 1
        return np.array([[float(text)] * self._width(text) for text in texts], dtype=np.float32)


TEXTS = [str(number) for number in range(7)]


async def test_the_order_is_kept_whichever_batch_answers_first():
    numbers = Numbers()
    rows = await Batched(numbers, 2).embed(TEXTS, "passage")
    assert rows[:, 0].tolist() == [float(text) for text in TEXTS]
    assert sorted(map(len, numbers.batches)) == [1, 2, 2, 2]
    assert numbers.most == 4


async def test_no_more_batches_than_places_are_under_way():
    numbers = Numbers()
    await Batched(numbers, 1, [Slots(5), Slots(2)]).embed(TEXTS, "passage")
    assert numbers.most == 2


async def test_only_the_batch_that_failed_is_asked_again():
    numbers, told = Numbers({"2": ModelUnavailableError("busy", kind="429")}), []
    batched = Batched(numbers, 2, [Slots(1)], Patience(sleep=no_wait), told.append)
    rows = await batched.embed(TEXTS, "passage")
    assert rows[:, 0].tolist() == [float(text) for text in TEXTS]
    assert [batch[0] for batch in numbers.batches].count("2") == 2
    assert len(numbers.batches) == 5
    assert [(one.attempt, one.error) for one in told] == [(2, "429")]


async def test_a_refusal_is_raised_as_it_is_and_ends_the_others():
    numbers = Numbers({"6": ModelRefusedError("no")})
    with pytest.raises(ModelRefusedError):
        await Batched(numbers, 2).embed(TEXTS, "passage")
    assert numbers.together == 0


async def test_batches_of_different_dimensions_are_refused():
    with pytest.raises(ShapeError, match="numbers"):
        await Batched(Numbers(width=lambda text: 1 + int(text) // 4), 2).embed(TEXTS, "passage")


async def test_nothing_is_asked_for_no_text():
    numbers = Numbers()
    assert len(await Batched(numbers, 2).embed([], "query")) == 0
    assert numbers.batches == []
