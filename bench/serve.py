"""What the HTTP door adds to each piece of an answer, with 50 and 100 readers at once.

Three processes: a model that says 20 tokens a second to each who asks, the first token of each sentence with the
moment at which it was said; `kaozheng serve` on it; and one loop with all readers, which talks to the model directly
and then by the server, so that machine and client are the same. A sentence may be shown when the next one has begun, so
what a piece took counts from the moment at which the model began the next one; the waiting for that is the model's
pace. Readers come one after the other, as readers do, within half of the time that an answer takes; or all at once.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bench.process import ROOT
from bench.row import Row
from kaozheng.testing import asking, chat
from kaozheng.testing.actor import act
from kaozheng.testing.chat import Reply
from kaozheng.testing.http import Connection, Listener, Request

READERS = (50, 100)
SENTENCES, PAUSE_S = 25, 0.05
_WORDS = ("The ", "loan ", "machine ", "opens ", "at ", "eight ", "[E1]. ")
_ANSWER_S = SENTENCES * (len(_WORDS) + 1) * PAUSE_S
_BOUND_MS = 100
_STAMP = re.compile(r"r(\d+)n(\d+)t(\d+)")
_QUESTION = "When does the loan machine of reader r{number} open?"
_NOTE = "# Loan machine\n\nThe loan machine opens at eight. Every reader may use the loan machine when it does open.\n"


def measure() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder, _model() as model, _served(Path(folder), model) as served:
        asyncio.run(_all(served, 2, 0.0, _ask_the_server))  # who comes first waits for what is read once
        for readers, within_s in [*((readers, _ANSWER_S / 2) for readers in READERS), (READERS[0], 0.0)]:
            bare = asyncio.run(_all(model, readers, within_s, _ask_the_model))
            cpu_s = _cpu_s(served.pid)
            ours = asyncio.run(_all(served, readers, within_s, _ask_the_server))
            cpu_s = _cpu_s(served.pid) - cpu_s
            p95 = _percentile(ours.added_ms, 95)
            how = f"come in {within_s:.0f} s" if within_s else "come at the same moment"
            yield Row(
                f"{readers} readers {how}, {1 / PAUSE_S:.0f} tokens a second: added to each piece",
                _said(ours),
                f"model alone {_said(bare)}",
                f"{p95 / max(_percentile(bare.added_ms, 95), 0.01):.0f}",
                f"p95 < {_BOUND_MS} ms" if (readers, bool(within_s)) == (READERS[0], True) else "",
            )
            yield Row(f"{readers} readers: CPU of the server", f"{cpu_s / readers * 1000:.0f} ms an answer")
            mixed = f"{ours.mixed} of {ours.pieces} pieces"
            yield Row(f"{readers} readers: pieces of another's answer", mixed, bound="0")
            first = statistics.median(ours.first_s) if ours.first_s else 0.0
            yield Row(f"{readers} readers: first piece", f"{first:.2f} s", "search, grade, plan by the model before it")
        load = f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        yield Row("server: memory", f"{_memory_mb(served.pid):.0f} MB", load)
    # Nobody reads to the end here: what was asked for is free again when its reader is gone.
    with tempfile.TemporaryDirectory() as folder, _model() as model, _served(Path(folder), model) as served:
        left = asyncio.run(_cut(served, model, 50))
        yield Row("50 readers gone in mid-answer: calls still under way", f"{left[1]} of {left[0]}", bound="0")


@dataclass(slots=True)
class _Seen:
    """What all readers saw."""

    added_ms: list[float]
    first_s: list[float]
    pieces: int = 0
    mixed: int = 0


@dataclass(frozen=True, slots=True)
class _Place:
    url: str
    pid: int

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 80


_Ask = Callable[[_Place, int, _Seen], Awaitable[None]]


def _said(seen: _Seen) -> str:
    return ", ".join(f"p{share} {_percentile(seen.added_ms, share):.1f}" for share in (50, 95, 99)) + " ms"


def _percentile(values: list[float], share: int) -> float:
    return statistics.quantiles(values, n=100)[share - 1] if len(values) > 1 else float("nan")


async def _all(place: _Place, readers: int, within_s: float, ask: _Ask) -> _Seen:
    seen = _Seen([], [])

    async def one(number: int) -> None:
        await asyncio.sleep(within_s * number / readers)
        await ask(place, number, seen)

    await asyncio.gather(*map(one, range(readers)))
    return seen


async def _ask_the_model(place: _Place, number: int, seen: _Seen) -> None:
    body = {"stream": True, "messages": [{"role": "user", "content": _QUESTION.format(number=number)}], "straight": 1}
    async for line in _lines(place, "/v1/chat/completions", body):
        now = time.monotonic_ns()
        if line == "data: [DONE]":
            break
        seen.added_ms += [(now - int(at)) / 1e6 for _, _, at in _STAMP.findall(line)]


async def _ask_the_server(place: _Place, number: int, seen: _Seen) -> None:
    began = time.monotonic()
    arrived: list[tuple[int, int]] = []
    said: dict[int, int] = {}
    async for line in _lines(place, "/v1/ask", {"question": _QUESTION.format(number=number)}):
        now = time.monotonic_ns()
        if line.startswith("event: ready"):
            break  # what is checked behind it is no streaming
        stamps = _STAMP.findall(line) if line.startswith('data: {"text"') else []
        if stamps and not arrived:
            seen.first_s.append(time.monotonic() - began)
        for reader, place_of, at in stamps:
            said[int(place_of)] = int(at)
            seen.pieces += 1
            seen.mixed += int(reader) != number
        if stamps:
            arrived.append((int(stamps[-1][1]), now))
    # The piece that ends with sentence n was let go by sentence n + 1.
    seen.added_ms += [(now - said[last + 1]) / 1e6 for last, now in arrived if last + 1 in said]


async def _cut(served: _Place, model: _Place, readers: int) -> tuple[int, int]:
    """How many calls the model had, and how many it still has a while after their readers have gone."""

    async def asked(number: int) -> None:
        async for line in _lines(served, "/v1/ask", {"question": _QUESTION.format(number=number)}):
            if _STAMP.search(line):
                return

    await asyncio.gather(*map(asked, range(readers)))
    await asyncio.sleep(7)  # five seconds of grace
    async for line in _lines(model, "/under-way", {}):
        if line.startswith("{"):
            found = json.loads(line)
            return found["begun"], found["now"]
    raise RuntimeError("the model is gone")


async def _lines(place: _Place, path: str, body: dict[str, object]) -> AsyncIterator[str]:
    """The lines of a response, as plain as they can be read: the client must not be what is measured."""
    reader, writer = await asyncio.open_connection("127.0.0.1", place.port)
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n"
    writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
    try:
        while line := await reader.readline():
            yield line.decode("utf-8", "replace").rstrip("\r\n")
    finally:
        writer.close()


class _Model:
    """Plans and searches as the scripted actor does, and answers one token each 50 ms."""

    def __init__(self) -> None:
        self.begun = self.now = 0
        self.listener = Listener(self.handle)

    async def handle(self, request: Request, connection: Connection) -> bool:
        body = request.json()
        if request.path == "/under-way":
            plain = json.dumps({"begun": self.begun, "now": self.now}).encode()
            await connection.reply(200, plain, "application/json", {})
            return False
        system = str((body.get("messages") or [{}])[0].get("content") or "")
        purpose = unquote(request.headers.get("x-kaozheng-purpose", ""))
        if body.get("straight") or (asking.is_answering(system) and purpose == "initial_generation"):
            self.begun += 1
            self.now += 1
            try:
                return await self._say(body, connection)
            finally:
                self.now -= 1
        given = '{"kind": "qa"}' if "clarification" in str(chat.schema_of(body)) else act(body)
        reply = Reply(given) if isinstance(given, str) else given
        if body.get("stream"):
            await connection.begin_stream()
            for piece in chat.chunks(body, reply):
                await connection.chunk(chat.event(piece))
            await connection.chunk(chat.event("[DONE]"))
            await connection.chunk(b"")
        else:
            await connection.reply(200, json.dumps(chat.whole(body, reply)).encode(), "application/json", {})
        return True

    async def _say(self, body: dict[str, object], connection: Connection) -> bool:
        found = re.search(r"reader r(\d+)", json.dumps(body["messages"]))
        number = found[1] if found else "0"
        await connection.begin_stream()
        due = time.monotonic()
        for place, word in ((place, word) for place in range(SENTENCES) for word in ("", *_WORDS)):
            due += PAUSE_S
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            if connection.gone:
                return False
            text = word or f"r{number}n{place}t{time.monotonic_ns()} "
            choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
            await connection.chunk(chat.event({"id": "x", "object": "chat.completion.chunk", "choices": [choice]}))
        end = {"index": 0, "delta": {}, "finish_reason": "stop"}
        await connection.chunk(chat.event({"id": "x", "object": "chat.completion.chunk", "choices": [end]}))
        await connection.chunk(chat.event("[DONE]"))
        await connection.chunk(b"")
        return True


@contextmanager
def _model() -> Iterator[_Place]:
    with _process([sys.executable, "-m", "bench.serve"], {}) as place:
        yield place


@contextmanager
def _served(folder: Path, model: _Place) -> Iterator[_Place]:
    environment = {
        "KAOZHENG_DATA": str(folder / "data"),
        "KAOZHENG_MODEL": "openai:scripted",
        "OPENAI_BASE_URL": f"{model.url}/v1",
        "KAOZHENG_SERVE_EACH": "200",
        "KAOZHENG_SERVE_AT_ONCE": "200",
        "KAOZHENG_SERVE_PER_MINUTE": "100000",
    }
    (folder / "note.md").write_text(_NOTE, encoding="utf-8")
    command = [sys.executable, "-m", "kaozheng"]
    subprocess.run(
        [*command, "kb", "add", str(folder / "note.md")], env=_environment(environment), check=True, capture_output=True
    )
    with _process([*command, "serve", "--port", "0"], environment) as place:
        yield place


@contextmanager
def _process(command: list[str], changes: dict[str, str]) -> Iterator[_Place]:
    """The process, until the block ends, at the address in its first line."""
    process = subprocess.Popen(command, env=_environment(changes), stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout
    try:
        found = re.search(r"http://[\d.:]+", process.stdout.readline())
        if not found:
            raise RuntimeError(f"{command} did not start")
        yield _Place(found[0], process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=40)


def _environment(changes: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KAOZHENG", "OPENAI"))}
    return {**kept, **changes}


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return float("nan")


async def _run() -> None:
    model = _Model()
    print(f"http://127.0.0.1:{await model.listener.start(0)}", flush=True)
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    await stopped.wait()
    await model.listener.stop()


if __name__ == "__main__":
    asyncio.run(_run())
