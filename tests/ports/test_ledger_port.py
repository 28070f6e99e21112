"""What every Ledger promises."""

from datetime import UTC, datetime

import pytest

from kaozheng.journal import LedgerEntry
from kaozheng.models.messages import Call, Completion, Finish, Message
from kaozheng.models.usage import Usage
from kaozheng.providers.stores.ledger import JournalLedger
from kaozheng.providers.stores.runs_sql import open_runs
from kaozheng.testing.memory import MemoryLedger, MemoryRuns

CALL = Call("writer", "section/3", (Message("user", "写"),))
ANSWER = Completion("答", Finish.LENGTH, Usage(3, 4, 1, 1, True), "m1", "想")


def now():
    return datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "journal in memory", "memory"])
async def ledger(request, tmp_path):
    if request.param == "memory":
        yield MemoryLedger()
    elif request.param == "sqlite":
        async with open_runs(tmp_path / "runs.db") as journal:
            yield JournalLedger(journal, now)
    else:
        yield JournalLedger(MemoryRuns(), now)


async def test_answer_comes_back_whole(ledger):
    await ledger.put("r1", CALL.fingerprint(), CALL, ANSWER)
    assert await ledger.get("r1", CALL.fingerprint()) == ANSWER


async def test_answer_of_another_run_or_call_is_none(ledger):
    await ledger.put("r1", CALL.fingerprint(), CALL, ANSWER)
    assert await ledger.get("r2", CALL.fingerprint()) is None
    assert await ledger.get("r1", CALL.again(2).fingerprint()) is None


async def test_what_a_run_has_is_known(ledger):
    await ledger.put("r1", "f1", CALL, ANSWER)
    await ledger.put("r1", "f2", CALL, ANSWER)
    assert await ledger.known("r1") == {"f1", "f2"}
    assert await ledger.known("r2") == set()


async def test_newer_answer_replaces_the_older(ledger):
    newer = Completion("新", Finish.STOP, Usage(), "m2")
    await ledger.put("r1", "f", CALL, ANSWER)
    await ledger.put("r1", "f", CALL, newer)
    assert await ledger.get("r1", "f") == newer


@pytest.mark.parametrize("kept", [{}, {"text": "x"}, {"text": "x", "finish": "?", "usage": {}, "model": "m"}])
async def test_answer_of_an_unknown_shape_counts_as_none(kept):
    journal = MemoryRuns()
    await journal.put_answer("r1", LedgerEntry("f", "p", kept, "t"))
    assert await JournalLedger(journal, now).get("r1", "f") is None


async def test_no_prompt_is_written_down():
    journal = MemoryRuns()
    await JournalLedger(journal, now).put("r1", "f", CALL, ANSWER)
    assert "写" not in repr(await journal.get_answer("r1", "f"))
