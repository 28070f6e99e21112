"""How many of this machine's cores are ours."""

from __future__ import annotations

import os


def cores() -> int:
    """Those that this process may use; a container often may use less than there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
