"""Whether something can be written at a place, found out by trying: rights alone say too little (a full or read-only
disk, a name that is too long, a file where a folder is needed). Nothing is left behind."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kaozheng.providers.stores.refusals import advice


def write_fault(path: Path) -> str:
    """Why `write_in_place` would fail at `path`, "" when it would not. What stands there stays as it is."""
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return folder_fault(target.parent, target.name)
    except (OSError, ValueError) as error:
        return _said(error)
    if stat.S_ISDIR(mode):
        return "it is a folder: name a file in it"
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) and stat.S_ISREG(mode):
        return "it is read-only"
    if not os.access(target, os.W_OK):
        return "this user may not write it"
    return folder_fault(target.parent) if stat.S_ISREG(mode) else ""


def folder_fault(folder: Path, name: str = "") -> str:
    """Why no file (of this name) can be made in `folder`, "" when one can. A folder that is missing is made, tried and
    removed again."""
    try:
        with _made(folder):
            probe = folder / (name or f".{secrets.token_hex(8)}.tmp")
            with probe.open("xb") as file:
                try:
                    file.write(b"kaozheng")
                    file.flush()
                finally:
                    probe.unlink()
    except FileExistsError:
        return "a file stands where a folder is needed"
    except (OSError, ValueError) as error:
        return _said(error)
    return ""


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        for one in reversed(missing):
            one.mkdir(exist_ok=True)
        yield
    finally:
        for one in missing:
            with suppress(OSError):
                one.rmdir()


def _said(error: OSError | ValueError) -> str:
    if isinstance(error, ValueError):
        return "it is not the name of a file"
    return "the name is too long" if error.errno == errno.ENAMETOOLONG else advice(error)
