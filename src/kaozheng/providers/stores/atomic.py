"""Writing a file so that a reader, or a process that starts after a crash, sees the old text or the new one."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from pathlib import Path

from kaozheng.providers.stores.private import OWNER_ALONE

_ANY_MAY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def write_atomically(path: Path, data: bytes, scratch: Path | None = None, mode: int | None = OWNER_ALONE) -> None:
    """Write, flush to the disk, then take the file's place. OSError as the disk raises it; nothing half is left then.

    `mode` are the rights of the file; None leaves them to the user's umask.
    `scratch` is the folder of the temporary file (same file system); a killed process may leave one there.
    """
    temporary = (scratch or path.parent) / f".{secrets.token_hex(8)}.tmp"
    try:
        with temporary.open("xb") as file:
            if mode is not None:
                temporary.chmod(mode)  # before there is anything to read in it
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def write_in_place(path: Path, data: bytes) -> None:
    """`write_atomically` for a file that is the user's: a link is followed, the mode stays, a file that may not be
    written is refused, and what is no plain file (a device, a pipe) is written through, never replaced.
    """
    target = Path(os.path.realpath(path))
    if not target.exists():
        write_atomically(target, data, mode=None)
        return
    found = target.stat()
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not found.st_mode & _ANY_MAY_WRITE and stat.S_ISREG(found.st_mode):
        raise PermissionError(errno.EACCES, "it is read-only", str(path))  # root could, but was not meant to
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
        target.write_bytes(data)  # its other names must go on leading to the same file
        return
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    write_atomically(target, data, mode=stat.S_IMODE(found.st_mode))


def _sync_folder(folder: Path) -> None:
    # A rename survives a power cut only when its folder is flushed too; Windows has no such call.
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
