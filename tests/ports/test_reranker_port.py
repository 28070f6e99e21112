"""What every reranker promises, and what the one over HTTP does with answers that break the protocol."""

from __future__ import annotations

import asyncio

import pytest
from pydantic import SecretStr

from kaozheng.errors import (
    CredentialsError,
    ModelRefusedError,
    ModelUnavailableError,
    NotPrivateError,
    ShapeError,
    UnknownModelError,
)
from kaozheng.models.retrying import Patience
from kaozheng.providers.clients import operator_client
from kaozheng.providers.models.choosing import endpoint
from kaozheng.providers.pool import PROCESS
from kaozheng.providers.rerankers.choosing import shared_reranker
from kaozheng.providers.rerankers.dialects import COMPATIBLE, NATIVE, PLAIN, dialect_of
from kaozheng.providers.rerankers.http_reranker import HttpReranker
from kaozheng.testing.faults import Fault
from kaozheng.testing.lexical_reranker import LexicalReranker
from kaozheng.testing.server import ScriptedServer

DIALECTS = {"plain": PLAIN, "compatible": COMPATIBLE, "native": NATIVE}
QUERY = "How often is the database backed up?"
TEXTS = [
    "An account is locked after five attempts.",
    "The database is backed up every night, and the backup is kept for thirty days.",
    "",
    "The library lends books.",
]


@pytest.fixture(params=["lexical", *DIALECTS])
async def reranker(request):
    if request.param == "lexical":
        yield LexicalReranker()
    else:
        async with ScriptedServer() as server, operator_client(server.base_url) as client:
            yield HttpReranker("m", server.base_url, "", client, DIALECTS[request.param])


async def test_the_best_come_first_with_their_places(reranker):
    best = await reranker.rerank(QUERY, TEXTS, 2)
    assert len(best) == 2
    assert best[0][0] == 1
    assert best[0][1] >= best[1][1]


async def test_no_more_than_there_are_each_once(reranker):
    best = await reranker.rerank(QUERY, TEXTS, 10)
    assert sorted(place for place, _ in best) == [0, 1, 2, 3]
    scores = [score for _, score in best]
    assert scores == sorted(scores, reverse=True)


async def test_nothing_of_nothing(reranker):
    assert await reranker.rerank(QUERY, [], 5) == []
    assert await reranker.rerank(QUERY, TEXTS, 0) == []


async def test_it_has_a_name(reranker):
    assert reranker.name


@pytest.mark.parametrize(
    ("prefix", "model", "dialect"),
    [
        ("dashscope", "gte-rerank-v2", NATIVE),
        ("dashscope", "qwen3-rerank", COMPATIBLE),
        ("vllm", "BAAI/bge-reranker-v2-m3", PLAIN),
        ("openai", "jina-reranker-v2-base-multilingual", PLAIN),
    ],
)
def test_the_dialect_is_that_of_provider_and_model(prefix, model, dialect):
    assert dialect_of(prefix, model) is dialect


@pytest.mark.parametrize(
    ("dialect", "base_url", "url"),
    [
        (PLAIN, "http://127.0.0.1:8000/v1/", "http://127.0.0.1:8000/v1/rerank"),
        (
            COMPATIBLE,
            "https://dashscope.aliyuncs.com/compatible-mode/v1",
            "https://dashscope.aliyuncs.com/compatible-api/v1/reranks",
        ),
        (
            NATIVE,
            "https://dashscope.aliyuncs.com/compatible-mode/v1",
            "https://dashscope.aliyuncs.com/api/v1/services/rerank/text-rerank/text-rerank",
        ),
    ],
)
def test_the_address_is_made_of_the_operators(dialect, base_url, url):
    assert dialect.url(base_url) == url


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault("wrong_index"), ShapeError),
        (Fault("nan"), ShapeError),
        (Fault("missing"), ShapeError),
        (Fault("status", status=429, retry_after_s=2.0), ModelUnavailableError),
        (Fault("status", status=503), ModelUnavailableError),
        (Fault("status", status=400, text="too many documents"), ModelRefusedError),
        (Fault("no_model"), UnknownModelError),
        (Fault("unauthorized"), CredentialsError),
        (Fault("html"), ModelUnavailableError),
        (Fault("drop"), ModelUnavailableError),
    ],
)
async def test_a_broken_answer_is_an_error_of_ours_and_keeps_the_key(dialect, fault, error):
    async with ScriptedServer(faults=[fault]) as server, operator_client(server.base_url) as client:
        reranker = HttpReranker("m", server.base_url, "sk-very-secret", client, dialect)
        with pytest.raises(error) as caught:
            await reranker.rerank(QUERY, TEXTS, 4)
        assert "very-secret" not in f"{caught.value} {caught.value.__context__} {reranker!r}"
        if fault.retry_after_s:
            assert caught.value.retry_after_s == 2.0
        assert len(await reranker.rerank(QUERY, TEXTS, 4)) == 4


@pytest.mark.parametrize(
    "results",
    [
        None,
        {"0": 1.0},
        ["0"],
        [{"index": True, "relevance_score": 1.0}],
        [{"index": -1, "relevance_score": 1.0}],
        [{"index": 0, "relevance_score": "1"}],
        [{"index": 0, "relevance_score": 1.0}, {"index": 0, "relevance_score": 0.5}],
    ],
)
async def test_results_of_another_shape_are_refused(results):
    import httpx2

    transport = httpx2.MockTransport(lambda request: httpx2.Response(200, json={"results": results}))
    async with httpx2.AsyncClient(transport=transport) as client:
        with pytest.raises(ShapeError):
            await HttpReranker("m", "http://127.0.0.1:9/v1", "", client, PLAIN).rerank("q", ["a"], 1)


async def test_nobody_there_is_told_as_such():
    async with operator_client("http://127.0.0.1:9/v1") as client:
        with pytest.raises(ModelUnavailableError, match=r"127\.0\.0\.1:9"):
            await HttpReranker("m", "http://127.0.0.1:9/v1", "", client, PLAIN).rerank("q", ["a"], 1)


def chosen(server: ScriptedServer, text: str = "local:m", **names: str):
    known = {"LOCAL_BASE_URL": server.base_url, "OPENAI_BASE_URL": server.base_url, **names}
    return endpoint(text, lambda name: SecretStr(known[name]) if name in known else None)


async def test_a_shared_one_asks_again_and_leaves_nothing_open():
    told = []
    async with ScriptedServer(faults=[Fault("status", count=2, status=429)]) as server:
        async with PROCESS.visit() as visit:
            shared = shared_reranker(
                chosen(server), visit, "secret", on_retry=told.append, patience=Patience(base_s=0.0)
            )
            assert len(await shared.rerank(QUERY, TEXTS, 2)) == 2
        assert [entry.status for entry in server.log] == [429, 429, 200]
    assert [one.error for one in told] == ["429", "429"]
    room = PROCESS._rooms.get(asyncio.get_running_loop())
    assert not room or not room._shared


async def test_texts_of_a_secret_run_reach_none_that_is_not_private():
    async with ScriptedServer() as server, PROCESS.visit() as visit:
        shared = shared_reranker(chosen(server, "openai:m"), visit, "secret")
        with pytest.raises(NotPrivateError) as refused:
            await shared.rerank("canary", ["canary"], 1)
        assert "canary" not in str(refused.value)
        assert server.log == []
