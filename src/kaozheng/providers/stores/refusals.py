"""What a disk or a database says when it refuses, turned into one line that says where and what to do."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kaozheng.errors import StorageError

_BY_TEXT = (
    ("disk is full", "the disk is full: free some space, then go on"),
    ("disk i/o error", "the disk is full or broken: free some space or check it, then go on"),
    ("readonly", "it may not be written: give this user the right, or choose another data folder"),
    ("locked", "another process is writing to it: wait for that process or end it, then go on"),
    ("unable to open", "it cannot be opened: its folder must exist and be writable for this user"),
    ("not a database", "it is not a Kaozheng database: move the file away, then start again"),
    ("malformed", "the file is damaged: move it away or put a copy back, then start again"),
    ("no such table", "it lacks a table: move the file away or put a copy back, then start again"),
)
_BY_ERRNO = {
    errno.ENOSPC: "the disk is full: free some space, then go on",
    errno.EDQUOT: "the disk quota is used up: free some space, then go on",
    errno.EFBIG: "the file would be larger than the limit of this process or disk allows",
    errno.EROFS: "the disk is read-only: choose another data folder",
    errno.EACCES: "this user may not write there: give the right, or choose another data folder",
    errno.EPERM: "this user may not write there: give the right, or choose another data folder",
    errno.ENOTDIR: "a file stands where a folder is needed",
    errno.EEXIST: "a file stands where a folder is needed",
    errno.EISDIR: "a folder stands where a file is needed: move it away, then start again",
    errno.ENOENT: "the folder is gone or cannot be made",
}


def database_refusal(error: BaseException, where: str) -> StorageError:
    """The StorageError for an error of SQLite (plain, or wrapped by SQLAlchemy as `orig`)."""
    said = str(getattr(error, "orig", None) or error)
    meaning = next((meaning for sign, meaning in _BY_TEXT if sign in said.lower()), "the database refused")
    return StorageError(f"{where}: {meaning} ({said.splitlines()[0] if said else type(error).__name__})")


def advice(error: OSError) -> str:
    """What the refusal means and what to do, in half a line."""
    return _BY_ERRNO.get(error.errno or 0, error.strerror or "the disk refused")


@contextmanager
def disk_refusals(path: Path) -> Iterator[None]:
    """Turn OSError into StorageError for what is done under this path."""
    try:
        yield
    except OSError as error:
        raise StorageError(f"{path}: {advice(error)}") from error


@contextmanager
def sqlite_refusals(path: Path) -> Iterator[None]:
    """Turn sqlite3.Error and OSError into StorageError for what is done with this database file."""
    try:
        with disk_refusals(path):
            yield
    except sqlite3.Error as error:
        raise database_refusal(error, str(path)) from error
