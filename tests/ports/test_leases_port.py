"""What every Leases promises within one process."""

import os

import pytest

from kaozheng.errors import RunHeldError
from kaozheng.providers.stores.leases_file import FileLeases
from kaozheng.testing.memory import MemoryLeases


@pytest.fixture(params=["file", "memory"])
def leases(request, tmp_path):
    (tmp_path / "r1").mkdir()
    (tmp_path / "r2").mkdir()
    return FileLeases(tmp_path) if request.param == "file" else MemoryLeases()


async def test_second_taker_is_told_who_holds_the_run_since_when(leases):
    async with leases.take("r1") as holder:
        with pytest.raises(RunHeldError, match=f"process {os.getpid()} since {holder.since[:10]}"):
            async with leases.take("r1"):
                pass


async def test_runs_are_held_apart(leases):
    async with leases.take("r1"), leases.take("r2"):
        assert leases.holder("r1").pid == leases.holder("r2").pid == os.getpid()


async def test_run_is_free_before_and_after(leases):
    assert leases.holder("r1") is None
    async with leases.take("r1"):
        pass
    assert leases.holder("r1") is None
    async with leases.take("r1"):
        pass


async def test_run_is_free_after_an_error(leases):
    with pytest.raises(ZeroDivisionError):
        async with leases.take("r1"):
            raise ZeroDivisionError
    async with leases.take("r1"):
        pass


async def test_a_refused_taker_does_not_free_the_run(leases):
    async with leases.take("r1"):
        for _ in range(2):
            with pytest.raises(RunHeldError):
                async with leases.take("r1"):
                    pass
        assert leases.holder("r1") is not None


async def test_looking_at_a_held_run_does_not_free_it(leases):
    async with leases.take("r1"):
        assert leases.holder("r1") == leases.holder("r1") is not None
        with pytest.raises(RunHeldError):
            async with leases.take("r1"):
                pass
