"""/v1/ask over real HTTP: order of events, coming back, and what becomes of an answer nobody reads."""

import asyncio

import httpx2
import pytest

from kaozheng.errors import InputError, ModelRefusedError, ModelUnavailableError, StorageError
from kaozheng.testing.scripted_answers import ScriptedAnswers
from kaozheng.workflows.ask.result import AskResult
from kaozheng.workflows.ask.telling import AskEvent


def words(count):
    return [f"w{place} " for place in range(count)]


async def until(true, within_s=3.0):
    async with asyncio.timeout(within_s):
        while not true():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.01)


async def test_events_come_in_order_and_the_deltas_are_the_answer(tools):
    behind = tools.service(ScriptedAnswers(lambda request: words(20)))
    async with (
        tools.visiting(behind) as client,
        client.stream("POST", "/v1/ask", json={"question": "何时？"}) as response,
    ):
        assert response.headers["content-type"].startswith("text/event-stream")
        events = await tools.events_of(response)
    kinds = [kind for _, kind, _ in events]
    assert kinds == ["progress", "start", *["delta"] * 20, "ready", "done"]
    answer = "".join(data["text"] for _, kind, data in events if kind == "delta")
    assert answer == events[-2][2]["result"]["answer"] == "".join(words(20))
    assert [int(id.rpartition(".")[2]) for id, _, _ in events] == list(range(1, len(events) + 1))


async def test_replace_carries_the_whole_text(tools):
    behind = tools.service(ScriptedAnswers(lambda request: ["一", "二", "\x00三", "四"]))
    async with (
        tools.visiting(behind) as client,
        client.stream("POST", "/v1/ask", json={"question": "何？"}) as response,
    ):
        events = await tools.events_of(response)
    text = ""
    for _, kind, data in events:
        text = data["text"] if kind == "replace" else text + data["text"] if kind == "delta" else text
    assert text == "三四"


@pytest.mark.parametrize(
    ("body", "headers"),
    [({"stream": False}, {}), ({}, {"Accept": "application/json"})],
)
async def test_one_object_is_given_to_who_wants_no_stream(tools, body, headers):
    answers = ScriptedAnswers(lambda request: ["甲", "乙"])
    async with tools.visiting(tools.service(answers)) as client:
        response = await client.post("/v1/ask", json={"question": "何？", **body}, headers=headers)
    assert response.status_code == 200
    assert response.json()["answer"] == "甲乙"
    assert not answers.requests[0].live_progress


@pytest.mark.parametrize(
    ("failing", "status", "code"),
    [
        (InputError("no such thing"), 400, "bad_request"),
        (ModelUnavailableError("http://10.0.0.8 did not answer"), 503, "model_unavailable"),
        (StorageError("/home/op/.kaozheng/knowledge.db: full"), 503, "storage_refused"),
        (ZeroDivisionError("secret"), 500, "internal"),
    ],
)
async def test_failure_is_an_error_event_when_live_else_a_json_error(tools, failing, status, code):
    behind = tools.service(ScriptedAnswers(lambda request: ["甲"], failing=failing))
    async with tools.visiting(behind) as client:
        async with client.stream("POST", "/v1/ask", json={"question": "何？"}) as response:
            events = await tools.events_of(response)
        plain = await client.post("/v1/ask", json={"question": "何？", "stream": False})
    assert events[-1][1] == "error"
    assert events[-1][2]["code"] == code
    assert sum(kind in ("done", "error") for _, kind, _ in events) == 1
    assert (plain.status_code, plain.json()["error"]["code"]) == (status, code)
    for said in (str(events), plain.text):
        assert "10.0.0.8" not in said
        assert ".kaozheng" not in said
        assert "secret" not in said


async def test_what_fails_before_the_first_event_has_a_status_of_its_own(tools):
    async with tools.visiting(tools.service()) as client:
        response = await client.post("/v1/ask", json={"question": "  "})
    assert response.status_code == 400
    assert "empty" in response.json()["error"]["message"]


async def test_answer_that_takes_too_long_ends_with_one_error(tools):
    behind = tools.service(ScriptedAnswers(lambda request: ["甲", "乙"], pause_s=5.0), limits={"answer_s": 0.2})
    async with (
        tools.visiting(behind) as client,
        client.stream("POST", "/v1/ask", json={"question": "何？"}) as response,
    ):
        events = await tools.events_of(response)
    assert [kind for _, kind, _ in events] == ["progress", "error"]
    assert events[-1][2]["code"] == "too_slow"


async def test_silence_is_filled_with_signs_of_life(tools):
    behind = tools.service(ScriptedAnswers(lambda request: ["甲"], pause_s=0.3))
    async with (
        tools.visiting(behind) as client,
        client.stream("POST", "/v1/ask", json={"question": "何？"}) as response,
    ):
        raw = (await response.aread()).decode()
    assert raw.count(": still here") >= 3


async def test_cut_reader_comes_back_and_misses_nothing(tools):
    answers = ScriptedAnswers(lambda request: words(30), pause_s=0.01)
    async with tools.visiting(tools.service(answers, limits={"grace_s": 2.0})) as client:
        async with client.stream("POST", "/v1/ask", json={"question": "何？"}) as response:
            first = await tools.events_of(response, most=4)
        await asyncio.sleep(0.05)
        last, answer = first[-1][0], first[-1][0].rpartition(".")[0]
        async with client.stream("GET", f"/v1/ask/{answer}", headers={"Last-Event-ID": last}) as response:
            rest = await tools.events_of(response)
        async with client.stream("GET", f"/v1/ask/{answer}") as response:
            again = await tools.events_of(response)
        async with client.stream(
            "POST", "/v1/ask", json={"question": "何？"}, headers={"Last-Event-ID": last}
        ) as response:
            posted = await tools.events_of(response)
    assert first + rest == again
    assert posted == rest
    assert "".join(data["text"] for _, kind, data in again if kind == "delta") == "".join(words(30))
    assert len(answers.requests) == 1


async def test_another_question_with_an_earlier_id_has_an_answer_of_its_own(tools):
    answers = ScriptedAnswers(lambda request: [f"{request.question} 的答案"])
    async with tools.visiting(tools.service(answers)) as client:
        async with client.stream("POST", "/v1/ask", json={"question": "何？"}) as response:
            last = (await tools.events_of(response))[1][0]
        late = {"Last-Event-ID": last}
        async with client.stream("POST", "/v1/ask", json={"question": "谁？"}, headers=late) as response:
            events = await tools.events_of(response)
    assert "".join(data["text"] for _, kind, data in events if kind == "delta") == "谁？ 的答案"
    assert [request.question for request in answers.requests] == ["何？", "谁？"]


async def test_nobody_else_can_come_back_to_an_answer(tools):
    async with tools.visiting(tools.service()) as client:
        async with client.stream("POST", "/v1/ask", json={"question": "何？"}) as response:
            events = await tools.events_of(response)
        answer = events[0][0].rpartition(".")[0]
        other = {"Authorization": f"Bearer {tools.tokens['bob']}"}
        assert (await client.get(f"/v1/ask/{answer}", headers=other)).status_code == 404
        assert (await client.get("/v1/ask/a_unknown")).status_code == 404
        assert (await client.get(f"/v1/ask/{answer}", headers={"Last-Event-ID": "x"})).status_code == 400


async def test_answer_is_forgotten_after_its_time(tools):
    async with tools.visiting(tools.service(limits={"kept_s": 0.05})) as client:
        async with client.stream("POST", "/v1/ask", json={"question": "何？"}) as response:
            events = await tools.events_of(response)
        await asyncio.sleep(0.1)
        assert (await client.get(f"/v1/ask/{events[0][0].rpartition('.')[0]}")).status_code == 404


@pytest.mark.parametrize("stream", [True, False])
async def test_reader_that_is_gone_frees_the_answer(tools, stream):
    answers = ScriptedAnswers(lambda request: words(1000), pause_s=0.02)
    async with tools.serving(tools.service(answers)) as url:
        async with httpx2.AsyncClient(
            base_url=url, headers={"Authorization": f"Bearer {tools.tokens['ann']}"}
        ) as client:
            asking = asyncio.create_task(client.post("/v1/ask", json={"question": "何？", "stream": stream}))
            await until(lambda: answers.under_way)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        await until(lambda: not answers.under_way)
    assert answers.cancelled == 1


async def test_stopped_server_lets_answers_go_and_waits_for_that(tools):
    answers = ScriptedAnswers(lambda request: words(1000), pause_s=0.02)
    async with tools.serving(tools.service(answers)) as url:
        client = httpx2.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {tools.tokens['ann']}"})
        asking = asyncio.create_task(client.post("/v1/ask", json={"question": "何？"}))
        await until(lambda: answers.under_way)
    assert (answers.under_way, answers.cancelled) == (0, 1)
    await asyncio.gather(asking, return_exceptions=True)
    await client.aclose()


async def test_twenty_sessions_at_once_are_never_mixed_up(tools):
    answers = ScriptedAnswers(lambda request: [f"{request.question}:{place} " for place in range(25)], pause_s=0.005)
    behind = tools.service(answers, limits={"each": 20})

    async def one(client, number):
        body = {"question": f"q{number}", "session": f"s{number}"}
        who = {"Authorization": f"Bearer {tools.tokens[('ann', 'bob')[number % 2]]}"}
        async with client.stream("POST", "/v1/ask", json=body, headers=who) as response:
            return await tools.events_of(response)

    async with tools.visiting(behind) as client:
        all_of_them = await asyncio.gather(*(one(client, number) for number in range(20)))
    for number, events in enumerate(all_of_them):
        text = "".join(data["text"] for _, kind, data in events if kind == "delta")
        assert text == "".join(f"q{number}:{place} " for place in range(25))
        assert events[-1][2]["session"] == f"s{number}"
        assert len({id.rpartition(".")[0] for id, _, _ in events}) == 1
    owners = {request.question: request.owner for request in answers.requests}
    assert owners == {f"q{number}": ("ann", "bob")[number % 2] for number in range(20)}


async def test_owner_comes_from_the_key_and_never_from_the_body(tools):
    answers = ScriptedAnswers(lambda request: ["甲"])
    async with tools.visiting(tools.service(answers)) as client:
        refused = await client.post("/v1/ask", json={"question": "何？", "owner": "bob"})
        await client.post("/v1/ask", json={"question": "何？", "session": "s_of_bob", "stream": False})
    assert refused.status_code == 400
    assert [(request.owner, request.session) for request in answers.requests] == [("ann", "s_of_bob")]


async def test_what_went_wrong_beside_an_answer_is_told_without_places_inside(tools):
    warned = [{"code": "session_not_saved", "message": "/home/op/.kaozheng/sessions.db: full"}]
    result = AskResult("answered", "", reason="http://10.0.0.8:11434/v1 timed out", warnings=warned)
    behind = tools.service(ScriptedAnswers(lambda request: ["甲"], result=result))
    ask = {"question": "何？", "stream": False}
    async with tools.visiting(behind) as client:
        hers = await client.post("/v1/ask", json=ask)
        root = {"Authorization": f"Bearer {tools.tokens['root']}"}
        operators = await client.post("/v1/ask", json=ask, headers=root)
    assert hers.json()["warnings"][0]["message"].endswith(": full")
    assert "kaozheng" not in hers.text
    assert "10.0.0.8" not in hers.text
    assert "10.0.0.8" in operators.text


async def test_error_that_was_told_and_raised_is_told_once_and_fit_for_outside(tools):
    async def answer(request, tell):
        tell(AskEvent("progress", {"step": "plan"}, 1))
        tell(AskEvent("error", {"code": "model_refused", "message": "http://10.0.0.8 said 401 sk-123"}, 2))
        raise ModelRefusedError("http://10.0.0.8 said 401 sk-123")

    async with tools.visiting(tools.service(answer)) as client:
        async with client.stream("POST", "/v1/ask", json={"question": "何？"}) as response:
            events = await tools.events_of(response)
        plain = await client.post("/v1/ask", json={"question": "何？", "stream": False})
    assert [kind for _, kind, _ in events] == ["progress", "error"]
    assert events[-1][2] == {"code": "model_refused", "message": "The provider refused the request for good."}
    assert plain.status_code == 502
    assert "sk-123" not in plain.text


async def test_answer_that_ends_without_a_word_still_has_an_end(tools):
    async def answer(request, tell):
        return AskResult("answered", "甲")

    behind = tools.service(answer)
    async with (
        tools.visiting(behind) as client,
        client.stream("POST", "/v1/ask", json={"question": "何？"}) as response,
    ):
        events = await tools.events_of(response)
    assert [kind for _, kind, _ in events] == ["done"]
