"""Made-up data to try everything with, marked as synthetic in every file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kaozheng.county.demonstration.made_files import made_files
from kaozheng.errors import InputError
from kaozheng.wiring.files import check_writable, write_bytes


def write_demo(folder: Path, seed: int = 1) -> Sequence[Path]:
    """Write the demonstration into a folder; its files by name. Raises InputError for a folder that holds one of them
    already (which somebody may have changed), StorageError."""
    files = {folder / name: data for name, data in sorted(made_files(seed).items())}
    for path, data in files.items():
        check_writable(path)
        if path.exists() and path.read_bytes() != data:
            raise InputError(f"{path} is there already and is not of this demonstration: name another folder")
    for path, data in files.items():
        write_bytes(path, data)
    return list(files)
