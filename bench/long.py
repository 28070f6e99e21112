"""One long text, summarised offline by a process of its own: `python -m bench long FILE`. The file is not ours to ship:
any text of a million characters will do."""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.process import ROOT
from bench.row import Row
from bench.summary_run import holding, summarised
from kaozheng.settings import Settings

MOST_S, MOST_MB = 180, 1_500


def measure(*files: str) -> Iterator[Row]:
    if not files:
        yield Row("a long text, summarised offline", "give a file: python -m bench long FILE")
    for name in files:
        command = [sys.executable, "-m", "bench.long", name]
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        yield from _rows(Path(name), json.loads(said))


def _rows(file: Path, found: dict) -> Iterator[Row]:
    what = f"{file.name}: {found['characters']:,} characters, offline"
    stages = ", ".join(f"{stage} {took:.1f}" for stage, took in found["seconds"].items())
    yield Row(what, f"{sum(found['seconds'].values()):.1f} s", stages, bound=f"< {MOST_S} s")
    yield Row(f"{file.name}: most memory at once", f"{found['peak_mb']:.0f} MB", bound=f"< {MOST_MB} MB")
    told = f"{found['holding']} of {found['sentences']}"
    sizes = f"{found['blocks']} blocks, {found['levels']} levels, {found['sections']} sections"
    lengths = "{text:,} tokens, aimed at {target:,}, made {summary:,}".format(**found["length"])
    yield Row(f"{file.name}: sentences whose quotes stand at their offsets", told, f"{sizes}; {lengths}", bound="all")


def main(name: str) -> None:
    """Summarise and print what was measured, as JSON."""
    file = Path(name)
    with tempfile.TemporaryDirectory() as folder:
        made = asyncio.run(summarised(Settings(data=Path(folder)), file))
    source = file.read_text(encoding="utf-8")
    peak_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = {
        "characters": len(source),
        "seconds": made.seconds,
        "peak_mb": peak_kb / 1024,
        "blocks": made.report["plan"]["blocks"],
        "levels": len(made.report["levels"]),
        "sections": len(made.report["sections"]),
        "length": made.report["length"],
        "loss": {name: made.report["loss"][name] for name in ("statements", "watched", "restored")},
        "sentences": len(made.trace),
        "holding": holding(made.trace, source),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
