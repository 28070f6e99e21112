"""Spans over real HTTP: to a collector on loopback that takes them, and to some that do not."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kaozheng import api
from kaozheng.errors import MissingExtraError
from kaozheng.settings import Settings
from kaozheng.testing.actor import act
from kaozheng.testing.faults import Fault
from kaozheng.testing.http import Connection, Listener, Request
from kaozheng.testing.server import ScriptedServer
from kaozheng.wiring import diagnose

pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="the extra otel is not installed")

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

TEXT = "# 缓存\n\n缓存命中率为 92%，过期时间是 300 秒。\n\n# 队列\n\n队列最多保存 500 条消息，超过后丢弃最旧的。\n"


class Collector:
    """An OTLP/HTTP receiver that parses what it is sent; `refuse` says how it treats its clients."""

    def __init__(self, refuse: str = "") -> None:
        self.spans: list = []
        self.resources: list[dict[str, str]] = []
        self.raw = b""
        self.asked = 0
        self._refuse = refuse
        self._listener = Listener(self._handle)

    async def __aenter__(self) -> Collector:
        self.url = f"http://127.0.0.1:{await self._listener.start(0)}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._listener.stop()

    async def _handle(self, request: Request, connection: Connection) -> bool:
        self.asked += 1
        if self._refuse == "hang":
            await asyncio.sleep(60)
        if self._refuse == "500":
            await connection.reply(500, b"no", "text/plain", {})
            return True
        assert request.path == "/v1/traces"
        self.raw += request.body
        for resource in ExportTraceServiceRequest.FromString(request.body).resource_spans:
            self.resources.append({one.key: one.value.string_value for one in resource.resource.attributes})
            for scope in resource.scope_spans:
                self.spans.extend(scope.spans)
        await connection.reply(200, ExportTraceServiceResponse().SerializeToString(), "application/x-protobuf", {})
        return True


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    for name in ("OPENAI_API_KEY", "KAOZHENG_MODEL", "OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return Settings(data=tmp_path / "data")


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    faults = [
        Fault("status", status=503, match="section/0"),
        Fault("status", status=400, count=9, match="section/1", text="context length exceeded"),
    ]
    async with ScriptedServer(act, faults=faults) as server:
        yield server


def attributes(span) -> dict:
    told = {}
    for one in span.attributes:
        kind = one.value.WhichOneof("value")
        value = getattr(one.value, kind)
        told[one.key] = [part.string_value for part in value.values] if kind == "array_value" else value
    return told


async def test_a_run_becomes_a_tree_of_spans_by_the_conventions(settings, server, monkeypatch):
    async with Collector() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        chosen = settings.model_copy(update={"model": "openai:scripted", "openai_base_url": server.base_url})
        result = await api.awrite(text=TEXT, topic="t", settings=chosen, max_calls=5)
    assert [one["service.name"] for one in collector.resources] == ["kaozheng"] * len(collector.resources)
    spans = {span.span_id: span for span in collector.spans}
    (root,) = (span for span in spans.values() if not span.parent_span_id)
    assert root.name == "invoke_workflow write"
    told = attributes(root)
    assert told["gen_ai.operation.name"] == "invoke_workflow"
    assert told["gen_ai.conversation.id"] == result.run_id
    assert (told["kaozheng.exit_code"], told["kaozheng.used.calls"]) == (1, 5)
    assert len({span.trace_id for span in spans.values()}) == 1

    calls = {attributes(span)["kaozheng.purpose"]: span for span in spans.values() if span.name.startswith("chat ")}
    for purpose, step in (("outline", "plan"), ("section/0", "write_section"), ("section/1", "write_section")):
        parent = spans[calls[purpose].parent_span_id]
        assert parent.name == step
        assert spans[parent.parent_span_id] is root
        assert parent.start_time_unix_nano <= calls[purpose].start_time_unix_nano
        assert calls[purpose].end_time_unix_nano <= parent.end_time_unix_nano

    answered = attributes(calls["section/0"])
    assert calls["section/0"].name == "chat scripted"
    assert calls["section/0"].kind == 3  # CLIENT
    assert answered["gen_ai.operation.name"] == "chat"
    assert answered["gen_ai.provider.name"] == "openai"
    assert answered["gen_ai.request.model"] == answered["gen_ai.response.model"] == "scripted"
    assert answered["gen_ai.response.finish_reasons"] == ["stop"]
    assert answered["gen_ai.usage.input_tokens"] > 100
    assert answered["gen_ai.usage.output_tokens"] > 0
    assert [(event.name, attributes(event)["error.type"]) for event in calls["section/0"].events] == [
        ("kaozheng.retry", "503")
    ]

    failed = calls["section/1"]
    assert (attributes(failed)["error.type"], failed.status.code, failed.status.message) == ("ModelError", 2, "")
    step = spans[failed.parent_span_id]
    assert [event.name for event in step.events] == ["kaozheng.fallback"]
    assert [span for span in spans.values() if any(event.name == "kaozheng.budget" for event in span.events)]
    for words in ("缓存命中率", "最旧", "exceeded"):
        assert words.encode() not in collector.raw


async def test_answers_from_the_ledger_are_marked_and_not_counted_again(settings, monkeypatch):
    async with Collector() as collector, ScriptedServer(act) as server:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", f"{collector.url}/v1/traces")
        chosen = settings.model_copy(update={"model": "openai:scripted", "openai_base_url": server.base_url})
        first = await api.awrite(text=TEXT, settings=chosen.model_copy(update={"traces": "off"}))
        assert collector.asked == 0
        start = (await asyncio.to_thread(api.checkpoints, first.run_id, chosen))[-2].id
        await api.afork(first.run_id, start, settings=chosen)
    calls = [attributes(span) for span in collector.spans if span.name.startswith("chat ")]
    assert calls
    for one in calls:
        assert one["kaozheng.replayed"] != ("gen_ai.usage.input_tokens" in one)


@pytest.mark.parametrize("refuse", ["refused", "hang", "500"])
async def test_a_collector_that_does_not_take_them_holds_nothing_up(settings, server, monkeypatch, capfd, refuse):
    chosen = settings.model_copy(update={"model": "openai:scripted", "openai_base_url": server.base_url})
    async with Collector(refuse) as collector:
        url = "http://127.0.0.1:9" if refuse == "refused" else collector.url
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
        at: list[float] = []

        def hear(event) -> None:
            if event.kind == "run_finished":
                at.append(time.monotonic())

        result = await api.awrite(text=TEXT, settings=chosen, on_event=hear)
        assert time.monotonic() - at[0] < 4.0
    assert result.document
    assert collector.asked or refuse == "refused"
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "")


async def test_traces_that_are_off_or_not_asked_for_load_nothing(settings, server, monkeypatch):
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    assert (await api.awrite(text=TEXT, settings=settings)).document
    told = {finding.what: finding for finding in diagnose(settings)}
    assert told["traces"].ok
    assert "OTEL_EXPORTER_OTLP_ENDPOINT" in told["traces"].says
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "https://user:canary@otel.example/x?key=canary")
    says = json.dumps([finding.says for finding in diagnose(settings)])
    assert "to otel.example" in says
    assert "canary" not in says
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    assert "grpc is not spoken here" in {finding.what: finding for finding in diagnose(settings)}["traces"].says


async def test_demanded_traces_without_the_library_are_one_clear_line(settings, monkeypatch):
    monkeypatch.setattr("kaozheng.wiring.traces.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"kaozheng\[otel\]"):
        await api.awrite(text=TEXT, settings=settings.model_copy(update={"traces": "on"}))
