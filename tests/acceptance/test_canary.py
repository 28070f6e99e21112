"""Secrets stay secret: canaries are hidden where keys and secret documents live, the product is used in all its ways
against a provider that repeats whatever it is sent, and then everything that was left or said is searched."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import os
import re
import sqlite3
import sys
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest

from kaozheng import api
from kaozheng.errors import KaozhengError
from kaozheng.journal import RunRecord
from kaozheng.models import Call, Message
from kaozheng.settings import load_settings
from kaozheng.testing import chat
from kaozheng.testing.actor import act
from kaozheng.testing.chat import Reply
from kaozheng.testing.http import Connection, Listener, Request
from kaozheng.testing.server import ScriptedServer
from kaozheng.wiring import open_desk

KEY, DOTENV, PROXY = "Zq7EnvCanary93x", "Zq7DotenvCanary93x", "Zq7ProxyCanary93x"
QUERY = "Zq7QueryCanary93x"
SECRETS = (KEY, DOTENV, PROXY, QUERY)
BOOK = "## 用语 {#wording}\n\n1.1 不用感叹号。\n\n1.2 语气平实。\n"
TEXT = "# 缓存\n\n缓存命中率为 92%，过期时间是 300 秒。\n"

# Words that stand nowhere else: headings, sentences, code, a file's quote that a check reports.
WORDS = ("七号灯塔", "蓝鲸暗渠", "Vexelquaro", "潮汐密仓", "Brontokast")
DOCUMENT = (
    f"# {WORDS[0]}行动\n\n{WORDS[1]}在每月三日开启，暗号是 {WORDS[2]}！！\n\n## {WORDS[3]}概览\n\n"
    f"使用{WORDS[4]}登录{WORDS[3]}，容量为 420 吨，负责人每周核对一次账目并且写入台账，然后再由值班员复核一遍，"
    "最后归档到总库房里面保存三年以上的时间。\n"
)

Write = Callable[[Request, Connection], "asyncio.Future[bool]"]


class Echo:
    """A provider that says back what it was sent, headers and address included, in the way that is next in `ways`;
    when they are used up it plays its role well."""

    def __init__(self, *ways: str, prompt_first: bool = False) -> None:
        self._prompt_first = prompt_first
        self.ways = list(ways)
        self.heard: list[Request] = []
        self._listener = Listener(self._handle)

    async def __aenter__(self) -> Echo:
        self.port = await self._listener.start(0)
        self.url = f"http://127.0.0.1:{self.port}/v1"
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._listener.stop()

    async def _handle(self, request: Request, connection: Connection) -> bool:
        self.heard.append(request)
        asked = request.json()
        told = [f"{request.headers}", chat.prompt_of(asked)[-600:]]
        said = " ".join(["you sent", *(reversed(told) if self._prompt_first else told), QUERY, PROXY])
        way = self.ways.pop(0) if self.ways else ""
        echoed = {"X-Echo": quote(said[:400]), "X-Key": request.headers.get("authorization", "")}
        match way:
            case "401" | "400" | "500" | "429" | "404":
                more = echoed | ({"Retry-After": "0"} if way == "429" else {})
                body = json.dumps(chat.error(said, "echo"), ensure_ascii=False).encode()
                await connection.reply(int(way), body, "application/json", more)
            case "too long":
                body = json.dumps(chat.error(f"context length exceeded: {said}", "echo"), ensure_ascii=False).encode()
                await connection.reply(400, body, "application/json", echoed)
            case "html":
                await connection.reply(200, f"<title>{said}</title>".encode(), "text/html", echoed)
            case "json":
                await connection.reply(200, json.dumps({"error": said}).encode()[:-3], "application/json", echoed)
            case "broken" | "error" | "cut":
                await connection.begin_stream()
                events = {"broken": '{"choices": [{"' + said, "error": chat.error(said, "echo"), "cut": ""}
                await connection.chunk(chat.event(events[way]) if way != "cut" else b"data: {")
                return False
            case _:
                await connection.begin_stream()
                answer = request.headers.get("authorization", "") if way == "answer" else act(asked)
                for piece in chat.chunks(asked, Reply(answer)):
                    await connection.chunk(chat.event(piece))
                await connection.chunk(chat.event("[DONE]"))
                await connection.chunk(b"")
        return True


class Collector:
    """Takes traces and keeps their bytes."""

    def __init__(self) -> None:
        self.raw = b""
        self._listener = Listener(self._handle)

    async def start(self) -> str:
        return f"http://127.0.0.1:{await self._listener.start(0)}"

    async def stop(self) -> None:
        await self._listener.stop()

    async def _handle(self, request: Request, connection: Connection) -> bool:
        self.raw += request.body
        await connection.reply(200, b"", "application/x-protobuf", {})
        return True


class Told(logging.Handler):
    """Every record of every logger, as text."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
async def collector(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Collector]:
    collector = Collector()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", await collector.start())
    yield collector
    await collector.stop()


@pytest.fixture
def logged() -> Iterator[Told]:
    """What is logged when everything is logged: every logger that exists or comes to exist, at DEBUG."""
    handler, root = Told(), logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    database = logging.getLogger("sqlalchemy")  # it sets a level of its own
    its = database.level
    database.setLevel(logging.DEBUG)
    yield handler
    database.setLevel(its)
    root.removeHandler(handler)
    root.setLevel(before)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a rule book and a `.env`, and a world with keys in it."""
    for name in list(os.environ):
        if name.startswith(("KAOZHENG", "OPENAI", "OTEL", "DASHSCOPE", "LOCAL_", "LANGSMITH", "LANGCHAIN")):
            monkeypatch.delenv(name)
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    (tmp_path / ".env").write_text(f"DASHSCOPE_API_KEY={DOTENV}\n", encoding="utf-8")
    (tmp_path / "text.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "secret.md").write_text(DOCUMENT, encoding="utf-8")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("HTTPS_PROXY", f"http://user:{PROXY}@127.0.0.1:9")
    monkeypatch.setenv("OPENAI_LOG", "debug")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def forms(secret: str) -> list[bytes]:
    """The secret as it is, percent-encoded, and inside of a Basic header."""
    basic = [base64.b64encode(f"user:{secret}".encode()), base64.b64encode(f":{secret}".encode())]
    return [secret.encode(), quote(secret).encode(), json.dumps(secret).strip('"').encode(), *basic]


def found(secrets: tuple[str, ...], told: dict[str, object]) -> list[str]:
    """Which secrets stand where, with the words around them."""
    hits = []
    for place, one in told.items():
        data = one if isinstance(one, bytes) else str(one).encode("utf-8", "surrogatepass")
        hits += [f"{place}: {around(data, form)}" for one in secrets for form in forms(one) if form in data]
    return hits


def around(data: bytes, form: bytes) -> str:
    at = data.index(form)
    return data[max(0, at - 120) : at + 60].decode("utf-8", "replace")


def on_disk(folder: Path, *but: Path) -> dict[str, bytes]:
    """The bytes and the name of every file, write-ahead logs of databases included."""
    files = [one for one in folder.rglob("*") if one.is_file() and not any(one.is_relative_to(skip) for skip in but)]
    return {f"file {one.relative_to(folder)}": f"{one}\n".encode() + one.read_bytes() for one in files}


def said_by(error: BaseException | None) -> str:
    """All that an error can tell: texts, reprs, attributes, causes, and the locals of every frame."""
    parts = []
    while error is not None:
        parts += [str(error), repr(error), repr(error.args), repr(vars(error))]
        told = traceback.TracebackException.from_exception(error, capture_locals=True)
        parts += [str((frame.name, frame.locals)) for frame in told.stack if frame.filename != __file__]
        error = error.__cause__ or error.__context__
    return "\n".join(parts)


@pytest.mark.parametrize(("provider", "place_of"), [("openai", "query"), ("dashscope", "dotenv"), ("openai", "proxy")])
async def test_keys_leave_no_trace_whatever_a_provider_says(place, collector, logged, monkeypatch, provider, place_of):
    events: list = []
    errors: list[str] = []
    async with Echo() as echo:
        url = echo.url
        if place_of == "proxy":
            monkeypatch.setenv("HTTP_PROXY", f"http://user:{PROXY}@127.0.0.1:{echo.port}")
            monkeypatch.setenv("NO_PROXY", "127.0.0.1")
            url = "http://provider.invalid/v1"
        monkeypatch.setenv(f"{provider.upper()}_BASE_URL", f"{url}?token={QUERY}" if place_of == "query" else url)
        settings = load_settings(data=place / "data", model=f"{provider}:m", rules=str(place / "book.md"))
        for way in ("401", "404", "400"):
            echo.ways = [way]
            with pytest.raises(KaozhengError) as refused:
                await api.awrite(text=TEXT, settings=settings, on_event=events.append)
            errors.append(said_by(refused.value))
        stopped = events[-1].run_id
        echo.ways = ["500", "", "html", "", "json"]
        done = await api.aresume(stopped, events.append, settings)
        echo.ways = ["broken", "", "error", "", "cut"]
        start = (await asyncio.to_thread(api.checkpoints, done.run_id, settings))[-1].id
        forked = await api.afork(done.run_id, start, events.append, settings)
        echo.ways = ["too long", "too long", "answer"]
        last = await api.awrite(text=TEXT, settings=settings, on_event=events.append)
        echo.ways = ["429", "answer"]
        reviewed = await asyncio.to_thread(api.review, [place / "text.md"], settings=settings)
        echo.ways = ["500"]
        pinged = await asyncio.to_thread(api.doctor, settings, ping=True)
        shown = await asyncio.to_thread(api.show_run, done.run_id, settings)
    assert all((KEY if provider == "openai" else DOTENV) in one.headers["authorization"] for one in echo.heard)
    if place_of == "proxy":
        basic = base64.b64encode(f"user:{PROXY}".encode()).decode()
        assert {one.headers["proxy-authorization"] for one in echo.heard} == {f"Basic {basic}"}
    assert {"retry", "fallback", "run_failed"} <= {event.kind for event in events}
    assert collector.raw
    told = {"events": events, "errors": errors, "log": logged.lines, "traces": collector.raw, "settings": settings}
    told |= {"review": reviewed, "ping": pinged, "show": shown, "results": [done, forked, last]}
    hits = found(SECRETS, told | on_disk(place / "data"))
    assert not hits, "\n".join(hits[:20])


def without_answers(database: Path) -> bytes:
    """The bytes of the journal as it would be without the rows of the ledger."""
    copy = database.with_name("copy.db")
    with closing(sqlite3.connect(database)) as opened:
        opened.execute("VACUUM INTO ?", (str(copy),))
    with closing(sqlite3.connect(copy)) as opened:
        assert opened.execute("DELETE FROM answers").rowcount > 0
        opened.commit()
        opened.execute("VACUUM")
    data = copy.read_bytes()
    copy.unlink()
    return data


async def test_the_text_of_a_secret_document_stays_in_its_run(place, collector, logged, monkeypatch):
    events: list = []
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    async with Echo(prompt_first=True) as private, ScriptedServer(act) as public, Echo() as langsmith:
        monkeypatch.setenv("LANGSMITH_ENDPOINT", langsmith.url)
        monkeypatch.setenv("LANGSMITH_API_KEY", "none")
        monkeypatch.setenv("LOCAL_BASE_URL", private.url)
        monkeypatch.setenv("OPENAI_BASE_URL", public.base_url)
        chosen = {"model": "openai:m", "model_light": "openai:s", "model_fallback": "local:n"}
        settings = load_settings(data=place / "data", rules=str(place / "book.md"), **chosen)
        private.ways = ["404"]
        with pytest.raises(KaozhengError) as refused:
            await api.awrite(text=DOCUMENT, settings=settings, on_event=events.append, sensitivity="secret")
        private.ways = ["500", "", "error", "", "too long"]
        done = await api.aresume(events[-1].run_id, events.append, settings)
        private.ways = ["html"]
        start = (await asyncio.to_thread(api.checkpoints, done.run_id, settings))[-1].id
        await api.afork(done.run_id, start, events.append, settings)
        hidden = settings.model_copy(update={"sensitivity": "secret"})
        await asyncio.to_thread(api.review, [place / "secret.md"], settings=hidden)
        records = await asyncio.to_thread(api.list_runs, settings=settings)
        shown = [await asyncio.to_thread(api.show_run, one.id, settings) for one in records]
    data = place / "data"
    assert public.log == []
    assert langsmith.heard == []
    assert {"retry", "fallback", "run_failed", "run_resumed"} <= {event.kind for event in events}
    assert any(WORDS[0].encode() in one.body or WORDS[0] in one.body.decode("unicode-escape") for one in private.heard)
    assert WORDS[2].encode() in b"".join(on_disk(data / "runs" / done.run_id).values())
    told = {"events": events, "error": [str(refused.value), repr(refused.value)], "log": logged.lines}
    told |= {"traces": collector.raw, "records": records, "show": shown, "journal": without_answers(data / "runs.db")}
    told |= {"names": [one.name for one in (data / "runs").iterdir()]}
    told |= {name: one for name, one in on_disk(data, data / "runs").items() if "runs.db" not in name}
    hits = found(WORDS, told)
    assert not hits, "\n".join(hits[:20])


LOUD = """
import json, logging, pathlib, sys
logging.basicConfig(level=logging.DEBUG)
from kaozheng.cli import main
for words in json.loads(sys.argv[1]):
    run = next((one.name for one in sorted(pathlib.Path("data/runs").glob("*"))), "")
    sys.argv[1:] = [run if word == "RUN" else word for word in words]
    try:
        main()
    except SystemExit as end:
        print(f"exit {end.code}")
    print(f"exit of {words[0]} {words[1]}", file=sys.stderr)
"""
COMMANDS = [
    ("write", "--text", "text.md"),
    ("runs", "resume", "RUN"),
    ("write", "--text", "secret.md", "--sensitivity", "secret", "--model", "local:n"),
    ("write", "--text", "secret.md", "--sensitivity", "secret"),
    ("runs", "list", "--json"),
    ("runs", "show", "RUN", "--json"),
    ("runs", "checkpoints", "RUN"),
    ("review", "text.md"),
    ("graph", "write"),
    ("doctor", "--json"),
    ("doctor", "--ping"),
]


async def test_the_commands_say_no_secret_however_loud_they_log(place, monkeypatch):
    """One process for all commands, which logs everything to its standard error."""
    monkeypatch.setenv("KAOZHENG_DATA", "data")
    monkeypatch.setenv("KAOZHENG_RULES", "book.md")
    monkeypatch.setenv("KAOZHENG_MODEL", "openai:m")
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    command = [sys.executable, "-c", LOUD, json.dumps(COMMANDS)]
    async with (
        Echo("401", "500", "", "html", "", "429", "", "error", "500") as echo,
        Echo("500", "", "too long", prompt_first=True) as private,
    ):
        monkeypatch.setenv("OPENAI_BASE_URL", f"{echo.url}?token={QUERY}")
        monkeypatch.setenv("LOCAL_BASE_URL", private.url)
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()[-2000:]
    codes = [line for line in out.decode().split("\n") if line.startswith("exit ")]
    assert codes[:4] == ["exit 2", "exit 0", "exit 1", "exit 2"]
    assert set(codes[4:]) <= {"exit 0", "exit 1"}
    assert len(codes) == len(COMMANDS)
    assert len(echo.heard) > 6
    assert b"KAOZHENG_PRIVATE_PROVIDERS" in err
    assert b"DEBUG" in err
    assert re.search("section 1/\\d …: written".encode(), err)
    hits = found(SECRETS, {"output": out, "errors": err} | on_disk(place / "data")) + found(WORDS, {"errors": err})
    assert not hits, "\n".join(hits[:20])


@pytest.mark.parametrize(
    ("provider", "module", "key", "address"),
    [
        ("anthropic", "langchain_anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
        ("google_genai", "langchain_google_genai", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"),
        ("nvidia", "langchain_nvidia_ai_endpoints", "NVIDIA_API_KEY", "NVIDIA_BASE_URL"),
    ],
)
async def test_what_other_vendors_libraries_say_holds_no_key_and_no_secret_text(
    place, logged, monkeypatch, provider, module, key, address
):
    pytest.importorskip(module)
    errors = []
    async with Echo(prompt_first=True) as echo:
        monkeypatch.setenv(key, KEY)
        monkeypatch.setenv(address, echo.url if provider == "nvidia" else echo.url.removesuffix("/v1"))
        monkeypatch.setenv("ANTHROPIC_LOG", "debug")
        settings = load_settings(model=f"{provider}:m", private_providers=provider, connect_s=5.0)
        async with open_desk(settings.model_copy(update={"data": place / "data"})) as desk:
            request = {"model": f"{provider}:m", "sensitivity": "secret"}
            record = RunRecord("r", "write", "t", str(place / "data" / "r"), "", "", request=request)
            model = desk.ports_for(record, lambda kind, data: None).model
            for number, way in enumerate(("401", "400", "404", "html", "too long")):
                echo.ways = [way] * 4
                with pytest.raises(KaozhengError) as refused:
                    await asyncio.wait_for(model.complete(Call("r", f"p{number}", (Message("user", DOCUMENT),))), 9.0)
                errors.append(refused.value)
    assert echo.heard
    told = {"errors": [str(one) + repr(one) for one in errors], "log": logged.lines}
    hits = found((KEY, *WORDS), told) + found(SECRETS, {"all of the errors": [said_by(one) for one in errors]})
    assert not hits, "\n".join(hits[:20])
