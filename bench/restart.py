"""From the start of the resuming process to its first new step, after a kill -9 in the middle of the sections."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from bench.process import kaozheng, scripted_server
from bench.row import Row


def measure() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder, scripted_server(0.5) as url:
        data = Path(folder)
        process = kaozheng("write", "--notes", "examples/notes", "--model", "openai:scripted", data=data, url=url)
        assert process.stderr
        for line in process.stderr:
            if line.startswith("section"):
                break
        process.kill()
        process.communicate()
        run = json.loads(kaozheng("runs", "list", "--json", data=data).communicate(timeout=60)[0])[0]["id"]
        began = time.time()
        kaozheng("runs", "resume", run, "--json", data=data, url=url).communicate(timeout=120)
        events = json.loads(kaozheng("runs", "show", run, "--json", data=data).communicate(timeout=60)[0])["events"]
    resumed = next(place for place, event in enumerate(events) if event["kind"] == "run_resumed")
    first = next(event["at"] for event in events[resumed:] if event["kind"] == "step_started")
    replayed = [event for event in events[resumed:] if event["kind"] == "call_finished" and event["data"]["replayed"]]
    paid = [
        event
        for event in events
        if event["kind"] == "call_finished" and not event["data"]["replayed"] and not event["data"]["error"]
    ]
    twice = len(paid) - len({event["data"]["purpose"] for event in paid})
    yield Row(
        "kill -9, resume: first new step", f"{datetime.fromisoformat(first).timestamp() - began:.2f} s", bound="< 5 s"
    )
    yield Row(
        "calls paid twice after the kill", str(twice), f"{len(paid)} calls, {len(replayed)} from the ledger", bound="0"
    )
