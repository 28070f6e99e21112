"""Traces to a collector by OTLP over HTTP (extra `otel`), at the address that the operator gave in OTEL_… variables.

The exporter brings its own HTTP client (requests): the one connection of the product that `providers.clients` does not
make (decision 0025). Whatever the collector does, runs go on: spans wait in a queue that a thread empties, and at the
end that thread is waited for a moment only.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from kaozheng.journal import Event

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter

LAST_WAIT_S: Final = 2.0
"""How long the end of the work waits for a collector that does not answer; what it has not taken then is lost."""


class Traces:
    """Where the spans of runs go: a listener of runs; close it with `aclose`. The library is loaded at the first event:
    listing runs must not pay for it. `exporter` None is the collector of the OTEL_… variables."""

    def __init__(self, exporter: SpanExporter | None = None) -> None:
        self._exporter = exporter
        self._provider: TracerProvider | None = None
        self._spans: Callable[[Event], None] | None = None
        self._guard = threading.Lock()

    def __call__(self, event: Event) -> None:
        with self._guard:
            if self._spans is None:
                from kaozheng.providers.traces.spans import Spans

                self._provider = _provider(self._exporter)
                self._spans = Spans(self._provider.get_tracer("kaozheng", version("kaozheng")))
        self._spans(event)

    async def aclose(self) -> None:
        """Hand over what is waiting, for two seconds at most."""
        if (provider := self._provider) is None:
            return
        loop, done = asyncio.get_running_loop(), asyncio.Event()

        def hand_over() -> None:
            provider.shutdown()
            with suppress(RuntimeError):  # nobody waited so long, and the loop is closed
                loop.call_soon_threadsafe(done.set)

        # A thread of its own, which may be left behind: the loop's own pool is waited for when the loop ends.
        threading.Thread(target=hand_over, name="kaozheng-traces", daemon=True).start()
        with suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), LAST_WAIT_S)


def _provider(exporter: SpanExporter | None) -> TracerProvider:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    # Without a handler the library's complaints about a collector would be printed into the run's progress.
    logging.getLogger("opentelemetry").addHandler(logging.NullHandler())
    resource = Resource.create({"service.version": version("kaozheng")})
    if str(resource.attributes.get("service.name", "")).startswith("unknown_service"):
        resource = resource.merge(Resource({"service.name": "kaozheng"}))
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter or OTLPSpanExporter()))
    return provider
