"""Several runs in one process share what they open, over real HTTP, and leave nothing open."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from kaozheng.errors import NotPrivateError
from kaozheng.journal import RunRecord
from kaozheng.models import Call, Message
from kaozheng.providers.models.catalogue import PROVIDERS
from kaozheng.providers.models.choosing import endpoint
from kaozheng.providers.models.shared import SharedModel
from kaozheng.providers.pool import PROCESS
from kaozheng.settings import Settings, load_settings
from kaozheng.testing.server import ScriptedServer
from kaozheng.wiring import open_desk, open_embedder, open_model, studio_ports


@pytest.fixture(autouse=True)
def _no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = [name for provider in PROVIDERS.values() for name in (*provider.keys, *provider.addresses)]
    for name in (*own, "MODEL_ID", *(f"KAOZHENG_{field.upper()}" for field in Settings.model_fields)):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def call(number: int = 0, **more) -> Call:
    return Call("writer", f"section/{number}", (Message("user", f"text {number}"),), **more)


def shared_in(loop: asyncio.AbstractEventLoop) -> list[str]:
    """The kinds of things that this loop shares now."""
    room = PROCESS._rooms.get(loop)
    return sorted(key[0] for key in room._shared) if room else []


def ports_of(desk, settings: Settings, name: str, folder: Path, **request):
    record = RunRecord(name, "write", "t", str(folder / name), "", "", request={"model": settings.model, **request})
    return desk.ports_for(record, lambda kind, data: None)


async def test_runs_of_one_desk_share_a_client_and_leave_none(monkeypatch, tmp_path):
    loop = asyncio.get_running_loop()
    async with ScriptedServer() as server:
        monkeypatch.setenv("LOCAL_BASE_URL", server.base_url)
        settings = load_settings(
            data=tmp_path / "d", model="local:a", model_light="local:b", embedder="local:e", model_fallback="local:c"
        )
        async with open_desk(settings) as desk:
            ports = [ports_of(desk, settings, f"r{n}", tmp_path) for n in range(4)]
            assert shared_in(loop) == []  # nothing is opened before the first call
            asked = [(one, weight) for one in ports for weight in ("deep", "light")]
            await asyncio.gather(*(one.model.complete(call(n, weight=w)) for n, (one, w) in enumerate(asked)))
            await ports[0].embedder.embed(["x"], "query")
            assert shared_in(loop) == ["client", "embedder", "model", "model"]
            async with open_model(settings) as model:
                await model.complete(call())
            assert shared_in(loop) == ["client", "embedder", "model", "model"]
        assert shared_in(loop) == []
    assert len(server.log) == 10


async def test_another_key_or_other_times_have_a_client_of_their_own():
    loop = asyncio.get_running_loop()
    async with ScriptedServer() as server, PROCESS.visit() as visit:
        for key, call_s in (("one", 300.0), ("two", 300.0), ("two", 200.0), ("two", 200.0)):
            names = {"LOCAL_BASE_URL": SecretStr(server.base_url), "LOCAL_API_KEY": SecretStr(f"sk-secret-{key}")}
            await SharedModel(endpoint("local:m", names.get, call_s=call_s), visit).complete(call())
        assert shared_in(loop).count("client") == 3
        keys = list(PROCESS._rooms[loop]._shared)
        assert "sk-secret" not in f"{keys}{PROCESS!r}{visit!r}{PROCESS.__dict__}"


def test_a_loop_in_each_thread_closes_what_it_opened(tmp_path):
    async def ask(settings):
        async with open_model(settings) as model:
            return (await model.complete(call())).text

    async def serve():
        async with ScriptedServer(lambda _: "yes") as server:
            settings = load_settings(model="openai:m", openai_base_url=server.base_url)
            threads = [asyncio.to_thread(lambda: asyncio.run(ask(settings))) for _ in range(6)]
            return await asyncio.gather(*threads)

    assert asyncio.run(serve()) == ["yes"] * 6
    gc.collect()  # an unclosed socket warns here, and warnings are errors
    assert PROCESS._rooms == {}


def test_a_hosts_graph_made_in_a_thread_works_in_any_loop_and_is_closed_with_it(tmp_path):
    async def host():
        async with ScriptedServer() as server:
            settings = load_settings(data=tmp_path / "d", model="openai:m", openai_base_url=server.base_url)
            for _ in range(3):  # the host makes the graph anew for each run
                ports = await asyncio.to_thread(studio_ports, settings, tmp_path / "s")
                await ports.model.complete(call())
            assert shared_in(asyncio.get_running_loop()) == ["client", "model"]

    asyncio.run(host())
    asyncio.run(host())
    gc.collect()
    assert PROCESS._rooms == {}


@pytest.mark.parametrize(("at_once", "in_process", "most"), [(2, 256, 4), (8, 3, 3)])
async def test_a_run_has_its_limit_and_the_process_another(monkeypatch, tmp_path, at_once, in_process, most):
    """Two runs, each with a deep and a light model at the same provider."""
    monkeypatch.setitem(PROVIDERS, "local", replace(PROVIDERS["local"], at_once=in_process))
    lasts_s = 0.04
    async with ScriptedServer(delay_s=lasts_s) as server:
        monkeypatch.setenv("LOCAL_BASE_URL", server.base_url)
        settings = load_settings(data=tmp_path / "d", model="local:a", model_light="local:b", at_once=at_once)
        async with open_desk(settings) as desk:
            runs = [ports_of(desk, settings, f"r{n}", tmp_path) for n in range(2)]
            calls = [(run, n, w) for run in runs for n in range(6) for w in ("deep", "light")]
            await asyncio.gather(*(run.model.complete(call(n, weight=w)) for run, n, w in calls))
    starts = [entry.time for entry in server.log]
    # Each lasts so long at least: what began within that time was under way together.
    together = max(sum(one <= other < one + lasts_s for one in starts) for other in starts)
    assert len(starts) == 24
    assert 1 < together <= most


@pytest.mark.parametrize(
    ("name", "private", "sensitivity", "sent"),
    [
        ("openai:e", "", "secret", 0),
        ("openai:e", "openai", "secret", 1),
        ("local:e", "", "secret", 1),
        ("openai:e", "", "internal", 1),
    ],
)
async def test_texts_of_a_secret_run_reach_no_embedder_that_is_not_private(
    monkeypatch, tmp_path, name, private, sensitivity, sent
):
    async with ScriptedServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("LOCAL_BASE_URL", server.base_url)
        settings = load_settings(data=tmp_path / "d", embedder=name, private_providers=private)
        async with open_desk(settings) as desk:
            embedder = ports_of(desk, settings, "r", tmp_path, sensitivity=sensitivity).embedder
            if sent:
                await embedder.embed(["canary"], "passage")
            else:
                with pytest.raises(NotPrivateError) as refused:
                    await embedder.embed(["canary"], "passage")
                assert "canary" not in str(refused.value)
    assert len(server.log) == sent


async def test_the_guard_holds_outside_of_a_run_as_well(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    async with open_embedder(load_settings(embedder="openai:e"), "secret") as embedder:
        with pytest.raises(NotPrivateError):
            await embedder.embed(["canary"], "query")
