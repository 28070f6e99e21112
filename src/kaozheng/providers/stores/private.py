"""Files and folders for their owner's eyes only: what is kept here are texts and conversations of one user.

What is there already keeps its rights: who shares a data folder on purpose has said so.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Final

OWNER_ALONE: Final = 0o600
_FOLDER: Final = 0o700


def private_folder(folder: Path) -> None:
    """Make the folder, and those above it that are missing, for their owner alone. Raises OSError."""
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(_FOLDER, exist_ok=True)
    folder.mkdir(exist_ok=True)  # a file in its place is an error here too


def private_file(path: Path) -> None:
    """Make the file, empty, and its folder, for their owner alone. What SQLite puts beside a database (`-wal`, `-shm`)
    gets the rights of the database. Raises OSError."""
    private_folder(path.parent)
    # Said here, where nothing has begun: a driver's thread may outlive the loop that it failed in.
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    path.touch(mode=OWNER_ALONE)
