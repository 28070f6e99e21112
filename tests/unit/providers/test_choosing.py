"""From PROVIDER:NAME and the environment to an endpoint; keys stay unsaid."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest
from pydantic import SecretStr

from kaozheng.errors import CredentialsError, KaozhengError, MissingExtraError, SettingsError
from kaozheng.providers.models.catalogue import PROVIDERS, Provider
from kaozheng.providers.models.choosing import endpoint, named

SECRET = "sk-never-said"


def reading(**names: str):
    return lambda name: SecretStr(names[name]) if names.get(name) else None


@pytest.mark.parametrize("provider", PROVIDERS.values(), ids=lambda one: one.prefix)
def test_every_entry_can_be_made(provider: Provider):
    module, _, function = provider.maker.partition(":")
    assert callable(getattr(import_module(module), function))
    assert not provider.module or provider.extra
    assert provider.keyless or provider.keys


@pytest.mark.parametrize(
    ("names", "text", "url"),
    [
        ({"OPENAI_API_KEY": SECRET}, "openai:gpt-4.1", "https://api.openai.com/v1"),
        ({"OPENAI_API_KEY": SECRET, "OPENAI_BASE_URL": "https://a.example/v1"}, "openai:x", "https://a.example/v1"),
        ({"DASHCOPE_KEY": SECRET, "BASE_URL": "https://d.example/v1"}, "dashscope:qwen-plus", "https://d.example/v1"),
        ({"DASHSCOPE_KEY": SECRET}, "dashscope:q", "https://dashscope.aliyuncs.com/compatible-mode/v1"),
        ({"DASHSCOPE_API_KEY": SECRET}, "dashscope:q", "https://dashscope.aliyuncs.com/compatible-mode/v1"),
        ({"ARK_API_KEY": SECRET, "ARK_BASE_URL": "https://ark.example/v3"}, "ark:ep-1", "https://ark.example/v3"),
        ({"DEEPSEEK_API_KEY": SECRET}, "deepseek:deepseek-chat", "https://api.deepseek.com/v1"),
    ],
)
def test_the_seeds_names_of_keys_and_addresses_are_read(names, text, url):
    chosen = endpoint(text, reading(**names))
    assert (chosen.base_url, chosen.secret(), chosen.private, str(chosen)) == (url, SECRET, False, text)
    assert SECRET not in repr(chosen)


@pytest.mark.parametrize("text", ["vllm:Qwen/Qwen3-8B", "ollama:qwen3:8b", "local:any"])
def test_local_servers_need_no_key_and_are_private(text):
    chosen = endpoint(text, reading())
    assert chosen.private
    assert chosen.base_url.startswith("http://127.0.0.1:")
    assert str(chosen) == text


def test_a_local_server_elsewhere_is_private_only_by_the_operators_word():
    away = reading(VLLM_BASE_URL="http://gpu.example:8000/v1")
    assert not endpoint("vllm:m", away).private
    assert endpoint("vllm:m", away, private=("vllm",)).private


def test_a_cloud_model_behind_a_local_server_is_not_private():
    assert not endpoint("ollama:gpt-oss:120b-cloud", reading()).private
    assert not endpoint("ollama:Qwen3:Cloud", reading()).private
    assert not endpoint("ollama:gpt-oss:120b-cloud", reading(), private=("ollama",)).private


def test_a_loopback_address_alone_makes_nothing_private():
    gateway = reading(OPENAI_BASE_URL="http://127.0.0.1:4000/v1")
    assert not endpoint("openai:m", gateway).private


@pytest.mark.parametrize(
    ("bare", "prefix"),
    [
        ("z-ai/glm-4.6", "nvidia"),
        ("nvidia/nemotron-4", "nvidia"),
        ("claude-sonnet-4-5", "anthropic"),
        ("ep-20250101-abcde", "ark"),
        ("Doubao-pro-32k", "ark"),
        ("gemini-2.5-pro", "google_genai"),
        ("qwen-plus", "dashscope"),
        ("deepseek-chat", "deepseek"),
    ],
)
def test_a_bare_name_tells_its_provider(bare, prefix):
    assert (named(bare)[0].prefix, named(bare)[1]) == (prefix, bare)


@pytest.mark.parametrize("text", ["gpt-4", "deep-thought", "spark-1", "benchmark", "openai:", "openai: ", "nope:x", ""])
def test_an_unknown_model_is_answered_with_what_there_is(text):
    with pytest.raises(SettingsError, match="openai:NAME"):
        named(text)


def test_a_missing_key_is_named_by_all_its_names():
    with pytest.raises(CredentialsError, match="DASHSCOPE_API_KEY or DASHSCOPE_KEY or DASHCOPE_KEY is not set"):
        endpoint("dashscope:qwen-plus", reading())


@pytest.mark.parametrize("url", ["ftp://user:never-said@host", "never-said", "http://", "https:///v1"])
def test_a_wrong_address_is_named_and_not_shown(url):
    with pytest.raises(SettingsError, match="ARK_BASE_URL") as refused:
        endpoint("ark:ep-1", reading(ARK_API_KEY=SECRET, ARK_BASE_URL=url))
    assert "never-said" not in str(refused.value)


def test_a_file_is_chosen_by_its_path(tmp_path):
    if find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed")
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    chosen = endpoint(f"gguf:{tmp_path / 'm.gguf'}", reading())
    assert (chosen.private, chosen.where, chosen.provider.at_once) == (True, "this process", 1)
    with pytest.raises(SettingsError, match="no such file"):
        endpoint(f"gguf:{tmp_path / 'n.gguf'}", reading())
    (tmp_path / "text.gguf").write_text("no model", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"text\.gguf' is no GGUF file"):
        endpoint(f"gguf:{tmp_path / 'text.gguf'}", reading())
    for unreadable in (f"gguf:{tmp_path}", "gguf:a\0b", "gguf:~no-such-user/m.gguf"):
        with pytest.raises(SettingsError, match=r"cannot be read|no such file"):
            endpoint(unreadable, reading())


def test_an_unknown_private_provider_is_named():
    with pytest.raises(SettingsError, match="vlm"):
        endpoint("vllm:m", reading(), private=("vlm",))


def test_a_missing_extra_is_one_line_with_the_command(monkeypatch):
    absent = Provider("absent", "kaozheng.nowhere:make", "x", keyless=True, extra="absent", module="no_such_module")
    monkeypatch.setitem(PROVIDERS, "absent", absent)
    with pytest.raises(MissingExtraError) as refused:
        endpoint("absent:x", reading())
    assert str(refused.value) == 'absent is not installed: pip install "kaozheng[absent]"'


def test_choosing_loads_no_vendor():
    script = (
        "import sys\nfrom kaozheng import wiring\n"
        "heavy = {'openai', 'httpx2', 'langchain_anthropic', 'langchain_google_genai', 'langchain_nvidia_ai_endpoints',"
        " 'anthropic', 'google.genai', 'xllamacpp'}\nprint(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("provider", PROVIDERS.values(), ids=lambda one: one.prefix)
def test_no_error_of_choosing_holds_a_key(provider: Provider):
    if provider.module and find_spec(provider.module) is None:
        pytest.skip(f"{provider.module} is not installed")
    names = dict.fromkeys(provider.keys, SECRET) | dict.fromkeys(provider.addresses, f"bad {SECRET}")
    with pytest.raises(KaozhengError) as refused:
        endpoint(f"{provider.prefix}:m", reading(**names))
    assert SECRET not in str(refused.value)


def test_an_endpoint_shows_no_key_and_no_address():
    chosen = endpoint("openai:x", reading(OPENAI_API_KEY=SECRET, OPENAI_BASE_URL=f"https://h.example/v1?k={SECRET}"))
    assert SECRET in chosen.base_url
    assert SECRET not in repr(chosen) + str(chosen) + chosen.where
