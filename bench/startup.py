"""How long `kaozheng --help` takes, against an interpreter that does nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from bench.process import median_s
from bench.row import Row


def measure() -> Iterator[Row]:
    ours = median_s([sys.executable, "-c", "from kaozheng.cli import main; main()", "--help"])
    bare = median_s([sys.executable, "-c", "pass"])
    yield Row("kaozheng --help", f"{ours:.3f} s", f"python -c pass {bare:.3f} s", f"{ours / bare:.1f}", "< 0.4 s")
