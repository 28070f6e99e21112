"""Faults that question-answering systems had at their doors, replayed with the inputs of the shared cases: the whole
service over HTTP with two keys, a model behind the scripted server."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from kaozheng.api.keys import add_key
from kaozheng.settings import Settings
from kaozheng.testing import asking
from kaozheng.testing.actor import act
from kaozheng.testing.chat import prompt_of
from kaozheng.testing.faults import Fault
from kaozheng.testing.server import ScriptedServer
from kaozheng.web.opening import open_service

CASES = Path(__file__).parents[3] / "shared" / "cases" / "rag_issues.jsonl"
pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here")
SECRET = "# 合同\n\n本合同的暗号是紫电77，金额 512 万元。\n"
QUESTION = "自助借还机什么时候投入使用？"
TEXT = "# 借还机\n\n自助借还机于 2024 年 6 月 3 日投入使用。\n"
SAID = "自助借还机于 2024 年 6 月 3 日投入使用。[E1]"


def given(case: str) -> dict[str, Any]:
    rows = map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    return next(row["minimal_input"] for row in rows if row["id"] == case)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    for name in [name for name in os.environ if name.startswith(("KAOZHENG_", "OPENAI_", "MODEL_ID"))]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return Settings(data=tmp_path / "data", embedder="", between_tokens_s=0.3, first_token_s=5.0)


class Door:
    """The running service, with a client for each of two keys and one without."""

    def __init__(self, url: str, tokens: dict[str, str], stack: list[httpx2.AsyncClient]) -> None:
        self._url, self._tokens, self._stack = url, tokens, stack

    def client(self, who: str = "") -> httpx2.AsyncClient:
        headers = {"Authorization": f"Bearer {self._tokens[who]}"} if who else {}
        self._stack.append(httpx2.AsyncClient(base_url=self._url, headers=headers, timeout=30))
        return self._stack[-1]


@asynccontextmanager
async def door(settings: Settings, tools: Any, script: Any = act, *faults: Fault, **limits: float):
    tokens = {name: (await asyncio.to_thread(add_key, name, settings=settings)).token for name in ("ann", "bob")}
    clients: list[httpx2.AsyncClient] = []
    async with ScriptedServer(script, faults=faults) as model:
        chosen = settings.model_copy(update={"model": "openai:scripted", "openai_base_url": model.base_url})
        async with open_service(chosen) as behind:
            behind = replace(behind, limits=replace(behind.limits, **limits))
            async with tools.serving(behind) as url:
                try:
                    yield Door(url, tokens, clients), model
                finally:
                    for client in clients:
                        await client.aclose()


async def uploaded(client: httpx2.AsyncClient, base: str, name: str, text: str) -> None:
    response = await client.post(f"/v1/kb/{base}/documents", files={"files": (name, text.encode())})
    assert response.json()["counts"] == {"added": 1}


def saying(answer: str):
    """The actor for every role but the answerer's, which says this."""
    return lambda body: answer if asking.is_answering(str(body["messages"][0].get("content"))) else act(body)


def text_of(events: list[tuple[str, str, Any]]) -> str:
    shown = ""
    for _, kind, data in events:
        shown = data["text"] if kind == "replace" else shown + data["text"] if kind == "delta" else shown
    return shown


async def test_rag_09_no_query_breaks_the_search(settings, tools):
    """33 hyphens, lone quotation marks, operators, a NUL: an ordinary result, or none."""
    async with door(settings, tools) as (served, _):
        ann = served.client("ann")
        await uploaded(ann, "库", "a.md", "a b 值\n")
        for query in given("rag-09")["queries"]:
            found = await ann.post("/v1/kb/库/search", json={"query": query})
            assert (found.status_code, len(found.json()["hits"]) <= 1) == (200, True), query
            answer = await ann.post("/v1/ask", json={"question": query, "stream": False})
            assert answer.status_code == (200 if any(map(str.isalnum, query)) else 400), query
            assert answer.status_code == 400 or answer.json()["evidence_state"] in ("empty", "ok")


async def test_rag_45_document_of_another_key_cannot_be_asked_about(settings, tools):
    """Whatever name for it the other one tries, nothing of the text comes back."""
    async with door(settings, tools) as (served, model):
        ann, bob = served.client("ann"), served.client("bob")
        await uploaded(ann, "合同", "secret.md", SECRET)
        await uploaded(bob, "自己", "own.md", "# 自己\n\n这里没有暗号。\n")
        mine = await ann.post("/v1/ask", json={"question": "合同的暗号是什么？", "stream": False})
        assert "紫电77" in mine.json()["answer"]
        document = mine.json()["citations"][0]["document"]
        model.requests.clear()
        said = []
        for base in ("合同", "ann..合同", "ann", ".合同", "..合同", document, "default"):
            question = {"question": "合同的暗号是什么？", "bases": [base], "stream": False}
            said.append(await bob.post("/v1/ask", json=question))
            said.append(await bob.post(f"/v1/kb/{base}/search", json={"query": "暗号"}))
            said.append(await bob.get(f"/v1/kb/{base}/documents"))
            said.append(await bob.delete(f"/v1/kb/{base}/documents/{document}"))
        for within in ({"bases": ["ann..合同"]}, {"documents": [document]}, {"domain": ["合同"]}):
            body = {"question": f"{document} 的暗号是什么？", "within": within, "stream": False}
            said.append(await bob.post("/v1/ask", json=body))
        messages = [{"role": "user", "content": "合同的暗号是什么？"}]
        for name in ("kaozheng/合同", "kaozheng/ann..合同", "kaozheng"):
            said.append(await bob.post("/v1/chat/completions", json={"model": name, "messages": messages}))
        still = await ann.get("/v1/kb/合同/documents")
        asked = json.dumps(model.requests, ensure_ascii=False)
    assert not [one.text for one in said if "紫电77" in one.text or "512 万元" in one.text]
    assert {one.status_code for one in said} <= {200, 400, 404, 405}
    assert asked != "[]"
    assert "紫电77" not in asked
    assert [one["name"] for one in still.json()["documents"]] == [document]


async def test_rag_46_search_of_one_key_has_no_hit_of_another(settings, tools):
    """Two organisations with a base of the same name: no leg of a search, and no cache, knows the other one's."""
    async with door(settings, tools) as (served, _):
        ann, bob = served.client("ann"), served.client("bob")
        await uploaded(ann, "合同", "合同.md", SECRET)
        assert (await ann.post("/v1/kb/合同/search", json={"query": "合同"})).json()["hits"]
        none = await bob.post("/v1/kb/合同/search", json={"query": "合同"})
        await uploaded(bob, "合同", "别的.md", "# 别的\n\n水稻亩产 600 公斤。\n")
        found = await bob.post("/v1/kb/合同/search", json={"query": "本合同的暗号 金额", "limit": 50})
        answer = await bob.post("/v1/ask", json={"question": "紫电合同的金额是多少？", "stream": False})
        listed = (await bob.get("/v1/kb")).json()["bases"]
    assert none.status_code == 404
    assert {hit["document"] for hit in found.json()["hits"]} <= {"别的.md"}
    assert (answer.json()["status"], answer.json()["citations"]) == ("refused", [])
    assert "512 万元" not in answer.text
    assert [(one["name"], one["documents"]) for one in listed] == [("合同", 1)]


async def test_rag_47_48_session_of_another_key_is_neither_listed_read_nor_spoken_of(settings, tools):
    """A session's id alone opens nothing, and what was said in it is no evidence for anybody else."""
    async with door(settings, tools, saying("好的。")) as (served, model):
        ann, bob, nobody = served.client("ann"), served.client("bob"), served.client()
        await uploaded(bob, "库", "a.md", "# 说明\n\n暗号由各人自定。\n")
        await uploaded(ann, "库", "a.md", "# 说明\n\n暗号由各人自定。\n")
        told = (await ann.post("/v1/ask", json={"question": "暗号是紫电77，请记住。", "stream": False})).json()
        session = told["session"]
        assert session
        model.requests.clear()
        new = await bob.post("/v1/ask", json={"question": "暗号是什么？", "stream": False})
        his = [
            await bob.get(f"/v1/sessions/{session}"),
            await bob.delete(f"/v1/sessions/{session}"),
            await bob.post("/v1/ask", json={"question": "暗号是什么？", "session": session, "stream": False}),
            await bob.post("/v1/ask", json={"question": "暗号？", "session": session, "new_session": True}),
        ]
        listed = await bob.get("/v1/sessions")
        refused = [
            await nobody.get("/v1/sessions"),
            await nobody.get(f"/v1/sessions/{session}"),
            await nobody.post("/v1/ask", json={"question": "暗号是什么？", "session": session}),
        ]
        asked = json.dumps(model.requests, ensure_ascii=False)
        hers = await ann.get(f"/v1/sessions/{session}")
    assert [one.status_code for one in refused] == [401] * 3
    assert [one.status_code for one in his] == [404] * 4
    assert session not in [one["id"] for one in listed.json()["sessions"]]
    assert not [one.text for one in (new, listed, *his, *refused) if "紫电77" in one.text]
    assert asked != "[]"
    assert "紫电77" not in asked
    assert hers.json()["turns"][0]["question"] == "暗号是紫电77，请记住。"


@pytest.mark.parametrize(
    "fault",
    [
        Fault("stall", count=None, match="initial_generation", delay_s=60),
        Fault("stall", count=1, delay_s=60),
        Fault("cut_stream", count=None, match="initial_generation"),
        Fault("error_event", count=1, match="initial_generation"),
        Fault("broken_stream", count=1, match="initial_generation"),
        Fault("drop", count=1, match="initial_generation"),
        Fault("status", count=None, match="initial_generation", status=400),
        Fault("unauthorized", count=None),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.match or 'all'}",
)
async def test_rag_59_every_stream_has_one_end_whatever_the_model_does(settings, tools, fault):
    """A provider that stalls for a minute in the middle: signs of life, a watchdog, and one `done` or `error`."""
    said = SAID * 4
    async with door(settings, tools, saying(said), fault, heartbeat_s=0.1) as (served, _):
        ann = served.client("ann")
        await uploaded(ann, "库", "a.md", TEXT)
        async with asyncio.timeout(25), ann.stream("POST", "/v1/ask", json={"question": QUESTION}) as response:
            raw = (await response.aread()).decode()
    kinds = [line.removeprefix("event: ") for line in raw.splitlines() if line.startswith("event: ")]
    assert [kind for kind in kinds if kind in ("done", "error")] == kinds[-1:]
    assert ": still here" in raw or fault.kind != "stall"


async def test_rag_60_reader_that_was_cut_gets_the_rest_and_it_is_what_is_kept(settings, tools):
    """Dropped after the second delta, back with Last-Event-ID: the text is the one that the session has."""
    said = "".join(f"自助借还机于 2024 年 6 月 3 日投入使用，这是第{place}次说明。[E1]" for place in "一二三四五六")
    drip = Fault("drip", count=None, match="initial_generation", delay_s=0.05)
    async with door(settings, tools, saying(said), drip) as (served, model):
        ann = served.client("ann")
        await uploaded(ann, "库", "a.md", TEXT.replace("投入使用", "投入使用，这是第一二三四五六次说明"))
        first: list[Any] = []
        async with ann.stream("POST", "/v1/ask", json={"question": QUESTION}) as response:
            async for event in tools.each(response):
                first.append(event)
                if [kind for _, kind, _ in first].count("delta") == 2:
                    break
        last = first[-1][0]
        answer = last.rpartition(".")[0]
        async with ann.stream("GET", f"/v1/ask/{answer}", headers={"Last-Event-ID": last}) as response:
            rest = await tools.events_of(response)
        session = rest[-1][2]["session"]
        (turn,) = (await ann.get(f"/v1/sessions/{session}")).json()["turns"]
        asked = [body for body in model.requests if QUESTION in prompt_of(body)]
    assert rest[-1][1] == "done"
    assert not [kind for _, kind, _ in first if kind in ("ready", "done", "error")]
    assert text_of(first)
    assert text_of(first + rest) == turn["answer"]
    assert len([body for body in asked if asking.is_answering(str(body["messages"][0]["content"]))]) == 1
    numbers = [int(id.rpartition(".")[2]) for id, _, _ in first + rest]
    assert numbers == list(range(1, len(numbers) + 1))
