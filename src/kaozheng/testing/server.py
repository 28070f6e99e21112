"""A scripted OpenAI-compatible HTTP server on loopback, for tests, benchmarks and trials without a provider.

In a test: `async with ScriptedServer(answer) as server: ... server.base_url`. As a process of its own, so that a
client can be killed: `python -m kaozheng.testing.server --port 0 --delay 1.0 --log calls.jsonl --script script.json`;
the first line printed is the base URL.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Any, Self
from urllib.parse import unquote

from kaozheng.testing import chat, reranking
from kaozheng.testing.actor import act
from kaozheng.testing.chat import Reply
from kaozheng.testing.faults import Fault, FaultPlan
from kaozheng.testing.http import Connection, Listener, Request
from kaozheng.testing.replies import Answerer, default_reply, scripted

PURPOSE_HEADER = "x-kaozheng-purpose"
_PING_S = 0.02
_JSON = "application/json"
_WAITS_INSIDE = ("ping", "stall", "drip")  # faults whose delay is in the middle of the answer


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One request: when it came (Unix seconds), the hash of its messages, what it was for, what it got, and whether
    the whole answer was written while the client was still there. Holds no text and no key."""

    time: float
    path: str
    sha256: str
    purpose: str
    model: str
    status: int
    fault: str
    received: bool


class ScriptedServer:
    """Serves /v1/chat/completions from `answer`, /v1/embeddings, /v1/rerank (and DashScope's two forms of it) and
    /v1/models, each after `delay_s`, with `faults`.

    `log` holds a LogEntry for each finished request, `requests` the bodies of chat requests as they came in. `models`
    limits the names that are known (None: any), `key` makes another key a 401.
    """

    def __init__(
        self,
        answer: Answerer = default_reply,
        *,
        delay_s: float = 0.0,
        faults: Sequence[Fault] = (),
        models: Sequence[str] | None = None,
        key: str | None = None,
        log_file: Path | None = None,
    ) -> None:
        self.log: list[LogEntry] = []
        self.requests: list[dict[str, Any]] = []
        self.base_url = ""
        self._answer = answer
        self._delay_s = delay_s
        self._plan = FaultPlan(faults)
        self._models = tuple(models) if models is not None else None
        self._key = key
        self._log_path = log_file
        self._log_file: IO[str] | None = None
        self._listener = Listener(self._handle)

    async def start(self, port: int = 0) -> str:
        """Listen; the base URL for clients."""
        if self._log_path:
            # Line-buffered and appended: what was logged survives a kill, and two servers may share a file.
            self._log_file = self._log_path.open("a", encoding="utf-8", buffering=1)
        self.base_url = f"http://127.0.0.1:{await self._listener.start(port)}/v1"
        return self.base_url

    async def stop(self) -> None:
        """Hang up and close the log."""
        await self._listener.stop()
        if self._log_file:
            self._log_file.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()

    async def _handle(self, request: Request, connection: Connection) -> bool:
        began, body = time.time(), request.json()
        purpose = unquote(request.headers.get(PURPOSE_HEADER, "")) or str(body.get("user", ""))
        fault = None
        if request.path == "/v1/chat/completions":
            self.requests.append(body)
            fault = self._plan.hit(purpose, chat.prompt_of(body))
        elif request.path in reranking.PATHS:
            fault = self._plan.hit(purpose, reranking.query_of(body))
        elif request.path == "/v1/embeddings":
            fault = self._plan.hit(purpose, chat.first_input(body))
        status, stays = 0, False
        try:
            await asyncio.sleep(self._delay_s + (fault.delay_s if fault and fault.kind not in _WAITS_INSIDE else 0.0))
            gone = connection.gone
            status, stays = await self._respond(request, body, fault, connection)
            stays = stays and not gone
        finally:
            kind = fault.kind if fault else ""
            model = str(body.get("model", ""))
            self._note(LogEntry(began, request.path, chat.messages_sha256(body), purpose, model, status, kind, stays))
        return stays

    def _note(self, entry: LogEntry) -> None:
        self.log.append(entry)
        if self._log_file:
            self._log_file.write(json.dumps(asdict(entry), ensure_ascii=False) + "\n")

    async def _respond(
        self, request: Request, body: dict[str, Any], fault: Fault | None, connection: Connection
    ) -> tuple[int, bool]:
        """The status sent, and whether the connection can be kept."""
        if refusal := self._refusal(request, body, fault):
            status, reason, headers = refusal
            await connection.reply(status, json.dumps(reason).encode(), _JSON, headers)
            return status, True
        if fault and fault.kind == "drop":
            return 0, False
        if fault and fault.kind == "html":
            await connection.reply(200, b"<!doctype html><title>Sign in</title>", "text/html", {})
            return 200, True
        if request.path != "/v1/chat/completions":
            await connection.reply(200, self._plain(request.path, body, fault), _JSON, {})
            return 200, True
        given = self._answer(body)
        reply = _spoiled(Reply(given) if isinstance(given, str) else given, fault)
        if reply.status >= 400:
            reason = chat.error(reply.text, "scripted")
            await connection.reply(reply.status, json.dumps(reason).encode(), _JSON, dict(reply.headers))
            return reply.status, True
        if body.get("stream"):
            return 200, await _stream(body, reply, fault, connection)
        await connection.reply(200, json.dumps(chat.whole(body, reply)).encode(), _JSON, {})
        return 200, True

    def _plain(self, path: str, body: dict[str, Any], fault: Fault | None) -> bytes:
        if path in reranking.PATHS:
            return reranking.ranked(path, body, fault)
        listed = chat.models(self._models or ("scripted",))
        return json.dumps(chat.embeddings(body) if path == "/v1/embeddings" else listed).encode()

    def _refusal(
        self, request: Request, body: dict[str, Any], fault: Fault | None
    ) -> tuple[int, dict[str, Any], dict[str, str]] | None:
        sent = request.headers.get("authorization", "").removeprefix("Bearer ")
        if (fault and fault.kind == "unauthorized") or (self._key is not None and sent != self._key):
            return 401, chat.error(f"Incorrect API key provided: {sent}", "invalid_api_key"), {}
        if request.path not in ("/v1/chat/completions", "/v1/embeddings", "/v1/models", *reranking.PATHS):
            return 404, chat.error(f"no such path: {request.path}", "not_found"), {}
        name = body.get("model")
        unknown = self._models is not None and request.method == "POST" and name not in self._models
        if unknown or (fault and fault.kind == "no_model"):
            return 404, chat.error(f"The model `{name}` does not exist", "model_not_found"), {}
        if fault and fault.kind == "status":
            after = {} if fault.retry_after_s is None else {"Retry-After": f"{fault.retry_after_s:g}"}
            return fault.status, chat.error(fault.text or "a scripted fault", "scripted"), after
        if fault and fault.kind == "refuse" and fault.text in body:
            return 400, chat.error(f"Unsupported parameter: '{fault.text}'", "unsupported_parameter", fault.text), {}
        return None


def _spoiled(reply: Reply, fault: Fault | None) -> Reply:
    """The reply after a fault that changes what it says."""
    half = reply.text[: max(1, len(reply.text) // 2)]
    match fault.kind if fault else "":
        case "broken_json":
            return replace(reply, text='{"broken": [1, 2,}')
        case "text":
            return replace(reply, text=fault.text if fault else "")
        case "empty":
            return replace(reply, text="")
        case "reasoning":
            return replace(reply, text="", reasoning=reply.text)
        case "length":
            return replace(reply, text=half, finish="length")
        case "filter":
            return replace(reply, text=half, finish="content_filter")
        case "no_finish" | "cut_stream":
            return replace(reply, text=half, finish=None)
    return reply


async def _stream(body: dict[str, Any], reply: Reply, fault: Fault | None, connection: Connection) -> bool:
    """Send the events; False when the fault is to hang up."""
    kind = fault.kind if fault else ""
    await connection.begin_stream()
    if fault:
        await _before_the_answer(fault, connection)
    pieces = list(chat.chunks(body, reply))
    for place, piece in enumerate(pieces):
        if fault and (kind == "drip" or (kind == "stall" and place == len(pieces) // 2)):
            await asyncio.sleep(fault.delay_s)
        if kind == "choices":
            piece = {**piece, "choices": [*piece["choices"], *chat.second_choice(piece)]}
        await connection.chunk(chat.event(piece))
    if kind == "cut_stream":
        return False
    if kind == "broken_stream":
        await connection.chunk(chat.event('{"choices": [{"delta"'))
    if kind == "error_event":
        await connection.chunk(chat.event(chat.error("the worker was lost", "server_error")))
    if kind != "no_finish":
        await connection.chunk(chat.event("[DONE]"))
    await connection.chunk(b"")
    return True


async def _before_the_answer(fault: Fault, connection: Connection) -> None:
    until = time.monotonic() + fault.delay_s
    while fault.kind == "ping" and time.monotonic() < until:
        await connection.chunk(b": keep-alive\n\n")
        await asyncio.sleep(_PING_S)
    if fault.kind == "event":
        await connection.chunk(chat.event(fault.text))


def _faults(path: Path | None) -> list[Fault]:
    script = json.loads(path.read_text(encoding="utf-8")) if path else {}
    return [Fault(**one) for one in script.get("faults", ())]


async def _run(options: argparse.Namespace) -> None:
    server = ScriptedServer(
        act if options.actor else scripted(options.script) if options.script else default_reply,
        delay_s=options.delay,
        faults=_faults(options.script),
        log_file=options.log,
    )
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    print(await server.start(options.port), flush=True)
    await stopped.wait()
    await server.stop()


def main(arguments: Sequence[str] | None = None) -> None:
    """The command: serve until SIGTERM or Ctrl-C."""
    parser = argparse.ArgumentParser(
        prog="python -m kaozheng.testing.server", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--port", type=int, default=0, help="port on loopback; 0: the system chooses")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--log", type=Path, help="append one JSON line for each request to this file")
    parser.add_argument(
        "--script", type=Path, help='JSON file: {"answers": [{"match", "text" | "object"}], "faults": []}'
    )
    parser.add_argument(
        "--actor", action="store_true", help="play all roles of a workflow, each answer made from the prompt alone"
    )
    chosen = parser.parse_args(arguments)
    try:
        asyncio.run(_run(chosen))
    except OSError as error:
        parser.exit(2, f"{parser.prog}: port {chosen.port} cannot be listened on: {error.strerror or error}\n")


if __name__ == "__main__":
    main()
