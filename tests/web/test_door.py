"""Who comes in: keys, hosts, pages of others, limits; and what every response says."""

import asyncio
import contextlib

import httpx2
import pytest

from kaozheng.testing.memory_keys import MemoryKeys
from kaozheng.testing.scripted_answers import ScriptedAnswers

ALL = (
    ("GET", "/v1/models"), ("POST", "/v1/ask"), ("GET", "/v1/ask/a_1"), ("GET", "/v1/sessions"),
    ("GET", "/v1/sessions/s_1"), ("DELETE", "/v1/sessions/s_1"), ("GET", "/v1/kb"), ("DELETE", "/v1/kb/notes"),
    ("POST", "/v1/kb/notes/documents"), ("GET", "/v1/kb/notes/documents"), ("DELETE", "/v1/kb/notes/documents/a.md"),
    ("POST", "/v1/kb/notes/search"), ("POST", "/v1/chat/completions"),
)  # fmt: skip
BODIES = {
    "/v1/ask": {"question": "何？"},
    "/v1/kb/notes/search": {"query": "x"},
    "/v1/chat/completions": {"messages": [{"role": "user", "content": "何？"}]},
}


def request(client, method, path, **more):
    return client.request(method, path, json=BODIES.get(path, {}) if method == "POST" else None, **more)


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer kz_wrong", "Basic YTpi", "kz_token-of-ann"])
async def test_nothing_but_health_and_description_is_had_without_a_key(tools, given):
    answers = ScriptedAnswers(lambda request: ["甲"])
    async with tools.visiting(tools.service(answers), who="") as client:
        headers = {"Authorization": given} if given else {}
        for method, path in ALL:
            response = await request(client, method, path, headers=headers)
            assert (response.status_code, response.json()["error"]["code"]) == (401, "invalid_api_key"), path
            assert "kz_" not in response.text
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        described = (await client.get("/openapi.json")).json()
    # Every resource is in the list above: a new one cannot forget its key.
    there = {(method.upper(), path) for path, ways in described["paths"].items() for method in ways} - {
        ("GET", "/healthz")
    }
    assert len(there) == len(ALL) + 1  # one model by name is a second way to the models
    assert not answers.requests


async def test_removed_key_is_refused_at_once(tools):
    behind = tools.service()
    async with tools.visiting(behind) as client:
        assert (await client.get("/v1/kb")).status_code == 200
        await behind.keys.remove("ann")
        assert (await client.get("/v1/kb")).status_code == 401


async def test_keyless_service_answers_the_operator_until_there_is_a_key(tools):
    answers = ScriptedAnswers(lambda request: ["甲"])
    behind = tools.service(answers, keys=MemoryKeys(), keyless=True)
    async with tools.visiting(behind, who="") as client:
        assert (await request(client, "POST", "/v1/ask")).status_code == 200
        for key in await tools.service().keys.list():
            await behind.keys.add(key)
        assert (await client.get("/v1/kb")).status_code == 401
    assert answers.requests[0].owner == ""


async def test_keyless_service_says_once_that_it_is_open_again(tools, caplog):
    keys = MemoryKeys()
    async with tools.visiting(tools.service(keys=keys, keyless=True), who="") as client:
        await client.get("/v1/kb")
        assert "open to this machine" not in caplog.text
        for key in await tools.service().keys.list():
            await keys.add(key)
        assert (await client.get("/v1/kb")).status_code == 401
        for key in await keys.list():
            await keys.remove(key.name)
        assert [(await client.get("/v1/kb")).status_code for _ in range(2)] == [200, 200]
    assert caplog.text.count("open to this machine") == 1


async def test_service_with_keys_stays_shut_when_the_last_key_goes(tools):
    async with tools.visiting(tools.service(keys=MemoryKeys()), who="") as client:
        assert (await client.get("/v1/kb")).status_code == 401


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "10.0.0.1", "["]
)
async def test_keyless_service_answers_to_names_of_this_machine_only(tools, host):
    behind = tools.service(keys=MemoryKeys(), keyless=True)
    async with tools.visiting(behind, who="") as client:
        assert (await client.get("/v1/kb", headers={"Host": host})).status_code == 403
        assert (await client.get("/v1/kb", headers={"Host": "localhost:8321"})).status_code == 200


async def test_page_of_somebody_else_cannot_use_a_keyless_service(tools):
    behind = tools.service(keys=MemoryKeys(), keyless=True)
    async with tools.visiting(behind, who="") as client:
        for origin in ("https://evil.example", "null"):
            files = {"files": ("a.md", b"# a")}
            response = await client.post("/v1/kb/notes/documents", files=files, headers={"Origin": origin})
            assert (response.status_code, response.json()["error"]["code"]) == (403, "wrong_origin")
    assert not behind.library.added


async def test_no_page_may_call_unless_it_is_named(tools):
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    async with tools.visiting(tools.service()) as client:
        assert "access-control-allow-origin" not in (await client.options("/v1/ask", headers=asked)).headers
    async with tools.visiting(tools.service(origins=("https://app.example",))) as client:
        allowed = await client.options("/v1/ask", headers=asked)
        other = await client.options("/v1/ask", headers={**asked, "Origin": "https://other.example"})
    assert allowed.headers["access-control-allow-origin"] == "https://app.example"
    assert "access-control-allow-origin" not in other.headers


async def test_requests_a_minute_are_counted_for_each_key(tools):
    async with tools.visiting(tools.service(limits={"per_minute": 3})) as client:
        statuses = [(await client.get("/v1/kb")).status_code for _ in range(4)]
        refused = await client.get("/v1/kb")
        other = await client.get("/v1/kb", headers={"Authorization": f"Bearer {tools.tokens['bob']}"})
    assert statuses == [200, 200, 200, 429]
    assert 1 <= int(refused.headers["retry-after"]) <= 20
    assert refused.json()["error"]["code"] == "too_many_requests"
    assert other.status_code == 200


async def test_answers_at_once_are_counted_for_each_key_and_for_all(tools):
    answers = ScriptedAnswers(lambda request: ["甲"] * 100, pause_s=0.05)
    limits = {"each": 2, "at_once": 2, "waiting": 1}
    async with tools.serving(tools.service(answers, limits=limits)) as url, httpx2.AsyncClient(base_url=url) as client:

        def asked(who):
            headers = {"Authorization": f"Bearer {tools.tokens[who]}"}
            return asyncio.create_task(client.post("/v1/ask", json={"question": "何？"}, headers=headers))

        waiting = [asked("ann"), asked("ann"), asked("bob")]
        while len(answers.requests) < 2:  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        own, full = await asked("ann"), await asked("root")
        begun = len(answers.requests)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    assert (own.status_code, full.status_code) == (429, 503)
    assert own.headers["retry-after"]
    assert full.headers["retry-after"]
    assert begun == 2  # the third waited for its turn


@pytest.mark.parametrize("declared", [True, False])
async def test_large_bodies_are_refused_whatever_their_head_says(tools, declared):
    body = b'{"question": "' + b"x" * 3000 + b'"}'

    async def pieces():
        yield body

    answers = ScriptedAnswers(lambda request: ["甲"])
    async with tools.visiting(tools.service(answers, limits={"body_bytes": 2000})) as client:
        headers = {"Content-Type": "application/json"}
        response = await client.post("/v1/ask", content=body if declared else pieces(), headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (413, "too_large")
    assert not answers.requests


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/v1/ask", b"{", 400),
        ("POST", "/v1/ask", b"[]", 400),
        ("POST", "/v1/ask", b'{"question": {"<script>": 1}}', 400),
        ("POST", "/v1/ask", b'{"question": "a", "bases": "x"}', 400),
        ("POST", "/v1/ask", b"\xff\xfe", 400),
        ("GET", "/nothing/<script>alert(1)</script>", None, 404),
        ("PUT", "/v1/ask", None, 405),
        ("POST", "/v1/chat/completions", b'{"messages": []}', 400),
        ("POST", "/v1/chat/completions", b'{"messages": [{"role": "assistant", "content": "x"}]}', 400),
        ("GET", "/v1/sessions?limit=0", None, 400),
        ("GET", "/v1/sessions?limit=x", None, 400),
    ],
)
async def test_every_refusal_is_json_that_repeats_nothing(tools, method, path, body, status):
    async with tools.visiting(tools.service()) as client:
        headers = {"Content-Type": "application/json"} if body else {}
        response = await client.request(method, path, content=body, headers=headers)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/json"
    assert set(response.json()["error"]) == {"message", "type", "param", "code"}
    assert "<script>" not in response.text


async def test_every_response_has_its_id_and_is_neither_kept_nor_guessed_at(tools):
    async with tools.visiting(tools.service()) as client:
        seen = [await client.get("/healthz"), await client.get("/nothing"), await client.get("/v1/kb")]
    assert len({one.headers["x-request-id"] for one in seen}) == 3
    for one in seen:
        assert one.headers["x-content-type-options"] == "nosniff"
        assert one.headers["cache-control"] == "no-store"
        assert "default-src 'none'" in one.headers["content-security-policy"]
        assert "server" not in one.headers


async def test_pages_that_load_scripts_from_elsewhere_are_not_served(tools):
    async with tools.visiting(tools.service()) as client:
        assert [(await client.get(path)).status_code for path in ("/docs", "/redoc")] == [404, 404]


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        (b"POST /v1/ask HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer KEY\r\nContent-Length: 50\r\n\r\n{", b"408"),
        (b"POST /v1/ask HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{", b"4"),
        (b"GET /healthz HTTP/1.1\r\nHost: ", b""),
        (b"", b""),
    ],
)
async def test_head_or_body_that_never_ends_is_cut_off(tools, sent, says):
    behind = tools.service(limits={"head_s": 0.3, "body_s": 0.3})
    async with tools.serving(behind) as url:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
        writer.write(sent.replace(b"KEY", tools.tokens["ann"].encode()))

        async def trickle():
            while True:
                await asyncio.sleep(0.05)
                writer.write(b"a")

        slowly = asyncio.create_task(trickle())
        with contextlib.suppress(ConnectionError):
            async with asyncio.timeout(5):
                answer = await reader.read()
                assert says in answer.partition(b"\r\n")[0]
        slowly.cancel()
        writer.close()


async def test_body_that_gets_on_may_take_longer(tools):
    behind = tools.service(limits={"body_s": 0.4})

    async def body():
        for _ in range(12):
            await asyncio.sleep(0.05)
            yield b" " * 20_000
        yield b'{"question": "x"}'

    async with tools.visiting(behind) as client:
        head = {"Content-Type": "application/json"}
        response = await client.post("/v1/ask", content=body(), headers=head)
    assert response.status_code == 200, response.text
