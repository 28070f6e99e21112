from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import Request, urlopen

import httpx2
import pytest

from kaozheng.testing.chat import Reply, embed
from kaozheng.testing.faults import Fault, FaultPlan
from kaozheng.testing.replies import default_reply, prose, scripted
from kaozheng.testing.server import ScriptedServer

ASK = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


async def post(server: ScriptedServer, path: str = "/chat/completions", **body) -> httpx2.Response:
    async with httpx2.AsyncClient(trust_env=False, timeout=5) as client:
        return await client.post(server.base_url + path, json=body, headers={"Authorization": "Bearer k"})


async def test_a_plain_answer_has_text_finish_and_usage():
    async with ScriptedServer(lambda _: Reply("答", reasoning="想")) as server:
        answer = (await post(server, **ASK)).json()
    assert answer["choices"][0]["message"] == {"role": "assistant", "content": "答", "reasoning_content": "想"}
    assert answer["choices"][0]["finish_reason"] == "stop"
    assert answer["usage"]["total_tokens"] > 0


async def test_a_streamed_answer_ends_with_finish_usage_and_done():
    async with ScriptedServer(lambda _: "长" * 60) as server:
        reply = await post(server, **ASK, stream=True, stream_options={"include_usage": True})
    events = [line.removeprefix("data: ") for line in reply.text.splitlines() if line]
    assert events[-1] == "[DONE]"
    chunks = [json.loads(one) for one in events[:-1]]
    assert "".join(c["choices"][0]["delta"].get("content", "") for c in chunks if c["choices"]) == "长" * 60
    assert chunks[-2]["choices"][0]["finish_reason"] == "stop"
    assert chunks[-1]["usage"]["completion_tokens"] > 0


async def test_the_default_answer_fills_the_asked_schema_the_same_each_time():
    schema = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 7}}, "required": ["n"]}
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    async with ScriptedServer() as server:
        texts = [(await post(server, **ASK, response_format=form)).json() for _ in range(2)]
    filled = [json.loads(one["choices"][0]["message"]["content"]) for one in texts]
    assert filled[0] == filled[1]
    assert filled[0]["n"] >= 7


def test_prose_keeps_each_evidence_with_its_label():
    assert prose("写一节。\n[E1] 甲。\n- [E2] 乙\n[E12]：丙") == "甲。[E1]\n\n乙[E2]\n\n丙[E12]"
    assert prose("# 总体要求\n请写") == "本段说明：总体要求。"
    assert prose("") == "This part is about: ."


async def test_embeddings_are_unit_vectors_in_both_encodings_and_near_for_near_texts():
    import base64
    import struct

    async with ScriptedServer() as server:
        plain = (await post(server, "/embeddings", model="e", input=["考证方法", "x"], dimensions=32)).json()
        packed = (
            await post(server, "/embeddings", model="e", input="考证方法", dimensions=32, encoding_format="base64")
        ).json()
    vector = plain["data"][0]["embedding"]
    assert len(vector) == 32
    assert sum(part * part for part in vector) == pytest.approx(1)
    assert struct.unpack("<32f", base64.b64decode(packed["data"][0]["embedding"])) == pytest.approx(vector, abs=1e-6)

    def near(one: str, other: str) -> float:
        return sum(a * b for a, b in zip(embed(one), embed(other), strict=True))

    assert near("考证方法很好", "考证方法好") > near("考证方法很好", "unrelated words")


async def test_models_are_listed_and_unknown_paths_and_names_are_404():
    async with ScriptedServer(models=["m"]) as server, httpx2.AsyncClient(trust_env=False) as client:
        listed = (await client.get(server.base_url + "/models")).json()
        assert [one["id"] for one in listed["data"]] == ["m"]
        assert (await client.get(server.base_url + "/nothing")).status_code == 404
        unknown = await post(server, **{**ASK, "model": "other"})
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (404, "model_not_found")


async def test_another_key_is_refused():
    async with ScriptedServer(key="right") as server:
        assert (await post(server, **ASK)).status_code == 401


def test_faults_hit_by_count_after_a_skip_and_by_pattern():
    plan = FaultPlan([Fault("empty", count=2, skip=1), Fault("length", count=None, match="^section/")])
    hits = [(fault.kind if (fault := plan.hit(purpose, "prompt")) else "") for purpose in "abcd"]
    assert hits == ["", "empty", "empty", ""]
    assert [plan.hit("section/1", "").kind, plan.hit("section/2", "").kind] == ["length", "length"]
    assert plan.hit("x", "says section/ inside") is None


def test_an_unknown_fault_is_said_at_once():
    with pytest.raises(ValueError, match="no such fault"):
        Fault("explode")


async def test_every_request_is_logged_once_with_what_it_got(tmp_path: Path):
    log = tmp_path / "calls.jsonl"
    faults = [Fault("status", status=429, retry_after_s=2)]
    async with ScriptedServer(faults=faults, log_file=log) as server:
        first = await post(server, **ASK, user="section/1")
        await post(server, **ASK, user="section/1")
    assert (first.status_code, first.headers["retry-after"]) == (429, "2")
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [(line["status"], line["purpose"], line["received"]) for line in lines] == [
        (429, "section/1", True),
        (200, "section/1", True),
    ]
    assert lines[0]["sha256"] == lines[1]["sha256"]
    assert "Bearer" not in log.read_text("utf-8")


async def test_a_client_that_hangs_up_is_logged_as_not_answered():
    async with ScriptedServer(delay_s=0.05) as server:
        impatient = httpx2.Timeout(5, read=0.01)
        async with httpx2.AsyncClient(trust_env=False, timeout=impatient) as client:
            with pytest.raises(httpx2.ReadTimeout):
                await client.post(server.base_url + "/chat/completions", json=ASK)
        for _ in range(400):
            if server.log:
                break
            await asyncio.sleep(0.005)
        assert [entry.received for entry in server.log] == [False]


async def test_calls_are_answered_side_by_side():
    under_way: list[int] = []

    def answer(_: object) -> str:
        under_way.append(len(server.requests))
        return "ok"

    async with ScriptedServer(answer, delay_s=0.1) as server, httpx2.AsyncClient(trust_env=False, timeout=5) as client:
        await asyncio.gather(*(client.post(server.base_url + "/chat/completions", json=ASK) for _ in range(20)))
    assert under_way[0] > 1  # one after the other the first would be answered before the second has come


async def test_a_wrong_answerer_fails_the_test():
    server = ScriptedServer(lambda _: str(1 / 0))
    await server.start()
    with pytest.raises(httpx2.RemoteProtocolError):
        await post(server, **ASK)
    with pytest.raises(ZeroDivisionError):
        await server.stop()


async def test_what_is_no_http_is_hung_up_on():
    async with ScriptedServer() as server:
        host, port = server.base_url.split("/")[2].split(":")
        for noise in (b"\x16\x03\x01 hello\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"x" * 100_000):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(noise)
            writer.write_eof()
            await reader.read()
            writer.close()
        assert (await post(server, **ASK)).status_code == 200


def test_a_script_file_answers_by_pattern(tmp_path: Path):
    path = tmp_path / "script.json"
    path.write_text(
        json.dumps({"answers": [{"match": "outline", "object": {"a": 1}}, {"match": "标题", "text": "甲"}]})
    )
    answer = scripted(path)

    def says(prompt: str) -> str:
        reply = answer({"messages": [{"role": "user", "content": prompt}]})
        return reply.text if isinstance(reply, Reply) else reply

    assert says("the outline") == '{"a": 1}'
    assert says("一个标题") == "甲"
    assert says("else") == default_reply({"messages": [{"role": "user", "content": "else"}]})


def test_a_script_file_of_another_shape_is_refused(tmp_path: Path):
    path = tmp_path / "script.json"
    path.write_text('{"answers": ["x"]}')
    with pytest.raises(ValueError, match="answers"):
        scripted(path)


def lines_of(log: Path, count: int) -> bool:
    """Whether the log comes to `count` lines within five seconds."""
    for _ in range(500):
        if log.exists() and len(log.read_text("utf-8").splitlines()) == count:
            return True
        time.sleep(0.01)
    return False


def test_the_command_prints_its_address_serves_and_ends_on_a_signal(tmp_path: Path):
    script, log = tmp_path / "script.json", tmp_path / "log.jsonl"
    script.write_text(
        '{"answers": [{"text": "from the file"}], "faults": [{"kind": "status", "status": 503, "skip": 1}]}'
    )
    command = [sys.executable, "-m", "kaozheng.testing.server", "--script", str(script), "--log", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            base_url = process.stdout.readline().strip()
            ask = Request(f"{base_url}/chat/completions", json.dumps(ASK).encode())
            with urlopen(ask, timeout=5) as reply:
                assert json.load(reply)["choices"][0]["message"]["content"] == "from the file"
            assert lines_of(log, 1)  # the line is written when the reply has left, so it may come a moment later
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(5) == 0
