"""What our model seam costs a call and a delta beside the bare `openai` client, in the same process on the same server;
and how many slow calls are under way at once. Times are lower quartiles: other work on the machine only adds to them.
CPU counts all threads of this process, the database's too; what others do is not in it."""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.row import Row
from kaozheng.journal import RunRecord
from kaozheng.models import Call, Message, Model
from kaozheng.providers.clients import operator_client
from kaozheng.settings import Settings
from kaozheng.wiring import open_desk

SHORT, LONG = 10, 410  # deltas of 24 characters, as the scripted server cuts them
ROUNDS, AT_ONCE = 30, 32
_SCRIPT = '{"answers": [{"match": "short", "text": "%s"}, {"match": "long", "text": "%s"}]}'


def measure() -> Iterator[Row]:
    with _server(0.0) as url:
        costs = asyncio.run(_both(url))
    for kind in ("wall", "cpu"):
        ours, bare = ({size: getattr(costs[who, size], kind) for size in (SHORT, LONG)} for who in "ob")
        delta_ms = ((ours[LONG] - ours[SHORT]) - (bare[LONG] - bare[SHORT])) / (LONG - SHORT)
        call_ms = ours[SHORT] - bare[SHORT] - SHORT * delta_ms
        said = f"{ours[SHORT]:.1f} ms at {SHORT} deltas, {ours[LONG]:.1f} ms at {LONG}"
        against = f"openai alone {bare[SHORT]:.1f} and {bare[LONG]:.1f} ms"
        yield Row(f"whole stack, one call ({kind})", said, against, f"{ours[LONG] / bare[LONG]:.2f}")
        over = f"{call_ms:.2f} ms a call + {delta_ms:.3f} ms a delta"
        yield Row(f"its overhead ({kind})", over, "the ledger's write is in it", bound="< 5 ms + 0.1 ms")
    with _server(1.0) as url:
        took_s, bare_s = asyncio.run(_side_by_side(url))
    what = f"whole stack, {AT_ONCE} calls of 1 s at once"
    yield Row(what, f"{took_s:.2f} s", f"openai alone {bare_s:.2f} s", f"{took_s / bare_s:.2f}", "< 1.3 s")


async def _both(url: str) -> dict[tuple[str, int], _Cost]:
    """By who ("o"urs, "b"are) and number of deltas; the two take turns, so that both see the same machine."""
    from openai import AsyncOpenAI

    async with _stack(url) as model, operator_client(url) as client:
        sdk = AsyncOpenAI(api_key="none", base_url=url, http_client=client, max_retries=0)

        async def alone(word: str) -> None:
            messages = [{"role": "user", "content": word}]
            stream = await sdk.chat.completions.create(  # type: ignore[call-overload]
                model="scripted", messages=messages, stream=True, stream_options={"include_usage": True}
            )
            async for chunk in stream:
                if chunk.choices:
                    "".join((chunk.choices[0].delta.content or "",))

        number = iter(range(10**6))

        async def whole(word: str) -> None:
            await model.complete(Call("bench", f"call/{next(number)}", (Message("user", word),)), _ignore)

        times: dict[tuple[str, int], list[_Cost]] = {(who, size): [] for who in "ob" for size in (SHORT, LONG)}
        for _ in range(ROUNDS):
            for size, word in ((SHORT, "short"), (LONG, "long")):
                times["b", size].append(await _cost(alone, word))
                times["o", size].append(await _cost(whole, word))
    return {key: _quartile(values[3:]) for key, values in times.items()}


async def _side_by_side(url: str) -> tuple[float, float]:
    """Seconds for 32 calls at once, the whole stack's and the bare client's; the best of five."""
    from openai import AsyncOpenAI

    async with _stack(url) as model, operator_client(url) as client:
        sdk = AsyncOpenAI(api_key="none", base_url=url, http_client=client, max_retries=0)

        async def alone(call: Call) -> None:
            messages = [{"role": "user", "content": call.prompt()}]
            stream = await sdk.chat.completions.create(model="scripted", messages=messages, stream=True)  # type: ignore[call-overload]
            async for _ in stream:
                pass

        took: dict[str, list[float]] = {"ours": [], "bare": []}
        for turn in range(5):
            calls = [Call("bench", f"turn/{turn}/{n}", (Message("user", "short"),)) for n in range(AT_ONCE)]
            for name, work in (("ours", model.complete), ("bare", alone)):
                began = time.perf_counter()
                await asyncio.gather(*map(work, calls))
                took[name].append(time.perf_counter() - began)
    return min(took["ours"]), min(took["bare"])


@asynccontextmanager
async def _stack(url: str) -> AsyncIterator[Model]:
    """The model as a run gets it: budget with a token limit, ledger on disk, meter, retries, time-outs."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        settings = Settings(data=folder, model="openai:scripted", openai_base_url=url, at_once=AT_ONCE)
        desk = await stack.enter_async_context(open_desk(settings))
        now = datetime.now(UTC).isoformat()
        request = {"model": settings.model, "budget": {"tokens": 10**9, "seconds": 10**6, "calls": 10**6}}
        record = RunRecord("bench", "write", "bench", str(folder / "run"), now, now, request=request)
        await desk.journal.create(record)
        model = desk.ports_for(record, lambda kind, data: None).model
        assert model
        yield model


@contextmanager
def _server(delay_s: float) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.json"
        script.write_text(_SCRIPT % (_text(SHORT), _text(LONG)), encoding="utf-8")
        command = [sys.executable, "-m", "kaozheng.testing.server", "--script", str(script), "--delay", str(delay_s)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            process.wait(timeout=20)


def _text(deltas: int) -> str:
    """Words that are all different: an answer in circles would be broken off."""
    return "".join(f"w{number:05} " for number in range(deltas * 24 // 7))


@dataclass(frozen=True, slots=True)
class _Cost:
    """Milliseconds on the wall and of this process's CPU."""

    wall: float
    cpu: float


async def _cost(work: Callable[[str], Awaitable[None]], word: str) -> _Cost:
    wall, cpu = time.perf_counter(), time.process_time()
    await work(word)
    return _Cost((time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000)


def _quartile(costs: list[_Cost]) -> _Cost:
    return _Cost(*(statistics.quantiles(kind, n=4)[0] for kind in zip(*((c.wall, c.cpu) for c in costs), strict=True)))


def _ignore(delta: object) -> None:
    """A listener, so that the way of the deltas is measured too."""
