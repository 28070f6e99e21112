"""Each way in which a provider can fail or a model misuse its tools, what came of it, and how long that took.

`python -m bench.faults` prints the table and ends with 1 when an outcome or a time is not the promised one. The limits
are the time-outs and longest waits of the stack below added up over the attempts, 0.5 s for the answers themselves, and
10 %.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, Field
from rich.console import Console
from rich.table import Table

from bench import tls, tool_faults
from bench.outcome import Outcome
from bench.row import Row
from kaozheng.errors import ModelError
from kaozheng.models import Call, Message
from kaozheng.models.answer import object_or, text_or
from kaozheng.models.budget import Budget, Budgeted
from kaozheng.models.continuing import Continuing
from kaozheng.models.limits import Limited
from kaozheng.models.retrying import Retry, Retrying
from kaozheng.models.timed import Timed
from kaozheng.providers.clients import operator_client
from kaozheng.providers.models.openai_compatible import OpenAIModel
from kaozheng.testing.faults import Fault
from kaozheng.testing.server import ScriptedServer

CONNECT_S, FIRST_S, BETWEEN_S, WHOLE_S = 0.3, 0.4, 0.4, 1.5
ATTEMPTS, BASE_S, ALLOWED_S = 4, 0.1, 0.5
WAITS_S = BASE_S + 2 * BASE_S + 4 * BASE_S
HOURS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
ONCE_S = BASE_S + ALLOWED_S
TEXT = " ".join(f"At {hour} the copy goes to shelf {9 * at + 4}." for at, hour in enumerate(HOURS))
OBJECT = '{"title": "Copies", "lines": [1, 2, 3]}'


class Wanted(BaseModel):
    """What the object calls ask for."""

    title: str
    lines: list[int] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Case:
    """One fault; `expect` is how the outcome begins, `limit_s` what it may take before the 10 %."""

    name: str
    fault: Fault | None
    expect: str
    limit_s: float = ALLOWED_S
    asks: str = "text"
    text: str = TEXT
    scheme: str = "http"
    seconds: float | None = None


ALWAYS = {"count": None}
CASES = (
    Case("none", None, "model"),
    Case("hang before headers", Fault("delay", delay_s=9), "model, 1 retry (time-out)", FIRST_S + ONCE_S),
    Case(
        "hang before headers, always",
        Fault("delay", delay_s=9, **ALWAYS),
        "twin, 3 retries",
        ATTEMPTS * FIRST_S + WAITS_S + ALLOWED_S,
    ),
    Case("pings only", Fault("ping", delay_s=9), "model, 1 retry (time-out)", FIRST_S + ONCE_S),
    Case("stall in mid-answer", Fault("stall", delay_s=9), "model, 1 retry (time-out)", BETWEEN_S + ONCE_S),
    Case("slow drip", Fault("drip", delay_s=0.15), "twin, 0 retries", WHOLE_S + ALLOWED_S),
    Case(
        "slow drip, 0.8 s of budget left",
        Fault("drip", delay_s=0.15),
        "twin, 0 retries (budget)",
        0.8 + ALLOWED_S,
        seconds=0.8,
    ),
    Case(
        "hang, 0.2 s of budget left",
        Fault("delay", delay_s=9),
        "twin, 0 retries (budget)",
        0.2 + ALLOWED_S,
        seconds=0.2,
    ),
    Case("hangs up", Fault("drop"), "model, 1 retry (no connection)", ONCE_S),
    Case("cut stream", Fault("cut_stream"), "model, 1 retry", ONCE_S),
    Case("cut in mid-JSON", Fault("cut_stream"), "model, 1 retry", ONCE_S, "object"),
    Case("ends without a finish reason", Fault("no_finish"), "model, 1 retry (cut stream)", ONCE_S),
    Case("broken event", Fault("broken_stream"), "model, 1 retry (broken stream)", ONCE_S),
    Case("error inside the stream", Fault("error_event"), "model, 1 retry", ONCE_S),
    Case(
        "429, Retry-After 0.5 s", Fault("status", status=429, retry_after_s=0.5), "model, 1 retry (429)", 0.5 + ONCE_S
    ),
    Case("429 without Retry-After", Fault("status", status=429), "model, 1 retry (429)", ONCE_S),
    Case("429, Retry-After an hour", Fault("status", status=429, retry_after_s=3600), "twin, 0 retries"),
    Case("burst of three 500", Fault("status", count=3), "model, 3 retries (500, 500, 500)", WAITS_S + ALLOWED_S),
    Case("500 for ever", Fault("status", **ALWAYS), "twin, 3 retries", WAITS_S + ALLOWED_S),
    Case("400", Fault("status", status=400), "error ModelRefusedError"),
    Case("401", Fault("unauthorized"), "error CredentialsError"),
    Case("404 model", Fault("no_model"), "error UnknownModelError"),
    Case(
        "refuses response_format", Fault("refuse", text="response_format", **ALWAYS), "model, 0 retries", asks="object"
    ),
    Case("empty answer", Fault("empty"), "twin, 0 retries"),
    Case("empty answer, object", Fault("empty"), "model, 0 retries", asks="object"),
    Case("reasoning only", Fault("reasoning"), "twin, 0 retries"),
    Case("length stop x3", Fault("length", count=3), "model, 0 retries"),
    Case("length stop, object", Fault("length"), "model, 0 retries", asks="object"),
    Case("filtered", Fault("filter"), "twin, 0 retries"),
    Case("broken JSON", Fault("broken_json"), "model, 0 retries", asks="object"),
    Case("broken JSON, always", Fault("broken_json", **ALWAYS), "twin, 0 retries", asks="object"),
    Case("fenced JSON", Fault("text", text=f"Here:\n```json\n{OBJECT}\n```\n"), "model, 0 retries", asks="object"),
    Case("JSON of another shape", Fault("text", text='{"name": "x"}'), "model, 0 retries", asks="object"),
    Case("two choices", Fault("choices"), "model, 0 retries"),
    Case("huge answer", Fault("text", text="word " * 900_000), "twin, 0 retries", 6.0),
    Case("a page for people (text/html)", Fault("html"), "model, 1 retry", ONCE_S),
    Case(
        "TLS to a server without", None, "twin, 3 retries", ATTEMPTS * CONNECT_S + WAITS_S + ALLOWED_S, scheme="https"
    ),
)


TLS_CASES = (
    Case("TLS, hangs up at the hello", None, "twin, 3 retries", ATTEMPTS * CONNECT_S + WAITS_S + ALLOWED_S),
    Case("TLS, self-signed certificate", None, "error ModelRefusedError", CONNECT_S + ALLOWED_S),
)


def measure() -> Iterator[Row]:
    """The same as rows of `python -m bench`."""
    outcomes = asyncio.run(_all())
    late = max(outcomes, key=lambda one: one.took_s / one.limit_s)
    kept = sum(one.kept for one in outcomes)
    yield Row("faults of a provider dealt with as promised", f"{kept} of {len(outcomes)}", bound=str(len(outcomes)))
    yield Row("nearest to its limit", f"{late.name}: {late.took_s:.2f} s", bound=f"{late.limit_s:.2f} s")


def main() -> int:
    table = Table("fault", "what happened", "requests", "took", "limit + 10 %", "", title="kaozheng bench-faults")
    outcomes = asyncio.run(_all())
    for one in outcomes:
        verdict = "ok" if one.kept else f"BROKEN: want {one.expect}"
        table.add_row(one.name, one.happened, str(one.requests), f"{one.took_s:.2f} s", f"{one.limit_s:.2f} s", verdict)
    Console(width=150).print(table)
    return 0 if all(one.kept for one in outcomes) else 1


async def _all() -> list[Outcome]:
    await _outcome(CASES[0])  # imports, and the first connection
    over_http = [await _outcome(case) for case in CASES]
    return [*over_http, *[await _refused(case) for case in TLS_CASES], *[one async for one in tool_faults.outcomes()]]


async def _outcome(case: Case) -> Outcome:
    retries: list[Retry] = []
    faults = [replace(case.fault, match="")] if case.fault else []
    scripted = ScriptedServer(lambda request: _answer(case, request), faults=faults)
    async with scripted as server:
        url = server.base_url.replace("http:", f"{case.scheme}:")
        happened, took_s = await _timed(case, url, retries)
        return Outcome(case.name, case.expect, case.limit_s, happened, took_s, len(server.requests))


async def _refused(case: Case) -> Outcome:
    retries: list[Retry] = []
    async with (tls.self_signed if "certificate" in case.name else tls.hanging_up)() as server:
        happened, took_s = await _timed(case, server.url, retries)
        return Outcome(case.name, case.expect, case.limit_s, happened, took_s, server.connections)


async def _timed(case: Case, url: str, retries: list[Retry]) -> tuple[str, float]:
    async with operator_client(url, connect_s=CONNECT_S, total_s=WHOLE_S) as client:
        timed = Timed(OpenAIModel("scripted", url, None, client), FIRST_S, BETWEEN_S, WHOLE_S)
        draw = random.Random(case.name).random
        retrying = Retrying(Limited(timed, 8), ATTEMPTS, BASE_S, random=draw, on_retry=retries.append)
        model = Continuing(Budgeted(retrying, Budget(seconds=case.seconds)))
        began = time.perf_counter()
        happened = await _happened(model, case, retries)
        return happened, time.perf_counter() - began


async def _happened(model: Continuing, case: Case, retries: list[Retry]) -> str:
    call = Call("bench", "fault", (Message("user", "Write."),))
    try:
        if case.asks == "object":
            answer: Any = await object_or(model, call, Wanted, lambda: Wanted(title="twin", lines=[0]))
        else:
            answer = await text_or(model, call, lambda: "twin")
    except ModelError as error:
        return f"error {type(error).__name__}"
    if answer.by == "model":
        _ensure_whole(answer.value, case)
    who = "model" if answer.by == "model" else "twin"
    kinds = ["budget"] if answer.out_of_budget else [retry.error for retry in retries]
    said = f"{who}, {len(retries)} {'retry' if len(retries) == 1 else 'retries'}"
    said += f" ({', '.join(kinds)})" if kinds else ""
    return said + (f": {answer.reason[:60]}" if answer.reason else "")


def _ensure_whole(value: Any, case: Case) -> None:
    """A model's answer that is not exactly what the server meant to say is a lost or doubled part."""
    whole = value.title == "Copies" if isinstance(value, Wanted) else value == case.text.strip()
    if not whole:
        raise AssertionError(f"{case.name}: the answer is not whole: {str(value)[:200]!r}")


def _answer(case: Case, request: dict[str, Any]) -> str:
    """The text or object; asked on, the rest of it."""
    if case.asks == "object":
        return OBJECT
    messages = request["messages"]
    written = messages[-2]["content"] if len(messages) > 1 and messages[-2]["role"] == "assistant" else ""
    return case.text[max(0, len(written) - 7) :] if written else case.text


if __name__ == "__main__":
    sys.exit(main())
