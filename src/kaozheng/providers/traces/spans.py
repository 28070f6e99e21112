"""Events as OpenTelemetry spans: run -> step -> call, by the GenAI conventions (of 2026, still "development").

    invoke_workflow write
      write_section                     a step of the graph
        chat gpt-4.1                    a call; retries, further models and reached budgets are its events
        execute_tool read_file          a tool that a model called

Numbers, names and classes of errors only: no prompt, no answer, no message of an error.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, set_span_in_context

from kaozheng.journal import Event, EventKind

_PROVIDERS: Final = {"google_genai": "gcp.gemini"}
"""Where the conventions have another name than our settings; names that they do not have stay as they are."""
_CLASS: Final = re.compile(r"\w*(?:Error|Exception)\b")
_OTHER: Final = "_OTHER"
_BEGIN: Final = (EventKind.RUN_STARTED, EventKind.RUN_RESUMED)
_END: Final = (EventKind.RUN_FINISHED, EventKind.RUN_STOPPED, EventKind.RUN_FAILED)
_INSIDE: Final = (EventKind.RETRY, EventKind.NEXT_MODEL, EventKind.FALLBACK, EventKind.BUDGET)


@dataclass(slots=True)
class _Run:
    """The spans of a run that are open."""

    root: Span
    steps: dict[str, Span] = field(default_factory=dict)
    calls: dict[str, Span] = field(default_factory=dict)

    def around(self, data: Mapping[str, Any]) -> Span:
        """The span that what happened belongs into: its step, else the graph around it, else the run."""
        outer = str(data.get("within", "")).rpartition(":")[2]
        return self.steps.get(str(data.get("task", ""))) or self.steps.get(outer) or self.root


class Spans:
    """A listener of runs that makes spans of their events. Safe from any thread; never waits."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        self._runs: dict[str, _Run] = {}
        self._guard = threading.Lock()

    def __call__(self, event: Event) -> None:
        """Take the next event of a run. One whose run's beginning was never heard is passed over."""
        at = _nanoseconds(event.at)
        with self._guard:
            if event.kind in _BEGIN:
                self._runs[event.run_id] = _Run(self._begin(event, at))
            elif run := self._runs.get(event.run_id):
                self._go_on(run, event, at)

    def _begin(self, event: Event, at: int) -> Span:
        workflow = str(event.data["workflow"])
        attributes: dict[str, str | int] = {
            "gen_ai.operation.name": "invoke_workflow",
            "gen_ai.workflow.name": workflow,
            "gen_ai.conversation.id": event.run_id,
            "kaozheng.resumes": int(event.data["resumes"]),
        }
        return self._tracer.start_span(f"invoke_workflow {workflow}", attributes=attributes, start_time=at)

    def _go_on(self, run: _Run, event: Event, at: int) -> None:
        data = event.data
        if event.kind is EventKind.STEP_STARTED:
            around = run.steps.get(str(data.get("within", "")).rpartition(":")[2], run.root)
            run.steps[data["task"]] = self._inside(around, str(data["step"]), at, {"kaozheng.step": str(data["step"])})
        elif event.kind is EventKind.STEP_FINISHED:
            if step := run.steps.pop(data["task"], None):
                _close(step, at, data.get("error"))
        elif event.kind is EventKind.CALL_STARTED:
            run.calls[data["purpose"]] = self._call(run, data, at)
        elif event.kind is EventKind.CALL_FINISHED:
            known = data["purpose"] in run.calls
            self._answered(run.calls.pop(data["purpose"]) if known else self._call(run, data, at), data, at)
        elif event.kind in _INSIDE:
            span = run.calls.get(str(data.get("purpose", ""))) or run.around(data)
            span.add_event(f"kaozheng.{event.kind}", _plain(data), at)
        elif event.kind is EventKind.TOOL:
            self._tool(run, data, at)
        elif event.kind is EventKind.TOKENS:
            run.root.set_attributes({f"kaozheng.used.{name}": value for name, value in data.items()})
        elif event.kind in _END:
            self._end(event, at)

    def _inside(self, parent: Span, name: str, at: int, attributes: dict[str, Any]) -> Span:
        return self._tracer.start_span(name, set_span_in_context(parent), attributes=attributes, start_time=at)

    def _call(self, run: _Run, data: Mapping[str, Any], at: int) -> Span:
        asked = _asked(str(data.get("asked", "")))
        return self._tracer.start_span(
            f"chat {asked['gen_ai.request.model']}",
            set_span_in_context(run.around(data)),
            SpanKind.CLIENT,
            {
                "gen_ai.operation.name": "chat",
                **asked,
                "gen_ai.request.stream": True,
                "kaozheng.role": str(data["role"]),
                "kaozheng.purpose": str(data["purpose"]),
            },
            start_time=at,
        )

    def _tool(self, run: _Run, data: Mapping[str, Any], at: int) -> None:
        name, status = str(data["tool"]), str(data["status"])
        attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "kaozheng.status": status}
        began = at - int(data["seconds"] * 1e9)
        span = self._inside(run.around(data), f"execute_tool {name}", began, attributes)
        _close(span, at, None if status in ("done", "empty") else _OTHER)

    def _answered(self, span: Span, data: Mapping[str, Any], at: int) -> None:
        if data.get("asked"):
            span.set_attributes(_asked(str(data["asked"])))
            span.update_name(f"chat {_asked(str(data['asked']))['gen_ai.request.model']}")
        if data.get("finish"):
            span.set_attribute("gen_ai.response.model", str(data["model"]))
            span.set_attribute("gen_ai.response.finish_reasons", [str(data["finish"])])
        span.set_attribute("kaozheng.replayed", bool(data.get("replayed")))
        if not data.get("replayed"):  # it was paid for in the span of the first time
            usage = data["usage"]
            span.set_attribute("gen_ai.usage.input_tokens", usage["input_tokens"])
            span.set_attribute("gen_ai.usage.output_tokens", usage["output_tokens"])
            span.set_attribute("gen_ai.usage.cache_read.input_tokens", usage["cached_tokens"])
        _close(span, at, data.get("error"))

    def _end(self, event: Event, at: int) -> None:
        run = self._runs.pop(event.run_id)
        for span in (*run.calls.values(), *run.steps.values()):
            _close(span, at, _OTHER)  # cut off: nobody will tell how they ended
        if event.kind is EventKind.RUN_FINISHED:
            run.root.set_attribute("kaozheng.exit_code", int(event.data["exit_code"]))
        _close(run.root, at, event.data.get("error"))


def _close(span: Span, at: int, error: object) -> None:
    if error:
        span.set_attribute("error.type", _kind(error))
        span.set_status(Status(StatusCode.ERROR))
    span.end(at)


def _kind(error: object) -> str:
    found = _CLASS.match(str(error))
    return found[0] if found else _OTHER


def _asked(text: str) -> dict[str, str]:
    provider, _, name = text.partition(":")
    return {"gen_ai.provider.name": _PROVIDERS.get(provider, provider), "gen_ai.request.model": name}


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers and names; of why something failed its class, or the word or two that retries have."""
    told = {key: value for key, value in data.items() if key in ("purpose", "attempt", "wait_s", "failed", "instead")}
    if "error" in data:
        told["error.type"] = str(data["error"])
    if "reason" in data:
        told["error.type"] = _kind(data["reason"])
    return told


def _nanoseconds(at: str) -> int:
    moment = datetime.fromisoformat(at)
    return int(moment.timestamp()) * 1_000_000_000 + moment.microsecond * 1_000
