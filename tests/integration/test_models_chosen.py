"""Settings to models over real HTTP: weights, fallbacks, and that a secret text reaches nobody it must not reach."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kaozheng.errors import NotPrivateError, SettingsError
from kaozheng.models import Call, Message
from kaozheng.providers.models.catalogue import PROVIDERS
from kaozheng.settings import Settings, load_settings
from kaozheng.testing.faults import Fault
from kaozheng.testing.server import ScriptedServer
from kaozheng.wiring import checked_model, configured_models, open_model, ping

CANARY = "canary-7f3a"


@pytest.fixture(autouse=True)
def _no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = [name for provider in PROVIDERS.values() for name in (*provider.keys, *provider.addresses)]
    for name in (*own, "MODEL_ID", *(f"KAOZHENG_{field.upper()}" for field in Settings.model_fields)):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def call(**more) -> Call:
    return Call("writer", "section/1", (Message("user", CANARY),), **more)


async def test_a_secret_text_never_reaches_a_provider_that_is_not_private(monkeypatch):
    async with ScriptedServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        async with open_model(load_settings(model="openai:m")) as model:
            with pytest.raises(NotPrivateError) as refused:
                await model.complete(call(sensitivity="secret"))
            assert (server.requests, server.log) == ([], [])
            await model.complete(call(sensitivity="internal"))
            assert CANARY in json.dumps(server.requests)
    assert CANARY not in str(refused.value)


async def test_a_secret_text_goes_to_the_private_fallback_only(monkeypatch):
    async with ScriptedServer() as public, ScriptedServer(lambda _: "at home") as private:
        monkeypatch.setenv("OPENAI_BASE_URL", public.base_url)
        monkeypatch.setenv("VLLM_BASE_URL", private.base_url)
        settings = load_settings(model="openai:m", model_light="openai:s", model_fallback="vllm:m")
        async with open_model(settings) as model:
            for weight in ("deep", "light"):
                assert (await model.complete(call(sensitivity="secret", weight=weight))).text == "at home"
    assert public.log == []
    assert len(private.log) == 2


async def test_the_operators_mark_lets_secrets_through(monkeypatch):
    async with ScriptedServer(lambda _: "yes") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        async with open_model(load_settings(model="openai:m", private_providers="vllm, openai")) as model:
            assert (await model.complete(call(sensitivity="secret"))).text == "yes"


async def test_weights_and_fallbacks_are_asked_as_configured(monkeypatch):
    lost = Fault("unauthorized", count=None)
    async with ScriptedServer(faults=[lost]) as broken, ScriptedServer(lambda body: body["model"]) as spare:
        monkeypatch.setenv("OPENAI_BASE_URL", broken.base_url)
        monkeypatch.setenv("LOCAL_BASE_URL", spare.base_url)
        settings = load_settings(model="openai:big", model_light="local:small", model_fallback="local:spare")
        async with open_model(settings) as model:
            assert (await model.complete(call(weight="light"))).text == "small"
            assert broken.log == []
            assert (await model.complete(call(weight="deep"))).text == "spare"
            assert [entry.status for entry in broken.log] == [401]


def test_the_seeds_model_id_is_the_default(monkeypatch, tmp_path):
    monkeypatch.setenv("MODEL_ID", "doubao-pro")
    monkeypatch.setenv("ARK_API_KEY", "k")
    assert checked_model(load_settings()) == "ark:doubao-pro"
    assert checked_model(load_settings(model="")) == ""
    monkeypatch.setenv("KAOZHENG_MODEL", "local:x")
    assert checked_model(load_settings()) == "local:x"
    monkeypatch.setenv("KAOZHENG_MODEL", "")
    assert checked_model(load_settings()) == ""
    monkeypatch.delenv("KAOZHENG_MODEL")
    (tmp_path / "kaozheng.toml").write_text('model = "local:y"\n', encoding="utf-8")
    assert checked_model(load_settings()) == "local:y"


def test_keys_are_read_from_a_dotenv_file_and_the_environment_wins(monkeypatch, tmp_path):
    (tmp_path / ".env").write_text("DASHCOPE_KEY=from-file\nMODEL_ID=qwen-plus\n", encoding="utf-8")
    settings = load_settings()
    assert checked_model(settings) == "dashscope:qwen-plus"
    assert settings.read("DASHCOPE_KEY").get_secret_value() == "from-file"
    assert "from-file" not in repr(settings) + str(settings.read("DASHCOPE_KEY"))
    monkeypatch.setenv("DASHCOPE_KEY", "from-environment")
    assert settings.read("DASHCOPE_KEY").get_secret_value() == "from-environment"


def test_light_and_fallback_models_are_checked_before_anything_starts():
    with pytest.raises(SettingsError, match="nope:x"):
        checked_model(load_settings(model="local:m", model_fallback="local:n, nope:x"))
    with pytest.raises(SettingsError, match="nope:y"):
        checked_model(load_settings(model="local:m", model_light="nope:y"))
    assert configured_models(load_settings(model="", model_light="local:n")) == ()


async def test_a_ping_asks_each_configured_model_once_and_times_it(monkeypatch):
    lost = Fault("unauthorized", count=None)
    async with ScriptedServer(lambda _: "ready") as fine, ScriptedServer(faults=[lost]) as broken:
        monkeypatch.setenv("OPENAI_BASE_URL", broken.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-not-to-be-said")
        monkeypatch.setenv("LOCAL_BASE_URL", fine.base_url)
        told = await ping(load_settings(model="local:big", model_light="local:small", model_fallback="openai:m"))
    by_name = {finding.what: finding for finding in told}
    assert {name: finding.ok for name, finding in by_name.items()} == {
        "ping local:big": True,
        "ping local:small": True,
        "ping openai:m": False,
    }
    assert "answered in 0." in by_name["ping local:big"].says
    assert "did not accept the key" in by_name["ping openai:m"].says
    assert "not-to-be-said" not in str(told)
    assert sorted(sent["max_tokens"] for sent in fine.requests) == [8, 8]
    assert len(broken.log) == 1


async def test_without_a_model_nothing_is_pinged():
    assert await ping(load_settings(model="")) == []


SECRET = {"sensitivity": "secret", "model": "openai:m"}


@pytest.mark.parametrize("more", [{}, {"model_light": "local:small"}, {"model_fallback": "openai:n"}])
def test_secret_texts_and_no_private_model_to_write_are_refused_at_the_start(monkeypatch, more):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with pytest.raises(SettingsError, match=r"openai:m.*KAOZHENG_PRIVATE_PROVIDERS.*offline"):
        checked_model(load_settings(**SECRET, **more))
    assert checked_model(load_settings(**SECRET, **more, private_providers="openai")) == "openai:m"


def test_offline_or_with_a_private_fallback_secret_texts_are_no_reason_to_refuse(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert checked_model(load_settings(sensitivity="secret", model="")) == ""
    chosen = load_settings(**SECRET, model_light="openai:s", model_fallback="local:n")
    assert checked_model(chosen) == "openai:m"
    assert configured_models(chosen) == ("local:n",)


async def test_all_calls_are_secret_where_the_settings_say_so(monkeypatch):
    async with ScriptedServer() as public, ScriptedServer(lambda _: "at home") as private:
        monkeypatch.setenv("OPENAI_BASE_URL", public.base_url)
        monkeypatch.setenv("VLLM_BASE_URL", private.base_url)
        settings = load_settings(**SECRET, model_light="openai:s", model_fallback="vllm:m")
        async with open_model(settings) as model:
            assert (await model.complete(call(sensitivity="open", weight="light"))).text == "at home"
    assert public.log == []
