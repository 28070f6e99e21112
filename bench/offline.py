"""The demo's job, offline, as a whole process."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.process import kaozheng
from bench.row import Row


def measure() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        kaozheng("write", "--notes", "examples/notes", "--json", data=Path(folder)).communicate(timeout=120)
        took_s = time.perf_counter() - began
    yield Row("write --notes examples/notes, offline", f"{took_s:.1f} s", bound="< 60 s")
