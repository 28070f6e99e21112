"""What the user typed, made a path or words. An empty one is a variable that was not set (`--notes "$FOLDER"`), and
must not become the working folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from kaozheng.errors import InputError


def path(text: str) -> Path:
    """The path. Raises InputError for an empty one."""
    if not text.strip():
        raise InputError("a path is empty: name a file or folder (. is the working folder)")
    return Path(text)


def words(text: str) -> str:
    """The text of an argument, whatever encoding the shell says it has. Raises InputError for what is no UTF-8."""
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{ascii(text)[1:-1]}: this argument is not text in UTF-8") from None


def standard_input(asked: str) -> str:
    """The text on standard input, in whatever encoding it is; `asked` is what the user wrote for it. Raises InputError
    when it is closed, EncodingError."""
    if sys.stdin is None:
        raise InputError(f"{asked}: standard input is closed")
    from kaozheng.sources.decoding import decode

    return decode(sys.stdin.buffer.read())[0]


def not_in_place_of(output: Path | None, source: object) -> None:
    """Raises InputError when what is written would take the place of a text that it is made from."""
    if output is None or not isinstance(source, Path) or not source.exists() or not output.exists():
        return
    if output.samefile(source) or (source.is_dir() and output.resolve().is_relative_to(source.resolve())):
        raise InputError(f"{output} is one of the texts that are read and would be lost: name another file")
