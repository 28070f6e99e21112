"""The parent's side of reading in a child process: it starts the child, ends it in time, and outlives its death."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import asdict
from types import TracebackType
from typing import Any

from kaozheng.errors import SourceError
from kaozheng.providers.readers.conversion import RECOGNISED
from kaozheng.providers.readers.converted import Caps, Converted
from kaozheng.providers.readers.grid_packing import unpacked
from kaozheng.providers.readers.recognition import can_recognise
from kaozheng.sources.grid import Grid
from kaozheng.sources.source import Place, Skipped

_MODULE = "kaozheng.providers.readers.reading_child"
_FILES_OF_ONE = 200  # a new child from time to time gives memory back
_LAST_WORDS_S = 0.5
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TEMP", "TMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
# A thread a core, each with its stack and its arena, and large blocks that are kept for later, all count against the
# child's address space: without these the recognition of pages needs 1.1 GB, with them 0.7.
_THRIFT = {
    "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "1000000",
}  # fmt: skip
_BY_SYSTEM = "its reader was ended by the system (out of memory or time)"


class ReadingChild:
    """A child process that converts one file after another. Started with the first file, replaced when it dies; to be
    closed (a context manager). For one thread at a time."""

    def __init__(self, caps: Caps | None = None) -> None:
        self._caps = caps or Caps()
        self._process: subprocess.Popen[bytes] | None = None
        self._read = 0

    def __enter__(self) -> ReadingChild:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def convert(self, suffix: str, data: bytes) -> Converted:
        """See conversion.convert. SourceError also when the child dies or takes longer than a file may."""
        return _converted(self._answer("markdown", suffix, data))

    def grids(self, suffix: str, data: bytes) -> list[Grid]:
        """See conversion.grids. SourceError also when the child dies or takes longer than a file may."""
        return unpacked(self._answer("grids", suffix, data))

    def _answer(self, wanted: str, suffix: str, data: bytes) -> dict[str, Any]:
        process = self._running()
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        time_s = self._caps.time_s + (self._caps.recognition_s if _may_be_recognised(suffix) else 0.0)
        clock = threading.Timer(time_s, end)
        clock.daemon = True
        clock.start()
        head = {"wanted": wanted, "suffix": suffix, "size": len(data), "caps": asdict(self._caps)}
        try:
            line = _asked(process, head, data)
        finally:
            clock.cancel()
        if not line.endswith(b"\n"):
            self.close()
            if late.is_set():
                raise SourceError(f"takes longer than {time_s:g} s to read")
            raise SourceError(_why_dead(process.returncode))
        self._read += 1
        answer: dict[str, Any] = json.loads(line)
        if "why" in answer:
            raise SourceError(str(answer["why"]))
        return answer

    @property
    def process_id(self) -> int:
        """Of the child; 0 while there is none."""
        return self._process.pid if self._process else 0

    def close(self) -> None:
        """Ends the child, if there is one."""
        process, self._process, self._read = self._process, None, 0
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if pipe:
                    pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):  # one that ends by itself says of what
            process.wait(_LAST_WORDS_S)
        process.kill()
        process.wait()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._read >= _FILES_OF_ONE:
            self.close()
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-B", "-m", _MODULE],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=_environment(),
                )
            except OSError as error:
                raise SourceError(f"no process could be started to read it in ({error.strerror})") from error
        return self._process


def _asked(process: subprocess.Popen[bytes], head: dict[str, Any], data: bytes) -> bytes:
    """The child's line; without a line end when it died."""
    if process.stdin is None or process.stdout is None:
        return b""
    with contextlib.suppress(OSError):  # a child that died is noticed by what does not come back
        process.stdin.write(json.dumps(head).encode() + b"\n")
        process.stdin.write(data)
        process.stdin.flush()
    return process.stdout.readline()


def _environment() -> dict[str, str]:
    """What the child needs to find its modules; no keys, which it has no use for. Its own folder is not searched (-P),
    since it may be the folder that the files are in."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    path = os.pathsep.join(path for path in sys.path if path)
    return kept | {"PYTHONPATH": path, "PYTHONUTF8": "1"} | _THRIFT


def _may_be_recognised(suffix: str) -> bool:
    """What hangs before it comes to that is ended by the child's own limit of the processor's time."""
    return suffix in RECOGNISED and can_recognise()


def _converted(answer: dict[str, Any]) -> Converted:
    places, left_out = answer["places"], answer["left_out"]
    return Converted(
        str(answer["text"]), tuple(Place(**place) for place in places), tuple(Skipped(**one) for one in left_out)
    )


def _why_dead(code: int) -> str:
    if code in (-signal.SIGKILL, -signal.SIGXCPU) if os.name == "posix" else False:
        return _BY_SYSTEM
    return f"its reader broke down (exit {code})"
