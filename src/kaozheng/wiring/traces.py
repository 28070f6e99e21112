"""Whether runs are traced, and who makes the spans."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

from kaozheng.errors import MissingExtraError
from kaozheng.providers.clients import host_of
from kaozheng.settings import Settings

if TYPE_CHECKING:
    from kaozheng.providers.traces.otel import Traces


_OTEL = "opentelemetry.exporter.otlp.proto.http"


def traces_of(settings: Settings) -> Traces | None:
    """Who makes spans of runs' events, when somebody is to collect them. MissingExtraError when that was demanded."""
    wanted, why = tracing(settings)
    if not wanted:
        return None
    if not has_otel():
        if settings.traces == "on":
            raise MissingExtraError(f"traces: {why}")
        return None
    from kaozheng.providers.traces.otel import Traces

    return Traces()


def has_otel() -> bool:
    """Whether OpenTelemetry and its exporter are installed (extra `otel`)."""
    try:
        return find_spec(_OTEL) is not None
    except ModuleNotFoundError:  # without even the package around it
        return False


def tracing(settings: Settings) -> tuple[bool, str]:
    """Whether traces are wanted, and what `doctor` says of them. OpenTelemetry's own variables are its own to read; we
    look at those only that say whether and how."""
    read = os.environ.get
    place = read("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") or read("OTEL_EXPORTER_OTLP_ENDPOINT") or ""
    protocol = read("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or read("OTEL_EXPORTER_OTLP_PROTOCOL") or "http/protobuf"
    if settings.traces == "off" or read("OTEL_SDK_DISABLED", "").lower() == "true":
        return False, "none: they are switched off"
    if settings.traces == "auto" and (not place or read("OTEL_TRACES_EXPORTER", "otlp") != "otlp"):
        return False, "none (set OTEL_EXPORTER_OTLP_ENDPOINT to a collector)"
    if not has_otel():
        return True, 'OpenTelemetry is not installed: pip install "kaozheng[otel]"'
    if protocol != "http/protobuf":
        return False, f"none: {protocol} is not spoken here, set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf"
    return True, f"to {host_of(place) if place else 'localhost:4318'}"
