"""Commands and the scripted server as processes of their own."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def kaozheng(*words: str, data: Path | None = None, url: str = "") -> subprocess.Popen[str]:
    """Start the command with its own data folder; `url` is the model's address."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("KAOZHENG", "OPENAI"))}
    if data:
        env |= {"KAOZHENG_DATA": str(data)}
    if url:
        env |= {"OPENAI_BASE_URL": url}
    command = [sys.executable, "-c", "from kaozheng.cli import main; main()", *words]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)


def median_s(command: list[str], runs: int = 9) -> float:
    """Median wall seconds of a command; the first run warms up and does not count."""
    times = []
    for _ in range(runs + 1):
        began = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        times.append(time.perf_counter() - began)
    return statistics.median(times[1:])


@contextmanager
def scripted_server(delay_s: float) -> Iterator[str]:
    """The base URL of a scripted server that plays all roles."""
    command = [sys.executable, "-m", "kaozheng.testing.server", "--actor", "--delay", str(delay_s)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield process.stdout.readline().strip()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)
