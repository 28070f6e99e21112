"""Files of the local disk: what is read, and where a result is put."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

from kaozheng.errors import InputError, SourceError, StorageError
from kaozheng.providers.readers.text_files import FolderReader
from kaozheng.providers.stores.vectors_file import FolderVectors
from kaozheng.settings import Settings
from kaozheng.sources.code.repository import CodeReader
from kaozheng.sources.files import Files
from kaozheng.sources.grid import GridReader
from kaozheng.sources.source import SourceReader
from kaozheng.sources.vectors import VectorShelf


def reader() -> SourceReader:
    """Files and folders of the local disk."""
    return FolderReader()


def grid_reader() -> GridReader:
    """Tables of the local disk."""
    from kaozheng.providers.readers.grid_files import GridFiles

    return GridFiles()


def open_files() -> AbstractAsyncContextManager[Files]:
    """Files of the local disk one by one, for as long as one ingest takes."""
    from kaozheng.providers.readers import folder_files

    return folder_files.open_files()


def code_reader() -> CodeReader:
    """Folders of code on the local disk."""
    from kaozheng.providers.readers.code_files import CodeFolderReader

    return CodeFolderReader()


def vectors(settings: Settings) -> VectorShelf:
    """Where vectors are kept between runs."""
    return FolderVectors(settings.folder / "vectors")


def text_of(path: Path) -> str:
    """The text of one file of any suffix, as a mapping or a list is. Raises SourceError, EncodingError."""
    from kaozheng.providers.readers.text_files import load
    from kaozheng.sources.decoding import decode

    try:
        return decode(load(path).data)[0]
    except SourceError as error:
        raise type(error)(f"{path}: {error}") from error


def write_file(path: Path, text: str) -> None:
    """Put `text` at `path`, wholly or not at all. Raises StorageError."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    """Put `data` at `path`, wholly or not at all. Raises StorageError."""
    from kaozheng.providers.stores.atomic import write_in_place

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_in_place(path, data)
    except OSError as error:
        raise StorageError(f"{path}: cannot be written ({error.strerror})") from error


def check_writable(path: Path) -> None:
    """Raises InputError when `write_file` could not put anything at `path`."""
    from kaozheng.providers.stores.writable import write_fault

    if fault := write_fault(path):
        raise InputError(f"{path}: cannot be written: {fault}")
