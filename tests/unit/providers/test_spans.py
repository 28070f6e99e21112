"""What spans a run leaves that did not go well, kept in memory."""

from __future__ import annotations

import pytest

pytest.importorskip("opentelemetry.sdk.trace", reason="the extra otel is not installed")

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from kaozheng.journal import Event, EventKind
from kaozheng.providers.traces.spans import Spans

BEGAN = (EventKind.RUN_STARTED, {"workflow": "write", "topic": "canary", "resumes": 0})
STEP = (EventKind.STEP_STARTED, {"step": "plan", "task": "t1"})
CALL = (EventKind.CALL_STARTED, {"role": "outliner", "purpose": "outline", "asked": "google_genai:gem", "task": "t1"})


def spans_of(*events: tuple[EventKind, dict]) -> dict:
    kept = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(kept))
    listener = Spans(provider.get_tracer("test"))
    for second, (kind, data) in enumerate(events, start=1):
        listener(Event("r", second, f"2026-11-30T12:00:{second:02}.250+00:00", kind, data))
    return {span.name: span for span in kept.get_finished_spans()}


def test_a_stopped_run_closes_what_was_open_and_says_no_words() -> None:
    spans = spans_of(BEGAN, STEP, CALL, (EventKind.RUN_STOPPED, {"error": "canary words"}))
    assert set(spans) == {"invoke_workflow write", "plan", "chat gem"}
    assert {span.attributes["error.type"] for span in spans.values()} == {"_OTHER"}
    assert {span.status.status_code for span in spans.values()} == {StatusCode.ERROR}
    assert "canary" not in "".join(span.to_json() for span in spans.values())
    assert spans["chat gem"].attributes["gen_ai.provider.name"] == "gcp.gemini"
    assert spans["plan"].start_time % 1_000_000_000 == 250_000_000


def test_an_error_is_its_class_alone() -> None:
    failed = (EventKind.STEP_FINISHED, {"step": "plan", "task": "t1", "error": "StorageError('canary')"})
    spans = spans_of(BEGAN, STEP, failed, (EventKind.RUN_FAILED, {"error": "KeyError: canary"}))
    assert spans["plan"].attributes["error.type"] == "StorageError"
    assert spans["invoke_workflow write"].attributes["error.type"] == "KeyError"
    assert "canary" not in "".join(span.to_json() for span in spans.values())


def test_steps_of_an_inner_graph_stand_in_the_step_around_them() -> None:
    inner = (EventKind.STEP_STARTED, {"step": "inner", "task": "t2", "within": "plan:t1"})
    spans = spans_of(BEGAN, STEP, inner, (EventKind.RUN_FINISHED, {"exit_code": 0, "summary": ""}))
    assert spans["inner"].parent.span_id == spans["plan"].context.span_id
    assert spans["invoke_workflow write"].status.status_code is StatusCode.UNSET


def test_events_of_a_run_whose_beginning_was_not_heard_are_passed_over() -> None:
    assert spans_of(STEP, CALL, (EventKind.RUN_FINISHED, {"exit_code": 0})) == {}


def test_a_tool_is_a_span_of_its_step_as_long_as_it_ran() -> None:
    ran = {"tool": "read_file", "status": "done", "seconds": 0.25, "chars": 9, "calls": 1, "task": "t1"}
    lost = {**ran, "tool": "unknown", "status": "bad_arguments", "seconds": 0.0}
    ended = (EventKind.RUN_FINISHED, {"exit_code": 0, "summary": ""})
    spans = spans_of(BEGAN, STEP, (EventKind.TOOL, ran), (EventKind.TOOL, lost), ended)
    span = spans["execute_tool read_file"]
    assert span.parent.span_id == spans["plan"].context.span_id
    assert span.end_time - span.start_time == 250_000_000
    assert span.attributes["gen_ai.tool.name"] == "read_file"
    assert span.status.status_code is StatusCode.UNSET
    assert spans["execute_tool unknown"].status.status_code is StatusCode.ERROR
