"""The child process that reads files from strangers: it takes their bytes, gives text or grids, and may die of them.

Started by `reading_parent.ReadingChild` as `python -P -m` of this module. On standard input come a head (JSON in one
line: what is wanted, suffix, size, caps) and the bytes, on standard output one line of JSON goes back, file by file
until the input ends. The process opens no file of the user's and writes none; its memory and time are limited.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

from kaozheng.errors import SourceError
from kaozheng.providers.readers.conversion import convert, grids
from kaozheng.providers.readers.converted import Caps
from kaozheng.providers.readers.grid_packing import packed

_Way = Callable[[str, bytes, Caps], dict[str, Any]]
_SPARE_S = 5  # the parent's clock ends a file; this is for a child whose parent is gone


def main() -> None:
    """Serves files until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then closes the input
    output = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "wb") as nothing:  # noqa: PTH123 - whatever a library prints is no answer
        os.dup2(nothing.fileno(), 1)
    while head := sys.stdin.buffer.readline():
        asked = json.loads(head)
        caps = Caps(**asked["caps"])
        _limit(caps)
        answer = _answer(_WAYS[asked["wanted"]], asked["suffix"], sys.stdin.buffer.read(asked["size"]), caps)
        output.write(json.dumps(answer).encode() + b"\n")
        output.flush()


def _answer(way: _Way, suffix: str, data: bytes, caps: Caps) -> dict[str, Any]:
    try:
        return way(suffix, data, caps)
    except SourceError as error:
        return {"why": str(error)}
    except MemoryError:
        return {"why": f"takes more than {caps.memory_bytes / 1e6:,.0f} MB of memory to read"}


def _markdown(suffix: str, data: bytes, caps: Caps) -> dict[str, Any]:
    return asdict(convert(suffix, data, caps))


def _grids(suffix: str, data: bytes, caps: Caps) -> dict[str, Any]:
    return packed(grids(suffix, data, caps))


def _limit(caps: Caps) -> None:
    """Limits of the system, where it has any: no file written, no core, so much memory and time."""
    with contextlib.suppress(ImportError):
        import resource

        cpu_s = int(time.process_time() + caps.time_s) + _SPARE_S
        limits = (
            (resource.RLIMIT_AS, caps.memory_bytes),
            (resource.RLIMIT_CPU, cpu_s),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        )
        for which, most in limits:
            _, hard = resource.getrlimit(which)
            with contextlib.suppress(ValueError, OSError):  # macOS takes no limit of memory
                resource.setrlimit(which, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


_WAYS: Final[dict[str, _Way]] = {"markdown": _markdown, "grids": _grids}

if __name__ == "__main__":
    main()
