"""Writing a file so that a reader, or a process that starts after a crash, sees the old text or the new one."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_atomically(path: Path, data: bytes, scratch: Path | None = None) -> None:
    """Write, flush to the disk, then take the file's place. OSError as the disk raises it; nothing half is left then.

    `scratch` is the folder of the temporary file (same file system); a killed process may leave one there.
    """
    temporary = (scratch or path.parent) / f".{secrets.token_hex(8)}.tmp"
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    # A rename survives a power cut only when its folder is flushed too; Windows has no such call.
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
