"""Sessions and knowledge bases: everyone's own, and nobody else's."""

import dataclasses
import json

import pytest

from kaozheng.documents.span import LineRange, Span
from kaozheng.sessions import Session, Turn
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.index import Entry
from kaozheng.testing.memory_index import MemoryIndex
from kaozheng.testing.memory_sessions import MemorySessions
from kaozheng.testing.scripted_answers import ScriptedAnswers
from kaozheng.workflows.ask.result import AskResult

AT = "2026-11-30T08:00:00+00:00"


async def kept(index, base, name, text):
    chunk = Chunk(chunk_id(name, (), 1, text), name, (), 1, Span(0, len(text)), LineRange(1, 1), text)
    await index.put(Entry(base, name, f"sha-{text}", name), [chunk])


@pytest.fixture
async def index():
    index = MemoryIndex()
    await kept(index, "ann..合同", "secret.md", "安妮的合同金额是 紫电77 万元")
    await kept(index, "bob..合同", "bob.md", "鲍勃的合同没有金额")
    await kept(index, "handbook", "handbook.md", "公共手册写着合同的格式")
    return index


def form(name):
    """A form with a file of this name, as clients send it that escape nothing."""
    head = b'--b\r\nContent-Disposition: form-data; name="files"; filename="' + name
    return head + b'"\r\n\r\nx\r\n--b--\r\n'


def as_bob(tools):
    return {"headers": {"Authorization": f"Bearer {tools.tokens['bob']}"}}


def as_root(tools):
    return {"headers": {"Authorization": f"Bearer {tools.tokens['root']}"}}


async def test_base_of_another_key_is_neither_searched_nor_seen_nor_told_of(tools, index):
    async with tools.visiting(tools.service(index=index)) as client:
        mine = await client.post("/v1/kb/合同/search", json={"query": "合同金额"})
        his = await client.post("/v1/kb/合同/search", json={"query": "紫电77 合同金额"}, **as_bob(tools))
        listed = (await client.get("/v1/kb", **as_bob(tools))).json()["bases"]
        tries = [
            await client.post("/v1/kb/ann..合同/search", json={"query": "金额"}, **as_bob(tools)),
            await client.get("/v1/kb/ann..合同/documents", **as_bob(tools)),
            await client.delete("/v1/kb/ann..合同", **as_bob(tools)),
            await client.delete("/v1/kb/ann..合同/documents/secret.md", **as_bob(tools)),
            await client.post("/v1/kb/ann..合同/documents", files={"files": ("a.md", b"x")}, **as_bob(tools)),
            await client.post("/v1/ask", json={"question": "金额？", "bases": ["ann..合同"]}, **as_bob(tools)),
            await client.post("/v1/ask", json={"question": "金额？", "bases": ["handbook"]}, **as_bob(tools)),
        ]
    assert [hit["document"] for hit in mine.json()["hits"]] == ["secret.md"]
    assert [hit["base"] for hit in mine.json()["hits"]] == ["合同"]
    assert "紫电77" not in his.text
    assert [(one["name"], one["shared"]) for one in listed] == [("合同", False)]
    assert all(one.status_code in (400, 404) for one in tries), [one.status_code for one in tries]
    assert all("secret" not in one.text for one in tries)
    assert [entry.name for entry in await index.entries("ann..合同")] == ["secret.md"]


async def test_question_goes_to_the_bases_of_its_key_and_the_shared_ones_only(tools, index):
    answers = ScriptedAnswers(lambda request: ["甲"])
    async with tools.visiting(tools.service(answers, index=index, shared=("handbook", "gone"))) as client:
        for body in ({}, {"bases": ["合同"]}, {"bases": ["handbook"]}):
            await client.post("/v1/ask", json={"question": "金额？", "stream": False, **body})
        await client.post("/v1/ask", json={"question": "金额？", "stream": False}, **as_root(tools))
    assert [request.bases for request in answers.requests] == [
        ("ann..合同", "handbook"),
        ("ann..合同",),
        ("handbook",),
        ("handbook",),
    ]
    assert [request.within.bases for request in answers.requests] == [request.bases for request in answers.requests]
    assert [request.owner for request in answers.requests] == ["ann", "ann", "ann", "root"]


async def test_shared_base_can_be_searched_but_not_changed(tools, index):
    behind = tools.service(index=index, shared=("handbook",))
    async with tools.visiting(behind) as client:
        found = await client.post("/v1/kb/handbook/search", json={"query": "手册"})
        assert (await client.delete("/v1/kb/handbook")).status_code == 404
        assert (await client.delete("/v1/kb/handbook/documents/handbook.md")).status_code == 404
        await client.post("/v1/kb/handbook/documents", files={"files": ("a.md", b"x")})
    assert found.json()["hits"][0]["document"] == "handbook.md"
    assert [base for base, *_ in behind.library.added] == ["ann..handbook"]  # a base of her own of this name
    assert await index.entry("handbook", "handbook.md")


async def test_admin_works_on_the_bases_of_the_command_line(tools, index):
    behind = tools.service(index=index)
    async with tools.visiting(behind, who="root") as client:
        assert [one["name"] for one in (await client.get("/v1/kb")).json()["bases"]] == ["handbook"]
        await client.post("/v1/kb/handbook/documents", files={"files": ("a.md", b"x")})
        assert (await client.delete("/v1/kb/handbook/documents/handbook.md")).json() == {"deleted": True}
    assert [base for base, *_ in behind.library.added] == ["handbook"]


async def test_citations_name_bases_as_their_owner_knows_them(tools, index):
    cited = {"label": "E1", "base": "ann..合同", "document": "secret.md", "quote": "base: ann..合同"}
    result = AskResult("answered", "", citations=[cited])
    behind = tools.service(ScriptedAnswers(lambda request: ["甲 [E1]"], result=result), index=index)
    async with tools.visiting(behind) as client:
        whole = (await client.post("/v1/ask", json={"question": "金额？", "stream": False})).json()
        async with client.stream("POST", "/v1/ask", json={"question": "金额？"}) as response:
            ready = [data for _, kind, data in await tools.events_of(response) if kind == "ready"]
    for given in (whole, ready[0]["result"]):
        assert given["citations"][0] == {**cited, "base": "合同"}


async def test_files_are_handed_on_with_their_own_names_only(tools):
    behind = tools.service()
    files = [
        ("files", ("../../etc/passwd", b"root")),
        ("files", ("C:\\temp\\报告.pdf", b"%PDF")),
    ]
    async with tools.visiting(behind) as client:
        response = await client.post("/v1/kb/notes/documents", files=files, data={"level": "县级"})
    assert response.status_code == 200
    ((base, uploads, urls, labels),) = behind.library.added
    assert (base, urls, labels) == ("ann..notes", [], {"level": "县级"})
    assert [name for name, _ in uploads] == ["passwd", "报告.pdf"]
    assert response.json()["base"] == "notes"


@pytest.mark.parametrize(
    "sent",
    [
        {"files": {"files": ("..", b"x")}},
        {"files": {"files": ("x" * 201, b"x")}},
        {"content": form(b"a\x00b.md"), "headers": {"Content-Type": "multipart/form-data; boundary=b"}},
        {"content": form(b"in\x1bj.md"), "headers": {"Content-Type": "multipart/form-data; boundary=b"}},
        {"files": {"files": ("inj\u202e.md", b"x")}},
        {"files": {"files": (" a.md", b"x")}},
        {"files": [("files", (f"{place}.md", b"x")) for place in range(4)]},
        {"files": {"other": (None, "x")}},
        {"files": {"files": ("a.md", b"x")}, "data": {"colour": "red"}},
        {"json": {}},
        {"json": {"url": "https://a.example", "labels": {"colour": "red"}}},
        {"json": {"url": ["a"]}},
        {"json": {"url": "/etc/passwd"}},
        {"json": {"urls": ["https://a.example", "file:///etc/passwd"]}},
        {"json": {"urls": ["../secret"]}},
        {"content": b"\xff", "headers": {"Content-Type": "application/json"}},
        {"content": b"x", "headers": {"Content-Type": "multipart/form-data"}},
    ],
)
async def test_uploads_that_make_no_sense_are_refused(tools, sent):
    behind = tools.service(limits={"uploads": 3})
    async with tools.visiting(behind) as client:
        response = await client.post("/v1/kb/notes/documents", **sent)
    assert response.status_code == 400, response.text
    assert response.json()["error"]["message"]
    assert not behind.library.added


@pytest.mark.parametrize("url", ["user:pass77@a.example", "ftp://user:pass77@a.example"])
async def test_address_that_is_refused_is_not_repeated(tools, url):
    async with tools.visiting(tools.service()) as client:
        response = await client.post("/v1/kb/notes/documents", json={"url": url})
    assert response.status_code == 400
    assert "pass77" not in response.text


@pytest.mark.parametrize("values", [["\ud800"], ["x" * 201], ["x"] * 65])
async def test_labels_that_no_document_can_have_are_refused(tools, index, values):
    tries = {"/v1/kb/合同/search": {"query": "金额"}, "/v1/ask": {"question": "金额？"}}
    head = {"Content-Type": "application/json"}
    async with tools.visiting(tools.service(index=index)) as client:
        seen = [
            await client.post(path, content=json.dumps({**body, "within": {"level": values}}), headers=head)
            for path, body in tries.items()
        ]
    assert [one.status_code for one in seen] == [400, 400]


async def test_upload_of_which_nothing_could_be_read_is_422_with_the_reasons(tools):
    behind = tools.service()

    async def failing(base, uploads, urls, labels):
        failed = [{"name": name, "status": "failed", "reason": "it is damaged"} for name, _ in uploads]
        return {"base": base, "documents": [*failed, {"name": "ok.md", "status": "added"}][: len(uploads)]}

    behind.library.add = failing
    async with tools.visiting(behind) as client:
        response = await client.post("/v1/kb/notes/documents", files={"files": ("a.docx", b"x")})
    assert response.status_code == 422
    assert response.json()["error"]["code"] == "nothing_added"
    assert response.json()["error"]["message"] == "a.docx: it is damaged"
    assert response.json()["documents"][0]["status"] == "failed"


async def test_upload_may_be_larger_than_other_bodies_and_no_larger_than_that(tools):
    behind = tools.service(limits={"body_bytes": 1000, "upload_bytes": 10_000})
    async with tools.visiting(behind) as client:
        small = await client.post("/v1/kb/notes/documents", files={"files": ("a.md", b"x" * 5000)})
        large = await client.post("/v1/kb/notes/documents", files={"files": ("a.md", b"x" * 12_000)})
    assert (small.status_code, large.status_code) == (200, 413)
    assert len(behind.library.added) == 1


async def test_pages_are_handed_on(tools):
    behind = tools.service()
    async with tools.visiting(behind) as client:
        await client.post("/v1/kb/notes/documents", json={"url": "https://a.example/x", "labels": {"level": "县级"}})
    assert behind.library.added == [("ann..notes", [], ["https://a.example/x"], {"level": "县级"})]


@pytest.mark.parametrize("name", ["", "%20", ".", "%2E%2E", "%2F"])
async def test_what_names_no_document_deletes_none(tools, index, name):
    async with tools.visiting(tools.service(index=index)) as client:
        refused = await client.delete(f"/v1/kb/合同/documents/{name}")
        left = (await client.get("/v1/kb/合同/documents")).json()["documents"]
    assert refused.status_code in (400, 404, 405)
    assert [one["name"] for one in left] == ["secret.md"]


async def test_document_and_base_are_deleted_once(tools, index):
    await kept(index, "ann..合同", "https://a.example/x/y.md", "网页")
    async with tools.visiting(tools.service(index=index)) as client:
        assert (await client.delete("/v1/kb/合同/documents/https://a.example/x/y.md")).json() == {"deleted": True}
        assert (await client.delete("/v1/kb/合同/documents/https://a.example/x/y.md")).status_code == 404
        names = [one["name"] for one in (await client.get("/v1/kb/合同/documents")).json()["documents"]]
        assert names == ["secret.md"]
        assert (await client.delete("/v1/kb/合同")).json() == {"deleted": True}
        assert (await client.delete("/v1/kb/合同")).status_code == 404
    assert [one.name for one in await index.bases()] == ["bob..合同", "handbook"]


@pytest.fixture
async def sessions():
    sessions = MemorySessions()
    for owner in ("ann", "bob"):
        await sessions.create(Session(f"s_{owner}", owner, f"of {owner}", AT, AT))
        for place in (1, 2):
            cited = {"label": "E1", "base": f"{owner}..合同", "quote": f"证据 {place}"}
            turn = Turn(f"问 {place}", f"答 {place} [E1]", (cited,), f"i_{place}", AT)
            await sessions.complete(owner, f"s_{owner}", turn, lambda memory: dataclasses.replace(memory, turns=1))
    return sessions


async def test_each_turn_of_a_session_has_its_own_evidence(tools, sessions):
    async with tools.visiting(tools.service(sessions=sessions)) as client:
        session = (await client.get("/v1/sessions/s_ann")).json()
    assert [turn["citations"][0]["quote"] for turn in session["turns"]] == ["证据 1", "证据 2"]
    assert {turn["citations"][0]["base"] for turn in session["turns"]} == {"合同"}


async def test_sessions_of_another_key_are_not_there(tools, sessions):
    async with tools.visiting(tools.service(sessions=sessions)) as client:
        assert [one["id"] for one in (await client.get("/v1/sessions")).json()["sessions"]] == ["s_ann"]
        assert (await client.get("/v1/sessions/s_bob")).status_code == 404
        assert (await client.delete("/v1/sessions/s_bob")).status_code == 404
        admin = await client.get("/v1/sessions/s_bob", **as_root(tools))
    assert admin.status_code == 404
    assert await sessions.get("bob", "s_bob")


async def test_deleted_session_is_gone(tools, sessions):
    async with tools.visiting(tools.service(sessions=sessions)) as client:
        assert (await client.delete("/v1/sessions/s_ann")).json() == {"deleted": True}
        assert (await client.get("/v1/sessions/s_ann")).status_code == 404
