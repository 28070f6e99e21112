"""Reads a repository from the local disk. No text leaves it before its secrets are masked."""

from __future__ import annotations

import asyncio
import os
import posixpath
import stat
from pathlib import Path
from typing import BinaryIO

from kaozheng.errors import EncodingError, SourceError
from kaozheng.providers.readers.code_grammars import outline
from kaozheng.providers.readers.code_walk import Found, walk
from kaozheng.providers.readers.text_files import shown
from kaozheng.sources.code.code_file import CodeFile, kind_by_text, kind_of, language_of
from kaozheng.sources.code.imports import resolve_imports
from kaozheng.sources.code.manifests import entry_points, is_python_main, tasks
from kaozheng.sources.code.repository import Repository
from kaozheng.sources.code.secrets import mask_secrets
from kaozheng.sources.code.symbol import Outline
from kaozheng.sources.decoding import decode, looks_binary
from kaozheng.sources.source import Skipped, normal_lines

MOST_FILES = 20_000
HUGE_BYTES = 2_000_000
_HEAD_BYTES = 8_192
_MOST_KEPT_CHARS = 64_000_000
_MOST_SKIPPED = 2_000
_OUTLINED = frozenset({"source", "test"})
_CONFIGURES = ("tsconfig", "jsconfig")


class CodeFolderReader:
    """A CodeReader over the local disk: at most `most_files` files, the rest is counted."""

    def __init__(self, most_files: int = MOST_FILES) -> None:
        self._most_files = most_files

    async def read(self, root: Path) -> CodeFolder:
        """See CodeReader.read. The work is done in a thread, so the loop stays free."""
        return await asyncio.to_thread(read_folder, root, self._most_files)


class CodeFolder:
    """A CodeShelf over the local disk. Texts are kept while the file on the disk stays the same."""

    def __init__(self, root: Path) -> None:
        self._root = Path(os.path.realpath(root))
        self._places: dict[str, Path] = {}
        self._kept: dict[str, tuple[tuple[int, int, int], str]] = {}
        self._kept_chars = 0
        self.repository = Repository(shown(self._root.name))

    def text(self, path: str) -> str:
        """See CodeShelf.text."""
        place = self._places.get(path)
        if place is None:
            raise SourceError(f"{path}: no such text file in the repository")
        try:
            return self._read(path, place)[0]
        except OSError as error:
            raise SourceError(f"{path}: cannot be read ({error.strerror})") from error

    def add(self, found: Found) -> tuple[CodeFile, str]:
        """The file with what it is, and its masked text ("" where it has none). OSError: it cannot be read."""
        kind, language = kind_of(found.path), language_of(found.path)
        with _opened(found.real) as file:
            head = file.read(_HEAD_BYTES)
        if looks_binary(head):
            return CodeFile(found.path, language, "binary", 0, found.size_bytes), ""
        if found.size_bytes > HUGE_BYTES:
            return CodeFile(found.path, language, "huge", 0, found.size_bytes), ""
        try:
            text, encoding = self._read(found.path, found.real)
        except EncodingError:
            return CodeFile(found.path, language, "binary", 0, found.size_bytes), ""
        self._places[found.path] = found.real
        lines = text.count("\n") + (not text.endswith("\n") and bool(text))
        return CodeFile(found.path, language, kind_by_text(kind, text), lines, found.size_bytes, encoding), text

    def _read(self, path: str, place: Path) -> tuple[str, str]:
        """(masked text, encoding). The folders above are checked again: one may have become a link since."""
        if Path(os.path.realpath(place)) != self._root / place.relative_to(self._root):
            raise SourceError(f"{path}: a link stands in its way now")
        with _opened(place) as file:
            info = os.fstat(file.fileno())
            stamp = info.st_mtime_ns, info.st_size, info.st_ino
            kept = self._kept.get(path)
            if kept and kept[0] == stamp:
                return kept[1], ""
            if info.st_size > HUGE_BYTES:
                raise SourceError(f"{path}: larger than {HUGE_BYTES // 1_000_000} MB now")
            data = file.read(HUGE_BYTES + 1)
        text, encoding = _decoded(data)
        text = mask_secrets(normal_lines(text), path)
        if self._kept_chars + len(text) <= _MOST_KEPT_CHARS:
            self._kept_chars += len(text) - (len(kept[1]) if kept else 0)
            self._kept[path] = stamp, text
        return text, encoding


def read_folder(root: Path, most_files: int = MOST_FILES) -> CodeFolder:
    """Everything under the root. SourceError: it is no folder, or holds no file."""
    if not root.is_dir():
        raise SourceError(f"{shown(root)}: no such folder")
    folder = CodeFolder(root)
    files: list[CodeFile] = []
    skipped: list[Skipped] = []
    outlines: dict[str, Outline] = {}
    texts: dict[str, str] = {}
    uncounted = 0
    for found in walk(Path(os.path.realpath(root))):
        if not found.why and len(files) >= most_files:
            uncounted += 1
            continue
        file, text = _file(folder, found, skipped)
        if file is None:
            continue
        files.append(file)
        if file.language and file.kind in _OUTLINED:
            outlines[file.path] = outline(file.path, file.language if not _is_cpp(file, text) else "cpp", text)
        if _is_telling(file, text):
            texts[file.path] = text
    if not files:
        raise SourceError(f"{shown(root)}: no file in this folder")
    folder.repository = _repository(folder.repository.name, files, outlines, texts, skipped, uncounted)
    return folder


def _file(folder: CodeFolder, found: Found, skipped: list[Skipped]) -> tuple[CodeFile | None, str]:
    why = found.why
    if not why:
        try:
            return folder.add(found)
        except (OSError, SourceError) as error:
            why = f"cannot be read ({error.strerror if isinstance(error, OSError) else error})"
    if len(skipped) < _MOST_SKIPPED:
        skipped.append(Skipped(found.path, why))
    return None, ""


def _repository(
    name: str,
    files: list[CodeFile],
    outlines: dict[str, Outline],
    texts: dict[str, str],
    skipped: list[Skipped],
    uncounted: int,
) -> Repository:
    files.sort(key=lambda file: file.path)
    edges = resolve_imports(outlines, (file.path for file in files), texts)
    points, found_tasks = entry_points(files, outlines, texts), tasks(files, texts)
    return Repository(name, tuple(files), outlines, edges, points, found_tasks, tuple(skipped), uncounted)


def _is_telling(file: CodeFile, text: str) -> bool:
    """Whether manifests or imports are read from it."""
    name = posixpath.basename(file.path).lower()
    return (
        file.kind == "manifest" or name.startswith(_CONFIGURES) or (file.language == "python" and is_python_main(text))
    )


def _is_cpp(file: CodeFile, text: str) -> bool:
    """A header of C++ bears the suffix of C."""
    return file.path.endswith(".h") and any(
        word in text for word in ("namespace ", "\nclass ", "template <", "template<", "public:")
    )


def _decoded(data: bytes) -> tuple[str, str]:
    """Like `decode`, but a text with some bad bytes (comments in Latin 1) is kept, the bytes as U+FFFD."""
    try:
        return decode(data)
    except EncodingError:
        if looks_binary(data):
            raise
        return data.decode("utf-8", "replace"), "utf-8 (damaged)"


def _opened(path: Path) -> BinaryIO:
    """Opens a regular file; a link or a pipe that took its place since is an OSError and never waited for."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(22, "not a regular file")
    return os.fdopen(file, "rb")
